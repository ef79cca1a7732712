public import EventLog

/// The failed attempt that a snapshot reports.
///
/// - Note: Source: payment session API, ProblemDetails.
public struct SessionProblem: Hashable, Sendable {
    /// The identifier of the kind of problem: the only member that programs may rely on.
    public var type: String
    /// A short text, for operators.
    public var title: OutsideText?
    /// The status that the PSP includes.
    public var status: Int?
    /// An explanation, for operators; never shown to the payer.
    public var detail: OutsideText?
    /// The explanation before the PSP changed it.
    public var originalDetail: OutsideText?
    /// The link that acknowledges it, if there is one.
    public var acknowledge: Operation?

    /// Creates a problem with these members.
    public init(
        type: String,
        title: OutsideText? = nil,
        status: Int? = nil,
        detail: OutsideText? = nil,
        originalDetail: OutsideText? = nil,
        acknowledge: Operation? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.originalDetail = originalDetail
        self.acknowledge = acknowledge
    }
}

/// The party that has to act on a problem.
public enum Actor: String, Hashable, Sendable, CaseIterable {
    /// The person who pays.
    case payer
    /// The merchant: configuration, contract or programming.
    case merchant
    /// The payment service provider, or the connection to it.
    case psp
}

/// The component that detected a problem.
public enum ProblemOrigin: String, Hashable, Sendable, CaseIterable {
    /// The PSP reported a failed attempt in the session.
    case session
    /// This engine could not continue.
    case engine
    /// The payer's app or browser reported it.
    case client
}

/// The kinds of problem that the engine itself can have.
public enum EngineProblemKind: String, Hashable, Sendable, CaseIterable {
    /// A request failed, after all retries that its rules allow.
    case requestFailed
    /// The PSP's response lacks something that the step needs.
    case inconsistency
    /// The session cannot be continued.
    case endReached
    /// The issuer's challenge page could not be loaded.
    case threeDSLoadFailed
    /// The payment can't be aborted now.
    case abortNotAllowed
    /// The order was created without addresses that the payment needs.
    case configurationFailed
    /// The app to pay with could not be opened.
    case appLaunchFailed
    /// The method can't be used in this session.
    case methodNotAvailable
    /// The payer closed the issuer's challenge without completing it.
    case challengeClosed
    /// The wallet returned no token, and this can't be reported to the PSP.
    case walletFailed
    /// The PSP's page could not be shown, or failed.
    case menuFailed
    /// The payer did not finish in time.
    case deadlineExceeded
    /// The check-in could not be shown, or failed.
    case checkInFailed
    /// The order was paid differently from what was ordered.
    case orderMismatch
    /// The payer finished on the PSP's page, but the order is not paid according to the PSP.
    case notConfirmed
    /// The PSP reported a payment and now says otherwise.
    case paymentWithdrawn
}

/// A problem in a session: the data of a `problem` event.
///
/// Only the PSP's and the client's words are recorded; what the engine has to say follows from the
/// kind, the code, the subject and the request.
public struct Problem: Hashable, Sendable {
    /// The component that detected it.
    public var origin: ProblemOrigin
    /// The kind, for problems of the engine and the client.
    public var kind: EngineProblemKind?
    /// What exactly happened, for a kind with several causes: the code of the request's failure,
    /// such as `http.timeout`, or a ``ProblemCause``.
    public var code: String?
    /// What the ``code`` is about, such as the member that is missing.
    public var subject: String?
    /// The PSP's identifier of the kind of problem.
    public var type: String?
    /// The PSP's short text.
    public var title: OutsideText?
    /// The PSP's status, from the problem document or the HTTP response.
    public var status: Int?
    /// The PSP's or the client's explanation, for operators.
    public var detail: OutsideText?
    /// Whether the same step may be retried unchanged (`retry`).
    public var isRetryable: Bool
    /// The party that has to act.
    public var actor: Actor
    /// The reference under which the problem is acknowledged; `nil` when the PSP requires no
    /// acknowledgement.
    public var reference: Sealed?
    /// The operation that failed, for failed requests.
    public var rel: Rel?
    /// The failure that the PSP's page reported; `nil` when it reported none, or only ``detail``.
    public var failure: PageFailure?

