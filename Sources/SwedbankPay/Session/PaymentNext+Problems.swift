internal import EventLog
internal import Workflow

extension PaymentRules {
    /// R3 and R4: a failed attempt is reported once and acknowledged, and only then does the
    /// session continue.
    func problemStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        if let problem = state.acknowledging, let operation = problem.acknowledgement,
            let reference = operation.href
        {
            if let failures = state.requests.failures(of: .acknowledgeFailedAttempt),
                failures.count >= limits.acknowledgementTries || failures.last.retryAt == nil
            {
                return .record([
                    .problemAcknowledged(
                        ProblemAcknowledged(reference: reference, accepted: false)
                    )
                ])
            }
            return request(operation, sending: .none, in: state)
        }
        guard let problem = snapshot.problem else { return nil }
        let mark = ProblemMark(of: problem, attempt: state.begunAttempt)
        if let reference = mark.reference, state.acknowledged.contains(reference) { return nil }
        guard !state.reportedProblems.contains(where: { $0.matches(mark) }) else { return nil }
        return .record([.problem(failedAttempt(problem, in: state))])
    }

    /// The problem of a failed attempt whose acknowledgement failed and which blocks the PSP's
    /// offers.
    ///
    /// This is not the end, because another acknowledgement may free the session.
    func stillUnacknowledged(in state: PaymentState, _ snapshot: Snapshot) -> Problem? {
        guard let reference = snapshot.problem?.acknowledgement?.href,
            state.acknowledged.contains(reference)
        else { return nil }
        return Problem(
            origin: .engine,
            kind: .requestFailed,
            code: ProblemCause.unacknowledged.rawValue,
            isRetryable: true,
            actor: .psp,
            rel: .acknowledgeFailedAttempt
        )
    }

    private func failedAttempt(_ problem: SessionProblem, in state: PaymentState) -> Problem {
        let advice = policy.catalogue.advice(
            type: problem.type,
            status: problem.status,
            instrument: state.lastChoice?.instrument
        )
        return Problem(
            origin: .session,
            type: problem.type,
            title: problem.title,
            status: problem.status,
            detail: problem.detail,
            isRetryable: advice.isRetryable,
            actor: advice.actor,
            reference: problem.acknowledgement?.href
        )
    }

}
