internal import EventLog
internal import Workflow

extension SessionDecider {
    /// R3 and R4: a failed attempt is reported once, acknowledged, and only then does the session go on.
    func problemStep(in state: SessionState, _ snapshot: Snapshot) -> Step? {
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
            return call(operation, sending: .none, in: state)
        }
        guard let problem = snapshot.problem else { return nil }
        let mark = ProblemMark(of: problem, attempt: state.begunAttempt)
        if let reference = mark.reference, state.acknowledged.contains(reference) { return nil }
        guard !state.reportedProblems.contains(where: { $0.matches(mark) }) else { return nil }
        return .record([.problem(failedAttempt(problem, in: state))])
    }

    /// A failed attempt that the PSP was told of in vain, and that keeps it from offering anything: that is no end, since
    /// telling it once more may free the session.
    func stillUnacknowledged(in state: SessionState, _ snapshot: Snapshot) -> Problem? {
        guard let reference = snapshot.problem?.acknowledgement?.href,
            state.acknowledged.contains(reference)
        else { return nil }
        return Problem(
            origin: .engine,
            kind: .requestFailed,
            title: .plain("The PSP still waits to hear that the failed attempt was seen"),
            detail: .plain("session.unacknowledged"),
            isRetryable: true,
            actor: .psp,
            rel: .acknowledgeFailedAttempt
        )
    }

    private func failedAttempt(_ problem: SessionProblem, in state: SessionState) -> Problem {
        let advice = catalogue.advice(
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

    /// The problem of a request that is not tried any more.
    func requestFailed(_ failure: OperationFailed, in state: SessionState) -> Problem {
        let document = failure.document
        let advice = advice(on: document, failure.status, in: state)
        // What was tried again and again may be tried once more, and what nobody answered too, unless the attempt ended
        // with it; what was refused only if the catalogue says so.
        let isUnanswered = failure.status == nil
        // Looking can always be asked for again while somebody may be paying.
        let isLook =
            failure.rel.onlyReads
            && (state.attempt != nil || state.menu != nil || state.checkout?.order != nil)
        let isRetryable: Bool =
            if isLook {
                true
            } else if isUnanswered {
                failure.retryAt != nil || !failure.rel.beginsAttempt
            } else if advice.isKnown, !isStaleView(failure.status, advice, document) {
                advice.isRetryable
            } else {
                failure.retryAt != nil || advice.isRetryable
            }
        return Problem(
            origin: .engine,
            kind: .requestFailed,
            type: document.flatMap { $0.isWellFormed ? $0.type : nil },
            title: document?.title ?? .plain(failure.title),
            status: failure.status ?? document?.status,
            detail: document?.detail ?? .plain(failure.code),
            isRetryable: isRetryable,
            actor: failure.lacksSecret || failure.isForeign || failure.isRefusedHere
                ? .merchant : isUnanswered ? .psp : advice.actor,
            rel: failure.rel
        )
    }

    func unusableAnswers(in state: SessionState) -> Problem {
        Problem(
            origin: .engine,
            kind: .requestFailed,
            title: .plain("The PSP's answers can't be read"),
            detail: .plain("session.unusable-answer"),
            isRetryable: true,
            actor: .psp,
            rel: .session
        )
    }

    func inconsistency(_ title: String) -> Problem {
        Problem(
            origin: .engine,
            kind: .inconsistency,
            title: .plain(title),
            isRetryable: true,
            actor: .psp
        )
    }
}

extension OperationFailed {
    /// The code of an answer that is about another payment.
    static let foreignAnswer = "answer.foreign"

    /// Whether the answer was about another payment.
    var isForeign: Bool { code == Self.foreignAnswer }

    /// The code of a request that this installation's own configuration does not let out.
    static let refusedAddress = "http.refused-url"

    /// Whether this installation's own configuration did not let the request out: the PSP can do nothing about it.
    var isRefusedHere: Bool { code == Self.refusedAddress }

    /// Whether nothing was sent because a sealed value could not be opened.
    fileprivate var lacksSecret: Bool {
        code == "engine.secret-missing" || code == "session.secret-missing"
    }

    /// What failed, in words: where a value could not be opened, which one.
    fileprivate var title: String {
        switch code {
        case "engine.secret-missing": "The address of \(rel.rawValue) can't be opened"
        case Self.foreignAnswer: "The answer to \(rel.rawValue) is about another payment"
        case "session.secret-missing": "A value that \(rel.rawValue) sends can't be opened"
        default: "The request \(rel.rawValue) failed"
        }
    }
}
