internal import EventLog
internal import Workflow

/// Problems that both kinds of session may have.
extension KindRules {
    /// Requests an action of the client, as long as the maximum number has not been reached.
    func ask(_ request: SessionEvent, in state: State) -> Step {
        guard state.actions.count < limits.actions else {
            return .record([.problem(inconsistency("The PSP keeps requesting client actions"))])
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
            type: document.flatMap { $0.isWellFormed ? $0.type : nil },
            title: document?.title ?? .plain(failure.title),
            status: failure.status ?? document?.status,
            detail: document?.detail ?? .plain(failure.code),
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
            title: .plain("The PSP's responses can't be read"),
            detail: .plain("session.unusable-answer"),
            isRetryable: true,
            actor: .psp,
            rel: rel
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

    func methodNotAvailable(_ title: String) -> Problem {
        Problem(
            origin: .engine,
            kind: .methodNotAvailable,
            title: .plain(title),
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

    /// A description of the failure, with the value's name if one could not be opened.
    fileprivate var title: String {
        switch code {
        case "engine.secret-missing": "The address of \(rel.rawValue) can't be opened"
        case Contradiction.payment.rawValue:
            "The response to \(rel.rawValue) is about another payment"
        case Contradiction.currency.rawValue:
            "The response to \(rel.rawValue) names another currency than this payment's"
        case "session.secret-missing": "A value that \(rel.rawValue) sends can't be opened"
        default: "The request \(rel.rawValue) failed"
        }
    }
}

extension Problem {
    /// The payment can't be aborted now.
    ///
    /// - Parameters:
    ///   - rel: The request that aborts it, whether it was refused or is not offered.
    ///   - title: What happened, unless the PSP's problem document says so.
    ///   - document: The PSP's problem document.
    ///   - status: The status of the PSP's response; `nil` when it refused nothing.
    /// - Returns: The problem.
    static func abortNotAllowed(
        _ rel: Rel,
        title: String,
        document: ProblemDocument? = nil,
        status: Int? = nil
    ) -> Problem {
        Problem(
            origin: .engine,
            kind: .abortNotAllowed,
            type: document?.type,
            title: document?.title ?? .plain(title),
            status: status,
            detail: document?.detail,
            isRetryable: false,
            actor: .payer,
            rel: rel
        )
    }
}
