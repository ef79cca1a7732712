public import EventLog
public import Workflow

/// Everything that the rules know about a session: the fold of its events.
///
/// The first event of a log determines the session's kind, once; a log that lacks its beginning is
/// treated as that of a payment session, so that it is never presented with more certainty than it
/// has. The state contains no time other than that of events, no plaintext of a secret, and nothing
/// of the process that folded it. The same log therefore gives the same state everywhere, and
/// ``SessionDecider/pendingEffects(of:)`` the same effects.
public enum SessionState: Progressing {
    /// No event has been recorded yet.
    case unopened(Progress)
    /// A payment session at the PSP.
    case payment(PaymentState)
    /// An order from its creation to its captures.
    case checkout(CheckoutState)

    /// Creates the state of a session without events.
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

    /// Folds an event.
    ///
    /// The fold is total: it never refuses a fact. Events of unknown type, and facts that fit
    /// nothing, only advance the sequence number.
    public mutating func apply(_ event: SessionEvent, at instant: Instant) {
        // Moved out, since a state that is still referred to would be copied for the change.
        switch consume self {
        case .unopened(let progress):
            precondition(progress.sequence == 0, "\(progress.session): of no kind after an event")
            if case .checkout(.checkoutOpened(let opened)) = event {
                let now = max(progress.lastAt, instant)
                self = .checkout(CheckoutState(opened, progress, at: now))
            } else {
                self = .payment(PaymentState(progress))
            }
            apply(event, at: instant)
        case .payment(var payment):
            payment.apply(event, at: instant)
            self = .payment(payment)
        case .checkout(var checkout):
            checkout.apply(event, at: instant)
            self = .checkout(checkout)
        }
    }
}

extension SessionState: WorkflowState {
    /// The state that both kinds of session share.
    public package(set) var progress: Progress {
        _read {
            switch self {
            case .unopened(let progress): yield progress
            case .payment(let payment): yield payment.progress
            case .checkout(let checkout): yield checkout.progress
            }
        }
        set {
            switch consume self {
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

    /// Reads a member in place: a progress is large and is not copied for one of its members.
    func reading<Value>(_ member: (Progress) -> Value) -> Value {
        switch self {
        case .unopened(let progress): member(progress)
        case .payment(let payment): member(payment.progress)
        case .checkout(let checkout): member(checkout.progress)
        }
    }

    /// The session.
    public var session: SessionID { reading { $0.session } }
    /// The sequence number of the last event; 0 before the first.
    public var sequence: SequenceNumber { reading { $0.sequence } }
    /// When the last event was recorded.
    public var lastAt: Instant { reading { $0.lastAt } }
    /// When the session was opened.
    public var openedAt: Instant { reading { $0.openedAt } }
    /// The requests to the PSP: what is in flight, what has to be read first, what failed.
    public var requests: SessionRequests { reading { $0.requests } }
    /// How the session ended; `nil` while it has not.
    public var outcome: Outcome? { reading { $0.outcome } }
    /// Whether the session has ended.
    public var isOver: Bool { outcome != nil }
    /// What a person found out about unknown money, until another person confirms it.
    package var proposedResolution: OperatorActed? { reading { $0.book.proposal } }
    /// The client actions, newest last.
    public var actions: [ClientAction] { reading { $0.actions } }
    /// The problem that the payer has not moved on from.
    public var problem: CurrentProblem? { reading { $0.problem } }
    /// The request that changes something and whose outcome is not recorded yet.
    public var running: RunningOperation? { reading { $0.running } }

    /// The session URL; `nil` for a checkout.
    public var address: Sealed? {
        if case .payment(let payment) = self { payment.opening?.sessionURL } else { nil }
    }

    /// The session's identity: ``SessionAddress/identity(of:)``.
    public static func identity(ofAddress address: String) -> String {
        SessionAddress.identity(of: address)
    }

    /// The state of a payment session; `nil` for a checkout.
    public var payment: PaymentState? {
        if case .payment(let payment) = self { payment } else { nil }
    }

    /// The instrument of the newest attempt; `nil` for a checkout.
    var lastInstrument: Instrument? {
        if case .payment(let payment) = self { payment.lastChoice?.instrument } else { nil }
    }

    /// The state of a checkout; `nil` for a payment session.
    public var checkout: CheckoutState? {
        if case .checkout(let checkout) = self { checkout } else { nil }
    }

    /// The details of its opening that both kinds may have.
    private var details: OpeningDetails? {
        switch self {
        case .unopened: nil
        case .payment(let payment): payment.opening?.details
        case .checkout(let checkout): checkout.opening.details
        }
    }

    /// Whether the session was opened.
    var isOpen: Bool {
        switch self {
        case .unopened: false
        case .payment(let payment): payment.opening != nil
        case .checkout: true
        }
    }

    /// The host name of the PSP, or of the merchant backend before it.
    package var host: String? { details?.host }

    /// The merchant's own reference; when it is sealed, dots and the first digits of its
    /// fingerprint.
    public var reference: String? { recordedReference?.shown }

    /// The merchant's own reference, as recorded.
    package var recordedReference: OutsideText? { details?.reference }

    /// The PSP's identifier of the order; `nil` while it is not known.
    package var orderID: String? { checkout?.order?.id ?? payment?.reported?.order?.id }

    /// The merchant's order number, as the PSP repeats it or as it was ordered; `nil` when it is
    /// not known.
    package var orderReference: String? {
        switch self {
        case .unopened: nil
        case .payment(let payment): payment.reported?.order?.paid?.orderReference
        case .checkout(let checkout):
            checkout.order?.paid?.orderReference ?? checkout.opening.terms.orderReference
        }
    }

    /// The host application's own notes.
    public var metadata: [String: OutsideText] { details?.metadata ?? [:] }

    /// A custom scheme that a return address may have instead of the payment URL's.
    public var callbackScheme: String? { details?.callbackScheme }

    /// The state of the money as of the PSP's newest response.
    public var money: MoneyState {
        switch self {
        case .unopened(let progress): PaymentState(progress).money
        case .payment(let payment): payment.money
        case .checkout(let checkout): checkout.money
        }
    }

    /// The methods last offered to the payer; a checkout offers none itself.
    public var offers: [MethodOffer] { payment?.offers ?? [] }

    /// The number of attempts; a checkout has none.
    public var attemptCount: Int { payment?.attemptCount ?? 0 }

    /// Whether the payer exceeded the time limit.
    package var isOverdue: Bool { payment?.isOverdue ?? false }

    /// Whether something that this session started may take money.
    package var isPaying: Bool {
        switch self {
        case .unopened: false
        case .payment(let payment): payment.isPaying
        case .checkout(let checkout): checkout.isPaying
        }
    }
}

/// The details that the openings of both kinds of session share.
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