    /// Creates a problem with these members.
    public init(
        origin: ProblemOrigin,
        kind: EngineProblemKind? = nil,
        code: String? = nil,
        subject: String? = nil,
        type: String? = nil,
        title: OutsideText? = nil,
        status: Int? = nil,
        detail: OutsideText? = nil,
        isRetryable: Bool,
        actor: Actor,
        reference: Sealed? = nil,
        rel: Rel? = nil,
        failure: PageFailure? = nil
    ) {
        self.origin = origin
        self.kind = kind
        self.code = code
        self.subject = subject
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.isRetryable = isRetryable
        self.actor = actor
        self.reference = reference
        self.rel = rel
        self.failure = failure
    }
}

extension Problem {
    /// Whether the engine gave up on reading.
    var isOfReading: Bool { kind == .requestFailed && rel?.onlyReads == true }

    /// Whether the request was not sent, because only reads continue by themselves.
    var isHeldBack: Bool { code == ProblemCause.heldBack.rawValue }
}

/// The causes of problems that the rules find themselves, by kind.
package enum ProblemCause: String, CaseIterable, Sendable {
    // MARK: Failed requests

    /// The PSP's responses can't be read.
    case unusableResponses = "session.unusable-answer"
    /// The PSP still expects an acknowledgement of a failed attempt.
    case unacknowledged = "session.unacknowledged"
    /// A charge got no response, and its reference is in use: it may have succeeded.
    case chargedBefore = "order.charged-before"
    /// The request was not sent, because only reads continue by themselves after an outage.
    case heldBack = "session.held-back"

    // MARK: Inconsistencies

    /// The PSP keeps requesting client actions.
    case tooManyActions = "actions"
    /// A request, the subject, is wanted again and again.
    case requestedAgain = "requested-again"
    /// An operation, the subject, has no address.
    case noAddress = "no-address"
    /// An operation, the subject, has an unknown HTTP method.
    case unknownMethod = "unknown-method"
    /// The authentication has no address at which the issuer reports.
    case noNotificationURL = "no-notification-url"
    /// The issuer's challenge has no address.
    case noChallengeAddress = "no-challenge-address"
    /// The address of the payer's app can't be opened.
    case closedAppAddress = "closed-app-address"

    // MARK: Methods

    /// The session offers no payment page.
    case noPage = "no-page"
    /// The wanted methods, the subject, can't be shown in this session.
    case notShown = "not-shown"
    /// The method chosen in advance is not offered.
    case notOffered = "not-offered"
    /// A method, the subject, can't be used in this session.
    case notUsable = "not-usable"
    /// A method, the subject, offers no operation that starts an attempt.
    case noStart = "no-start"
    /// The order's method can't be changed.
    case fixedMethod = "fixed-method"

    // MARK: Aborts

    /// The PSP offers no abort now.
    case noAbort = "no-abort"
    /// The PSP accepted the abort but did not end the payment.
    case abortWithoutEnd = "abort-without-end"
    /// The charge may have been made.
    case mayBeCharged = "may-be-charged"

    // MARK: Configuration

    /// The payment order lacks a URL, the subject.
    case missingURL = "missing-url"
    /// The merchant backend offers no link of a kind, the subject.
    case missingLink = "missing-link"

    // MARK: Ends

    /// The session redirects the payer to an unknown address.
    case unknownRedirect = "unknown-redirect"
    /// The session offers no operation that continues the payment.
    case noOperation = "no-operation"
    /// The order was paid after the session had ended unpaid.
    case paidAfterTheEnd = "paid-after-the-end"
    /// The payer closed the wallet.
    case walletClosed = "wallet-closed"
}

/// A problem document received instead of a snapshot (RFC 9457), as far as it could be read.
public struct ProblemDocument: Hashable, Sendable {
    /// The identifier; `about:blank` when there was none.
    public var type: String
    /// A short text.
    public var title: OutsideText?
    /// The status in the body, which may differ from that of the response.
    public var status: Int?
    /// An explanation.
    public var detail: OutsideText?
    /// The whole body as received, sealed; also for responses that are not problem documents.
    public var raw: Sealed?
    /// Whether the body was a problem document.
    public var isWellFormed: Bool

    /// Creates a document with these members.
    public init(
        type: String,
        title: OutsideText? = nil,
        status: Int? = nil,
        detail: OutsideText? = nil,
        raw: Sealed? = nil,
        isWellFormed: Bool = true
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.raw = raw
        self.isWellFormed = isWellFormed
    }
}
