internal import EventLog
internal import SwedbankPay
internal import Workflow

/// A session's log as a sequence diagram: who told whom what, in the order of the log.
///
/// A value of its own, so that every form in which it is written says the same. Each step names the places in the log
/// that it rests on; nothing is drawn that no event says.
package struct SequenceDiagram: Hashable, Sendable {
    /// Who takes part, from the left to the right.
    typealias Lane = EventLanes.Lane

    /// How an arrow is drawn.
    enum Arrow: Hashable, Sendable {
        /// Somebody asks or tells something.
        case call
        /// Somebody answers.
        case answer
        /// It left, and whether it arrived is not known.
        case lost
    }

    /// What a step is drawn as.
    enum Shape: Hashable, Sendable {
        /// An arrow between two lanes.
        case message(from: Lane, to: Lane, Arrow)
        /// A box over some lanes.
        case note(over: ClosedRange<Lane>)
        /// Time in which nothing was recorded.
        case gap
    }

    /// How a step is coloured; its text says the same.
    enum Tone: String, Sendable {
        case plain, quiet, good, bad
    }

    /// One step.
    struct Step: Hashable, Sendable {
        /// The places in the log that it rests on.
        var places: ClosedRange<Int64>
        /// When the last of them was recorded.
        var at: Instant
        var shape: Shape
        var tone = Tone.plain
        var text: String

        /// The place, or the first and the last.
        var number: String {
            places.lowerBound == places.upperBound
                ? "\(places.lowerBound)" : "\(places.lowerBound)–\(places.upperBound)"
        }
    }

    /// How long nothing has to be recorded for the diagram to say so.
    static let gap = Duration.seconds(5)
    /// The most steps that are drawn; a longer log is cut and says so.
    static let stepLimit = 500
    /// The most characters of a step's text.
    static let textLimit = 140

    /// The session, and the merchant's reference where there is one.
    private(set) var title: String
    /// When the log begins.
    private(set) var begin: Instant
    private(set) var steps: [Step] = []

    /// Draws a log.
    package init(_ log: SessionLog) {
        begin = log.events.first?.at ?? Instant(microseconds: 0)
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
            steps.append(Step(recorded))
            last = recorded.at
        }
    }

    /// The lanes that something happens in, and always the engine's.
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

    /// How long after the beginning a step was.
    func offset(of step: Step) -> Duration { step.at - begin }

    /// The last step with an event that brought nothing new, when this one brings nothing new either.
    private func merged(_ recorded: RecordedEvent) -> Step? {
        guard case .fetched(let fetched) = recorded.event, fetched.snapshot == nil,
            var last = steps.last, last.tone == .quiet, last.shape == .reading,
            last.places.upperBound == recorded.sequence - 1
        else { return nil }
        last.places = last.places.lowerBound...recorded.sequence
        last.at = recorded.at
        last.text = "read \(last.places.count) times: nothing new"
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
                text: "\(rest.count) more events are not drawn; 'log' has them"
            )
        )
    }

    /// Words as they are drawn: on one line, bounded, without control characters.
    static func text(_ words: String) -> String {
        Screen.cut(Screen.safe(words.replacing("\n", with: " ")), to: textLimit)
    }
}

extension SequenceDiagram.Step {
    /// The step that an event is drawn as.
    init(_ recorded: RecordedEvent) {
        let description = EventDescription(recorded.event)
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
    /// What stands above the lane in a drawing.
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
