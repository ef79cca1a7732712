internal import EventLog
internal import Workflow

/// Problems that both kinds of session may have.
extension KindRules {
    /// Requests an action of the client, as long as the maximum number has not been reached.
    func ask(_ request: SessionEvent, in state: State) -> Step {
        guard state.actions.count < limits.actions else {
            return .record([.problem(inconsistency(.tooManyActions))])
        }
        return .record([request])
    }

    /// The problem of a request that is not retried any more.
    func requestFailed(_ failure: OperationFailed, in state: State) -> Problem {
        let document = failure.document
        let advice = advice(on: document, failure.status, in: state)
        // A repeatedly tried request may be tried once more, and so may a request without a
        // response, unless the attempt ended with it; a refused request only if the catalogue
        // permits it.
        let lacksResponse = failure.status == nil
        // A read can always be requested again while someone may be paying.
        let isRead =
            failure.rel.onlyReads
            && state.isWatched
        let isRetryable: Bool =
            if isRead {
                true
            } else if lacksResponse {
                failure.retryAt != nil || !failure.rel.beginsAttempt
            } else if advice.isKnown, !policy.isStaleView(failure.status, advice, document) {
                advice.isRetryable
            } else {
                failure.retryAt != nil || advice.isRetryable
            }
        return Problem(
            origin: .engine,
            kind: .requestFailed,
            code: failure.code,
            type: document.flatMap { $0.isWellFormed ? $0.type : nil },
            title: document?.title,
            status: failure.status ?? document?.status,
            detail: document?.detail,
            isRetryable: isRetryable,
            actor: failure.lacksSecret || failure.isForeign || failure.isRefusedHere
                ? .merchant : lacksResponse ? .psp : advice.actor,
            rel: failure.rel
        )
    }

    func unusableResponses(to rel: Rel, in state: State) -> Problem {
        Problem(
            origin: .engine,
            kind: .requestFailed,
            code: ProblemCause.unusableResponses.rawValue,
            isRetryable: true,
            actor: .psp,
            rel: rel
        )
    }

    func inconsistency(_ cause: ProblemCause, _ subject: String? = nil) -> Problem {
        Problem(
            origin: .engine,
            kind: .inconsistency,
            code: cause.rawValue,
            subject: subject,
            isRetryable: true,
            actor: .psp
        )
    }

    func methodNotAvailable(_ cause: ProblemCause, _ subject: String? = nil) -> Problem {
        Problem(
            origin: .engine,
            kind: .methodNotAvailable,
            code: cause.rawValue,
            subject: subject,
            isRetryable: false,
            actor: .payer
        )
    }
}

extension OperationFailed {
    /// Whether the response concerned another payment.
    var isForeign: Bool { Contradiction(rawValue: code) != nil }

    /// The code of a request for which this installation's source of access tokens or headers gave
    /// none.
    package static let accessUnavailable = "order.access-unavailable"

    /// The codes of requests that this installation did not send: its configuration blocked the
    /// address, it could not obtain the access token or headers, or its certificate authorities or
    /// pinned keys do not confirm the host.
    static let refusalsHere: Set<String> = [
        "http.refused-url", "http.tls-untrusted", "http.tls-pin", "http.tls-authorities",
        accessUnavailable,
    ]

    /// Whether this installation itself did not send the request, which the PSP cannot change.
    var isRefusedHere: Bool { Self.refusalsHere.contains(code) }

    /// Whether no request was sent because a sealed value could not be opened.
    fileprivate var lacksSecret: Bool {
        code == "engine.secret-missing" || code == "session.secret-missing"
    }
}

extension Problem {
    /// The payment can't be aborted now.
    ///
    /// - Parameters:
    ///   - rel: The request that aborts it.
    ///   - cause: Why it was not sent, or had no effect.
    /// - Returns: The problem.
    static func abortNotAllowed(_ rel: Rel, _ cause: ProblemCause) -> Problem {
        Problem(
            origin: .engine,
            kind: .abortNotAllowed,
            code: cause.rawValue,
            isRetryable: false,
            actor: .payer,
            rel: rel
        )
    }

    /// The PSP refused to abort the payment.
    ///
    /// - Parameters:
    ///   - rel: The request that was refused.
    ///   - status: The status of the PSP's response.
    ///   - document: The PSP's problem document.
    /// - Returns: The problem.
    static func abortRefused(_ rel: Rel, _ status: Int, _ document: ProblemDocument?) -> Problem {
        Problem(
            origin: .engine,
            kind: .abortNotAllowed,
            type: document?.type,
            title: document?.title,
            status: status,
            detail: document?.detail,
            isRetryable: false,
            actor: .payer,
            rel: rel
        )
    }
}
