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
public struct Problem: Hashable, Sendable {
    /// The component that detected it.
    public var origin: ProblemOrigin
    /// The kind, for problems of the engine and the client.
    public var kind: EngineProblemKind?
    /// The PSP's identifier of the kind of problem.
    public var type: String?
    /// A short text.
    public var title: OutsideText?
    /// The PSP's status, from the problem document or the HTTP response.
    public var status: Int?
    /// An explanation, for operators.
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
