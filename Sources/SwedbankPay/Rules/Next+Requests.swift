internal import EventLog
internal import Workflow

/// Requests and their retries, for both kinds of session.
extension KindRules {
    /// The next request that changes something.
    func change(
        _ rel: Rel,
        _ method: String?,
        at href: Sealed,
        _ body: OperationBody,
        in state: State,
        notBefore: Instant?
    ) -> OperationRequest {
        let requests = state.requests
        return OperationRequest(
            id: requests.nextChange,
            rel: rel,
            method: method,
            href: href,
            body: body,
            notBefore: notBefore,
            attempt: state.attemptNumber,
            tryNumber: (requests.failures(of: rel)?.count ?? 0) + 1,
            isPoll: false
        )
    }

    /// The read that has to be made, or the problem that it can't succeed.
    func retriedReading(
        _ rel: Rel,
        from earliest: Instant?,
        in state: State,
        _ request: (Instant?) -> Step
    ) -> Step {
        let next = state.requests.reading(
            from: earliest,
            pause: limits.pollInterval,
            at: state.lastAt
        ) { bound(of: $0.last, in: state) }
        switch next {
        case .due(let time): return request(time)
        case .exhausted(let failures):
            return .record([.problem(requestFailed(failures.last, in: state))])
        case .unusable: return .record([.problem(unusableResponses(to: rel, in: state))])
        }
    }

    /// The next request that only reads.
    func reading(
        _ rel: Rel,
        _ method: String? = nil,
        at href: Sealed,
        _ body: OperationBody = .none,
        in state: State,
        notBefore: Instant?,
        isPoll: Bool
    ) -> OperationRequest {
        OperationRequest(
            id: state.requests.nextReading,
            rel: rel,
            method: method ?? "GET",
            href: href,
            body: body,
            notBefore: notBefore,
            attempt: state.attemptNumber,
            tryNumber: state.requests.nextReadTry,
            isPoll: isPoll
        )
    }

    /// When to read again after reads were given up.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - usual: When to read if no read has failed since then.
    /// - Returns: The time; `nil` when the failure does not end by itself.
    func lateReading(of state: State, or usual: Instant) -> Instant? {
        guard let failures = state.requests.readFailures else { return usual }
        return failures.lateReading(limits.longestPollInterval...limits.orderBackstop)
    }

    /// Whether a failing request has used up its tries or its time.
    func isExhausted(
        _ failures: SessionRequests.FailedTries,
        in state: State
    ) -> Bool {
        failures.isExhausted(within: bound(of: failures.last, in: state))
    }

    /// The maximum number of tries of a request that failed in this way, and the period in which
    /// they are made.
    ///
    /// - Note: Source: payment session API, time-outs: card requests have a longer budget.
    private func bound(of failure: OperationFailed, in state: State) -> RetryBound {
        let cap = policy.cap(after: failure, with: state.payingInstrument)
        let tries = min(limits.tries, cap.tries ?? limits.tries)
        if let time = cap.time { return RetryBound(tries: tries, time: time) }
        let budget =
            asksIssuer(failure.rel, in: state) ? limits.cardRetryBudget : limits.retryBudget
        return RetryBound(tries: tries, time: budget, minimumTries: 3)
    }

    /// Whether the PSP contacts the card's issuer before it responds.
    func asksIssuer(_ rel: Rel, in state: State) -> Bool {
        switch rel {
        case .createAuthentication, .completeAuthentication, .attemptPayload: true
        case .startPaymentAttempt: state.payingInstrument == .card
        default: false
        }
    }
}
