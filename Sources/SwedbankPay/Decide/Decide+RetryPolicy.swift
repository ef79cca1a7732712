internal import Workflow

/// What the problem catalogue says about requests that were refused.
extension SessionDecider {
    /// The advice on a problem document that came with a status.
    func advice(
        on document: ProblemDocument?,
        _ status: Int?,
        in state: SessionState
    ) -> ProblemAdvice {
        catalogue.advice(
            type: document.flatMap { $0.isWellFormed ? $0.type : nil },
            status: status,
            instrument: state.attempt?.choice.instrument
        )
    }

    /// Whether a refusal says no more than that our view of the session is out of date.
    ///
    /// A 409 says so, unless its type is one of those that the catalogue knows to mean something else.
    ///
    /// - Note: Source: payment session API, errors other than 5xx.
    func isStaleView(
        _ status: Int?,
        _ advice: ProblemAdvice,
        _ document: ProblemDocument?
    ) -> Bool {
        status == 409 && (!advice.isKnown || document?.isOperationNotAllowed == true)
    }

    /// The least wait that the catalogue wants before the request is repeated; zero when it says nothing.
    public func retryDelay(
        after outcome: ProviderAnswer.Outcome,
        in state: SessionState
    ) -> Duration {
        guard case .refused(let status, let document, _) = outcome else { return .zero }
        let advice = advice(on: document, status, in: state)
        guard advice.isRetryable, !isStaleView(status, advice, document) else { return .zero }
        return advice.delay
    }

    /// How often, or how long, the catalogue lets a request be sent that failed in this way.
    func cap(after failure: OperationFailed, in state: SessionState) -> RetryCap {
        guard let status = failure.status else { return RetryCap() }
        let advice = advice(on: failure.document, status, in: state)
        guard !isStaleView(status, advice, failure.document) else { return RetryCap() }
        return advice.effectiveCap
    }

    /// Whether the session has to be read before a request is repeated that certainly had no effect.
    ///
    /// Where the effect is uncertain the session is read anyway, whatever the catalogue says.
    func asksFirst(
        after failures: SessionRequests.FailedTries,
        in state: SessionState
    ) -> Bool {
        let failure = failures.last
        guard failure.mayBeRepeatedAsItIs, let status = failure.status,
            advice(on: failure.document, status, in: state).asksFirst
        else { return false }
        return !state.requests.wasRead(after: failures.lastAt)
    }
}

extension ProblemDocument {
    /// Whether it says that the session does not allow the operation now.
    var isOperationNotAllowed: Bool {
        type.lowercased().hasSuffix("paymentsessions/operationnotallowed")
    }
}
