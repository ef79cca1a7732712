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
    case unopened(Boxed<Progress>)
    /// A payment session of the PSP's.
    case payment(Boxed<PaymentState>)
    /// An order from its creation to its captures.
    case checkout(Boxed<CheckoutState>)

    /// A session that nothing has happened in.
    public init(session: SessionID) { self = .unopened(Boxed(Progress(session: session))) }

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
        case .unopened(let box):
            let progress = box.value
            if case .checkout(.checkoutOpened(let opened)) = event {
                let now = max(progress.lastAt, instant)
                self = .checkout(Boxed(CheckoutState(opened, progress, at: now)))
            } else {
                self = .payment(Boxed(PaymentState(progress)))
            }
            apply(event, at: instant)
        case .payment(var box):
            self = Self.takenOut
            box.value.apply(event, at: instant)
            self = .payment(box)
        case .checkout(var box):
            self = Self.takenOut
            box.value.apply(event, at: instant)
            self = .checkout(box)
        }
    }

    /// In the place of a state that is changed elsewhere: as long as it is referred to from here, it would be copied.
    private static let takenOut = SessionState(session: SessionID(high: 0, low: 0))
}

extension SessionState: WorkflowState {
    /// What either kind of session keeps.
    public package(set) var progress: Progress {
        _read {
            switch self {
            case .unopened(let box): yield box.value
            case .payment(let box): yield box.value.progress
            case .checkout(let box): yield box.value.progress
            }
        }
        set {
            switch self {
            case .unopened: self = .unopened(Boxed(newValue))
            case .payment(var box):
                self = Self.takenOut
                box.value.progress = newValue
                self = .payment(box)
            case .checkout(var box):
                self = Self.takenOut
                box.value.progress = newValue
                self = .checkout(box)
            }
        }
    }

    /// Reads a member where it stands: a progress is large, and is not copied for one of its members.
    func reading<Value>(_ member: (Progress) -> Value) -> Value {
        switch self {
        case .unopened(let box): member(box.value)
        case .payment(let box): member(box.value.progress)
        case .checkout(let box): member(box.value.progress)
        }
    }

    /// The session.
    public var session: SessionID { reading { $0.session } }
    /// The last event's place; 0 before the first.
    public var sequence: Int64 { reading { $0.sequence } }
    /// When the last event was recorded.
    public var lastAt: Instant { reading { $0.lastAt } }
    /// When the session was opened.
    public var openedAt: Instant { reading { $0.openedAt } }
    /// The requests to the PSP: what is under way, what has to be read first, what failed.
    public var requests: SessionRequests { reading { $0.requests } }
    /// How the session ended; nil while it has not.
    public var outcome: Outcome? { reading { $0.outcome } }
    /// Whether the session has come to its end.
    public var isOver: Bool { outcome != nil }
    /// What the client was asked to do, the newest last.
    public var actions: [ClientAction] { reading { $0.actions } }
    /// The problem that the payer has not moved on from.
    public var problem: StandingProblem? { reading { $0.problem } }
    /// The request that changes something and whose outcome is not recorded.
    public var running: RunningOperation? { reading { $0.running } }

    /// The session URL; a checkout has none.
    public var address: Sealed? {
        if case .payment(let box) = self { box.value.opening?.sessionURL } else { nil }
    }

    /// What is known of a payment session; nil for a checkout.
    public var payment: PaymentState? {
        if case .payment(let box) = self { box.value } else { nil }
    }

    /// What the newest attempt pays with, or paid with; nil for a checkout.
    var lastInstrument: Instrument? {
        if case .payment(let box) = self { box.value.lastChoice?.instrument } else { nil }
    }

    /// What is known of a checkout; nil for a payment session.
    public var checkout: CheckoutState? {
        if case .checkout(let box) = self { box.value } else { nil }
    }

    /// What it was opened with, that either kind may have.
    private var details: OpeningDetails? {
        switch self {
        case .unopened: nil
        case .payment(let box): box.value.opening?.details
        case .checkout(let box): box.value.opening.details
        }
    }

    /// Whether the session was opened.
    var isOpen: Bool {
        switch self {
        case .unopened: false
        case .payment(let box): box.value.opening != nil
        case .checkout: true
        }
    }

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
        case .unopened(let box): PaymentState(box.value).money
        case .payment(let box): box.value.money
        case .checkout(let box): box.value.money
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
        case .payment(let box): box.value.isPaying
        case .checkout(let box): box.value.isPaying
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
