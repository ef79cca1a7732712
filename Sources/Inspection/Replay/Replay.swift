package import EventLog
package import SwedbankPay

/// A log, folded up to any sequence number.
package struct Replay {
    /// The log.
    package let log: SessionLog
    /// The rules, which determine the phase and the pending effects.
    package let decider: SessionDecider
    private let disclosure: Disclosure

    /// Creates the replay of a log by some rules.
    package init(log: SessionLog, decider: SessionDecider, disclosure: Disclosure) {
        (self.log, self.decider, self.disclosure) = (log, decider, disclosure)
    }

    /// Returns the view after the event with a sequence number.
    package func view(at sequence: SequenceNumber) -> SessionView {
        SessionView(log.state(at: sequence), by: decider, disclosing: disclosure)
    }

    /// Returns the session as it was after the event with a sequence number.
    package func result(at sequence: SequenceNumber) -> ReplayResult {
        ReplayResult(view: view(at: sequence), state: log.state(at: sequence), decider: decider)
    }

    /// Returns what changed between two sequence numbers.
    package func difference(_ range: ClosedRange<SequenceNumber>) -> ReplayDifference {
        ReplayDifference(
            session: log.session,
            range: range,
            changes: ViewDifference(
                view(at: range.lowerBound).json,
                view(at: range.upperBound).json
            )
        )
    }

    /// Passes each event of a range, with what it changed, to `body`.
    package func forEachStep(
        from first: SequenceNumber = 1,
        upTo end: SequenceNumber,
        _ body: (ReplayStep) -> Void
    ) {
        var state = log.state(at: first - 1)
        var before = SessionView(state, by: decider, disclosing: disclosure).json
        let begin = log.events.first?.at ?? Instant(microseconds: 0)
        for recorded in log.events.prefix(end.count).dropFirst(first.count - 1) {
            state.apply(recorded.event, at: recorded.at)
            let view = SessionView(state, by: decider, disclosing: disclosure).json
            body(
                ReplayStep(
                    recorded: recorded,
                    begin: begin,
                    currency: log.currency,
                    before: before,
                    view: view,
                    state: state,
                    decider: decider
                )
            )
            before = view
        }
    }
}

/// A session as it was after one of its events.
package struct ReplayResult: Explanation {
    fileprivate let view: SessionView
    fileprivate let state: SessionState
    fileprivate let decider: SessionDecider

    /// The view as one JSON document.
    package var json: JSONValue { view.json }

    /// The view and the pending effects.
    package func text(for form: TextForm) -> StyledText {
        let pending = PendingWork(state, by: decider).lines.map {
            form.style.paint(Screen.padded("pending", to: 11), .dim) + $0
        }
        return ViewText(view, style: form.style).text + pending.lines
    }
}

/// What changed in a session's view between two of its events.
package struct ReplayDifference: Explanation {
    fileprivate let session: SessionID
    fileprivate let range: ClosedRange<SequenceNumber>
    fileprivate let changes: ViewDifference

    /// The changes as one JSON document.
    package var json: JSONValue {
        [
            "session": .string("\(session)"),
            "from": .sequence(range.lowerBound),
            "to": .sequence(range.upperBound), "changes": changes.json,
        ]
    }

    /// The changes, one per line.
    package func text(for form: TextForm) -> StyledText { changes.lines(form.style).lines }
}

/// An event of a log, and what it changed in the session's view.
package struct ReplayStep: Explanation {
    fileprivate let recorded: RecordedEvent
    /// The time of the first event.
    fileprivate let begin: Instant
    fileprivate let currency: String?
    /// The view before the event.
    fileprivate let before: JSONValue
    /// The view after the event.
    fileprivate let view: JSONValue
    fileprivate let state: SessionState
    fileprivate let decider: SessionDecider

    /// The event, the view after it, and the pending effects as one JSON document.
    package var json: JSONValue {
        .object([
            .init("seq", .sequence(recorded.sequence)),
            .init("at", .string("\(recorded.at)")),
            .init("type", .string(EventCodec.typeName(of: recorded.event))),
            .init("view", view),
            .init("owed", .array(PendingWork(state, by: decider).lines.map { .string($0) })),
        ])
    }

    /// The line of the event, and the changes, one per line.
    package func text(for form: TextForm) -> StyledText {
        let style = form.style
        let line = EventWords(recorded.event, currency: currency).line(
            at: recorded.at,
            since: begin,
            in: style
        )
        let number = Screen.padded("\(recorded.sequence)", to: 4)
        let changes = ViewDifference(before, view).lines(style).map { "               " + $0 }
        return ([style.paint(number, .dim) + line] + changes).lines
    }
}
