import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

/// Returns a payment without events; a failed expectation is recorded as an issue of the test.
func payment(limits: SessionLimits = SessionLimits()) -> DeciderSpec {
    DeciderSpec(decider: SessionDecider(catalogue: .sample, limits: limits)) { text, place in
        Issue.record(
            Comment(rawValue: text),
            sourceLocation: SourceLocation(
                fileID: place.fileID,
                filePath: place.filePath,
                line: place.line,
                column: place.column
            )
        )
    }
}

extension DeciderSpec {
    /// The first action of the newest event that requested one.
    var newestAction: ActionID { state.actions.last?.id ?? ActionID(rawValue: "none") }

    /// Returns how often a type of event is in the log.
    func count(_ type: String) -> Int { log.count { $0.event.typeName == type } }

    /// Returns how often a kind of request was sent.
    func count(_ rel: Rel) -> Int { requests.count { $0.sent.rel == rel } }
}

extension ExpectedEvent {
    /// The engine gave up reading: the second response in a row was unusable.
    static let responsesUnreadable = responsesUnreadable(to: .session)

    /// The engine gave up a request: its responses were unusable.
    static func responsesUnreadable(to rel: Rel) -> ExpectedEvent {
        problem(
            .requestFailed,
            code: "session.unusable-answer",
            rel: rel,
            isRetryable: true,
            actor: .psp
        )
    }

    /// The payer did not finish an attempt within its limit.
    static let payerTooLate = problem(
        .deadlineExceeded,
        isRetryable: true,
        actor: .payer
    )

    /// An attempt exceeded its limit while the PSP was waited for.
    static let providerTooLate = problem(
        .deadlineExceeded,
        isRetryable: true,
        actor: .psp
    )
}
