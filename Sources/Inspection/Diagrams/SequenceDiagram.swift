internal import EventLog
internal import SwedbankPay
internal import Workflow

/// A session's log as a sequence diagram: the messages between the participants, in the order of
/// the log.
///
/// The diagram is a value, so that every output format shows the same. Each step has the sequence
/// numbers of the events behind it; the diagram contains only what the events record.
package struct SequenceDiagram: Hashable, Sendable {
    /// The participants, from left to right.
    typealias Lane = EventLanes.Lane

    /// The kinds of arrow.
    enum Arrow: Hashable, Sendable {
        /// A request or a notification.
        case request
        /// A response or a report.
        case response
        /// A message that was sent and may not have arrived.
        case lost
    }

    /// The shape of a step.
    enum Shape: Hashable, Sendable {
        /// An arrow between two lanes.
        case message(from: Lane, to: Lane, Arrow)
        /// A box over one or more lanes.
        case note(over: ClosedRange<Lane>)
        /// A period without any events.
        case gap
    }

    /// The color of a step; its text has the same meaning.
    enum Tone: String, Sendable {
        case plain, quiet, good, bad
    }

    /// One step.
    struct Step: Hashable, Sendable {
        /// The sequence numbers of the events behind it.
        var places: ClosedRange<SequenceNumber>
        /// When the last of them was recorded.
        var at: Instant
        var shape: Shape
        var tone = Tone.plain
        var text: String

        /// The sequence number, or the first and the last.
        var number: String {
            places.lowerBound == places.upperBound
                ? "\(places.lowerBound)" : "\(places.lowerBound)–\(places.upperBound)"
        }
    }

    /// The shortest period without events that is shown as a gap.
    static let gap = Duration.seconds(5)
    /// The maximum number of steps; a longer log is truncated with a note.
    static let stepLimit = 500
    /// The maximum length of a step's text in characters.
    static let textLimit = 140

    /// The session, and the merchant's reference if there is one.
    private(set) var title: String
    /// The time of the first event.
    private(set) var begin: Instant
    private(set) var steps: [Step] = []

    /// Creates the diagram of a log.
    package init(_ log: SessionLog) {
        begin = log.events.first?.at ?? Instant(microseconds: 0)
        let currency = log.currency
        let reference = log.state.reference.map { ", " + $0 } ?? ""
        title = Self.text("Session \(log.session)" + reference)
        var last = begin
        for (index, recorded) in log.events.enumerated() {
            if let step = merged(recorded) {
                steps[steps.count - 1] = step
                last = recorded.at
                continue
            }
            guard steps.count < Self.stepLimit else {
                leaveOut(log.events[index...])
                return
            }
            if recorded.at - last >= Self.gap {
                let words = (recorded.at - last).spoken + " without an event"
                steps.append(
                    Step(
                        places: recorded.sequence...recorded.sequence,
                        at: recorded.at,
                        shape: .gap,
                        tone: .quiet,
                        text: words
                    )
                )
            }
            steps.append(Step(recorded, currency: currency))
            last = recorded.at
        }
    }

    /// The lanes with at least one step, and always the engine's.
    var lanes: [Lane] {
        var used: Set<Lane> = [.engine]
        for step in steps {
            switch step.shape {
            case .message(let from, let to, _): used.formUnion([from, to])
            case .note(let over) where over.lowerBound == over.upperBound:
                used.insert(over.lowerBound)
            case .note, .gap: continue
            }
        }
        return Lane.allCases.filter(used.contains)
    }

    /// The time of a step since the beginning.
    func offset(of step: Step) -> Duration { step.at - begin }

    /// The last step, extended by this event, when both are reads without a change.
    private func merged(_ recorded: RecordedEvent) -> Step? {
        guard case .fetched(let fetched) = recorded.event, fetched.snapshot == nil,
            var last = steps.last, last.tone == .quiet, last.shape == .reading,
            last.places.upperBound == recorded.sequence - 1
        else { return nil }
        last.places = last.places.lowerBound...recorded.sequence
        last.at = recorded.at
        last.text = "\(last.places.count) polls: no change"
        return last
    }

    private mutating func leaveOut(_ rest: ArraySlice<RecordedEvent>) {
        guard let first = rest.first, let last = rest.last else { return }
        steps.append(
            Step(
                places: first.sequence...last.sequence,
                at: last.at,
                shape: .note(over: .payer ... .bank),
                tone: .bad,
                text: "\(rest.count) more events are not drawn; see 'log'"
            )
        )
    }

    /// Prepares text for drawing: a single line of limited length, without control characters.
    static func text(_ words: String) -> String {
        Screen.cut(Screen.safe(words.rewriting("\n", as: " ")), to: textLimit)
    }
}

extension SequenceDiagram.Step {
    /// Creates the step for an event of a session whose order has this currency.
    init(_ recorded: RecordedEvent, currency: String?) {
        let description = EventDescription(recorded.event, currency: currency)
        let mark =
            switch description.tone {
            case .bad: "✖ "
            case .good: "● "
            case .plain, .quiet: ""
            }
        self.init(
            places: recorded.sequence...recorded.sequence,
            at: recorded.at,
            shape: description.shape,
            tone: description.tone,
            text: SequenceDiagram.text(mark + description.words.words)
        )
    }
}

extension EventLanes.Lane {
    /// The title above the lane.
    var title: String {
        switch self {
        case .payer: "Payer"
        case .app: "App or page"
        case .engine: "Engine"
        case .psp: "PSP"
        case .bank: "Bank or wallet"
        }
    }
}
