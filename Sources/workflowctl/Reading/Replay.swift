internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A log, folded up to any sequence number.
struct Replay {
    let log: SessionLog
    let decider: SessionDecider
    let disclosure: Disclosure

    /// Returns the view after the event with a sequence number.
    func view(at sequence: SequenceNumber) -> SessionView {
        SessionView(log.state(at: sequence), by: decider, disclosing: disclosure)
    }

    /// Shows the session as it was.
    func printView(at sequence: SequenceNumber, _ invocation: Invocation, asJSON: Bool) {
        let view = view(at: sequence)
        if asJSON {
            invocation.print(view.json)
        } else {
            invocation.output.write(
                ViewText(view, style: invocation.output.style).text
            )
            let style = invocation.output.style
            for line in PendingWork(log.state(at: sequence), by: decider).lines {
                invocation.print(style.paint(Screen.padded("pending", to: 11), .dim) + line)
            }
        }
    }

    /// Prints what changed between two sequence numbers.
    func printDifference(
        _ range: ClosedRange<SequenceNumber>,
        _ invocation: Invocation,
        asJSON: Bool
    ) {
        let changes = ViewDifference(
            view(at: range.lowerBound).json,
            view(at: range.upperBound).json
        )
        if asJSON {
            invocation.print([
                "session": .string("\(log.session)"),
                "from": .sequence(range.lowerBound),
                "to": .sequence(range.upperBound), "changes": changes.json,
            ])
        } else {
            changes.lines(invocation.output.style).forEach { invocation.print($0) }
        }
    }

    /// Shows each event and what it changed in the view.
    func printSteps(upTo end: SequenceNumber, _ invocation: Invocation, asJSON: Bool) {
        var state = SessionState(session: log.session)
        var before = SessionView(state, by: decider, disclosing: disclosure).json
        let begin = log.events.first?.at ?? Instant(microseconds: 0)
        let style = invocation.output.style
        for recorded in log.events.prefix(end.count) {
            state.apply(recorded.event, at: recorded.at)
            let view = SessionView(state, by: decider, disclosing: disclosure).json
            if asJSON {
                let step = JSONValue.object([
                    .init("seq", .sequence(recorded.sequence)),
                    .init("at", .string("\(recorded.at)")),
                    .init("type", .string(EventCodec.typeName(of: recorded.event))),
                    .init("view", view),
                    .init(
                        "owed",
                        .array(PendingWork(state, by: decider).lines.map { .string($0) })
                    ),
                ])
                invocation.print(line: step)
            } else {
                let line = EventWords(recorded.event, currency: log.currency).line(
                    at: recorded.at,
                    since: begin,
                    in: style
                )
                let number = Screen.padded("\(recorded.sequence)", to: 4)
                invocation.print(style.paint(number, .dim) + line)
                for change in ViewDifference(before, view).lines(style) {
                    invocation.print("               " + change)
                }
            }
            before = view
        }
    }
}
