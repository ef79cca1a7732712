public import EventLog

/// The failed attempt that a snapshot reports.
///
/// Source: payment session API, ProblemDetails.
public struct SessionProblem: Hashable, Sendable {
    /// The identifier of the kind of problem: the only member that programs may rely upon.
    public var type: String
    /// A short text, for operators.
    public var title: OutsideText?
    /// The status that the PSP attaches.
    public var status: Int?
    /// An explanation, for operators; never shown to the payer.
    public var detail: OutsideText?
    /// The explanation before the PSP changed it.
    public var originalDetail: OutsideText?
    /// The link that acknowledges it, if there is one.
    public var acknowledge: Operation?

    /// A problem with these members.
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

/// Who has to do something about a problem.
public enum Actor: String, Hashable, Sendable, CaseIterable {
    /// The person who pays.
    case payer
    /// The merchant: configuration, contract or programming.
    case merchant
    /// The payment service provider, or the way to it.
    case psp
}

/// Where a problem was noticed.
public enum ProblemOrigin: String, Hashable, Sendable, CaseIterable {
    /// The PSP reported a failed attempt in the session.
    case session
    /// This engine could not go on.
    case engine
    /// The payer's app or browser reported it.
    case client
}

/// What kind of problem the engine itself has.
public enum EngineProblemKind: String, Hashable, Sendable, CaseIterable {
    /// A request failed, after all retries that its rules allow.
    case requestFailed
    /// The PSP's answer lacks something that the step needs.
    case inconsistency
    /// The session is in a state that nothing can continue.
    case endReached
    /// The bank's challenge page could not be loaded.
    case threeDSLoadFailed
    /// The payment can't be given up now.
    case abortNotAllowed
    /// The order was created without addresses that paying needs.
    case configurationFailed
    /// The app to pay with could not be opened.
    case appLaunchFailed
    /// The method can't be used in this session.
    case methodNotAvailable
    /// The payer closed the bank's challenge without finishing it.
    case challengeClosed
    /// The wallet gave no token, and the PSP can't be told.
    case walletFailed
    /// The PSP's page could not be shown, or gave up.
    case menuFailed
    /// The payer did not finish in time.
    case deadlineExceeded
    /// The check-in could not be shown, or gave up.
    case checkInFailed
    /// The order was paid otherwise than it was ordered.
    case orderMismatch
    /// The payer finished on the PSP's page, and the order does not say that it is paid.
    case notConfirmed
}

/// Something went wrong that somebody should know: the content of a `problem` event.
public struct Problem: Hashable, Sendable {
    /// Who noticed it.
    public var origin: ProblemOrigin
    /// For problems of the engine and the client: which.
    public var kind: EngineProblemKind?
    /// The PSP's identifier of the kind of problem.
    public var type: String?
    /// A short text.
    public var title: OutsideText?
    /// The PSP's status: of the problem document, or of the HTTP answer.
    public var status: Int?
    /// An explanation, for operators.
    public var detail: OutsideText?
    /// Whether the same thing may be done again as it is (`retry`).
    public var isRetryable: Bool
    /// Who has to do something.
    public var actor: Actor
    /// What the problem is acknowledged under; nil when the PSP wants no acknowledgement.
    public var reference: Sealed?
    /// The operation that failed, for failed requests.
    public var rel: Rel?
    /// What the PSP's page said when it gave up; nil where it said nothing, or nothing but ``detail``.
    public var failure: PageFailure?

    /// A problem with these members.
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

/// A problem document that came instead of a snapshot (RFC 9457), read as far as it could be.
public struct ProblemDocument: Hashable, Sendable {
    /// The identifier; `about:blank` when there was none.
    public var type: String
    /// A short text.
    public var title: OutsideText?
    /// The status in the body, which may differ from that of the answer.
    public var status: Int?
    /// An explanation.
    public var detail: OutsideText?
    /// The whole body as it came, sealed; also of answers that are no problem document at all.
    public var raw: Sealed?
    /// Whether the body was a problem document.
    public var isWellFormed: Bool

    /// A document with these members.
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
