internal import EventLog
internal import Workflow

/// The policy of both kinds of session: the problem catalogue and the limits.
struct Policy: Sendable {
    var catalogue: ProblemCatalogue
    var limits: SessionLimits

    /// The advice on a problem document received with a status.
    func advice(
        on document: ProblemDocument?,
        _ status: Int?,
        with instrument: Instrument?
    ) -> ProblemAdvice {
        catalogue.advice(
            type: document.flatMap { $0.isWellFormed ? $0.type : nil },
            status: status,
            instrument: instrument
        )
    }

    /// Whether a refusal means only that our view of the session is out of date.
    ///
    /// A 409 means that, unless the catalogue knows its type to mean something else.
    ///
    /// - Note: Source: payment session API, errors other than 5xx.
    func isStaleView(
        _ status: Int?,
        _ advice: ProblemAdvice,
        _ document: ProblemDocument?
    ) -> Bool {
        status == 409 && (!advice.isKnown || document?.isOperationNotAllowed == true)
    }

    /// The minimum delay before a request that was refused in this way is repeated.
    func retryDelay(
        after status: Int,
        _ document: ProblemDocument,
        with instrument: Instrument?
    ) -> Duration {
        let advice = advice(on: document, status, with: instrument)
        guard advice.isRetryable, !isStaleView(status, advice, document) else { return .zero }
        return advice.delay
    }

    /// The maximum number of tries that the catalogue allows for a request that failed in this way,
    /// or the period in which they are made.
    func cap(after failure: OperationFailed, with instrument: Instrument?) -> RetryCap {
        guard let status = failure.status else { return RetryCap() }
        let advice = advice(on: failure.document, status, with: instrument)
        guard !isStaleView(status, advice, failure.document) else { return RetryCap() }
        return advice.effectiveCap
    }
}

extension ProblemDocument {
    /// Whether the problem means that the session does not allow the operation now.
    var isOperationNotAllowed: Bool {
        type.lowercased().hasSuffix("paymentsessions/operationnotallowed")
    }
}
