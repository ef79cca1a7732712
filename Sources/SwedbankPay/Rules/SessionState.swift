public import EventLog
public import Workflow

/// Everything that rules know of a session: the fold of its events.
///
/// The first event of a log says which of the two kinds it is of, once; a log that lacks its beginning is taken for a
/// payment session's, so that it is never told with more certainty than it has. The state holds no time but that of events, no
/// plaintext of a secret, and nothing of the process that folded it; so the same log gives the same state everywhere, and
/// ``SessionDecider/effects(owedBy:)`` the same effects.
public enum SessionState: Progressing {
    /// Nothing has happened yet.
    case unopened(Progress)
    /// A payment session of the PSP's.
    case payment(PaymentState)
    /// An order from its creation to its captures; held apart, since it is large.
    indirect case checkout(CheckoutState)

    /// A session that nothing has happened in.
    public init(session: SessionID) { self = .unopened(Progress(session: session)) }

    /// The fold of a whole log.
    public static func folding(
        _ events: some Sequence<RecordedEvent>,
        of session: SessionID
    ) -> SessionState {
        var state = SessionState(session: session)
        for recorded in events { state.apply(recorded.event, at: recorded.at) }
        return state
    }

    /// Takes an event into account.
    ///
    /// Total: it never refuses a fact. Events of unknown type, and facts that fit nothing, move the position only.
    public mutating func apply(_ event: SessionEvent, at instant: Instant) {
        switch self {
        case .unopened(let progress):
            if case .checkout(.checkoutOpened(let opened)) = event {
                let now = max(progress.lastAt, instant)
                self = .checkout(CheckoutState(opened, progress, at: now))
            } else {
                self = .payment(PaymentState(progress))
            }
            apply(event, at: instant)
        case .payment(var payment):
            release()
            payment.apply(event, at: instant)
            self = .payment(payment)
        case .checkout(var checkout):
            release()
            checkout.apply(event, at: instant)
            self = .checkout(checkout)
        }
    }

    /// Lets go of what was taken out, so that it is changed where it is.
    private mutating func release() { self = .unopened(Progress(session: session)) }
}

extension SessionState: WorkflowState {
    /// What either kind of session keeps.
    public package(set) var progress: Progress {
        get {
            switch self {
            case .unopened(let progress): progress
            case .payment(let payment): payment.progress
            case .checkout(let checkout): checkout.progress
            }
        }
        set {
            switch self {
            case .unopened: self = .unopened(newValue)
            case .payment(var payment):
                payment.progress = newValue
                self = .payment(payment)
            case .checkout(var checkout):
                checkout.progress = newValue
                self = .checkout(checkout)
            }
        }
    }

    /// The session.
    public var session: SessionID { progress.session }
    /// The last event's place; 0 before the first.
    public var sequence: Int64 { progress.sequence }
    /// When the last event was recorded.
    public var lastAt: Instant { progress.lastAt }
    /// When the session was opened.
    public var openedAt: Instant { progress.openedAt }
    /// The requests to the PSP: what is under way, what has to be read first, what failed.
    public var requests: SessionRequests { progress.requests }

    /// The session URL; a checkout has none.
    public var address: Sealed? { payment?.opening?.sessionURL }

    /// What is known of a payment session; nil for a checkout.
    public var payment: PaymentState? {
        if case .payment(let payment) = self { payment } else { nil }
    }

    /// What is known of a checkout; nil for a payment session.
    public var checkout: CheckoutState? {
        if case .checkout(let checkout) = self { checkout } else { nil }
    }

    /// What it was opened with, that either kind may have.
    private var details: OpeningDetails? {
        switch self {
        case .unopened: nil
        case .payment(let payment): payment.opening?.details
        case .checkout(let checkout): checkout.opening.details
        }
    }

    /// Whether the session was taken in.
    var isOpen: Bool { details != nil }

    /// The host of the PSP, or of the merchant backend before it.
    package var host: String? { details?.host }

    /// The merchant's own reference; of a sealed one dots and the first digits of its fingerprint.
    public var reference: String? { recordedReference?.shown }

    /// The same, as it is recorded.
    package var recordedReference: OutsideText? { details?.reference }

    /// The host application's own notes.
    public var metadata: [String: OutsideText] { details?.metadata ?? [:] }

    /// A custom scheme that a return may have instead of the payment URL's.
    public var callbackScheme: String? { details?.callbackScheme }

    /// What is known of the money, as of the PSP's newest answer.
    public var money: Money {
        switch self {
        case .unopened(let progress): PaymentState(progress).money
        case .payment(let payment): payment.money
        case .checkout(let checkout): checkout.money
        }
    }

    /// What the payer was offered last; a checkout offers nothing itself.
    public var offers: [MethodOffer] { payment?.offers ?? [] }

    /// How many attempts there were; a checkout has none.
    public var attemptCount: Int { payment?.attemptCount ?? 0 }

    /// Whether the payer took longer than payers may take.
    package var isOverdue: Bool { payment?.isOverdue ?? false }

    /// Whether something that this session began may take money.
    package var isPaying: Bool {
        switch self {
        case .unopened: false
        case .payment(let payment): payment.isPaying
        case .checkout(let checkout): checkout.isPaying
        }
    }
}

/// What the openings of either kind of session say alike.
private struct OpeningDetails {
    var host: String
    var reference: OutsideText?
    var metadata: [String: OutsideText]
    var callbackScheme: String?
}

extension Opened {
    fileprivate var details: OpeningDetails {
        OpeningDetails(
            host: host,
            reference: reference,
            metadata: metadata,
            callbackScheme: callbackScheme
        )
    }
}

extension CheckoutOpened {
    fileprivate var details: OpeningDetails {
        OpeningDetails(
            host: host,
            reference: reference,
            metadata: metadata,
            callbackScheme: callbackScheme
        )
    }
}
