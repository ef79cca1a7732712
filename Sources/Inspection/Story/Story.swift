public import EventLog
public import SwedbankPay

/// The story of a payment, for support staff who help the payer.
///
/// It is a projection of the log: the same events and rules give the same story, at any time and
/// with or without the keys. It makes no claims beyond the events: each sentence has the sequence
/// numbers of the events behind it.
public struct Story: Hashable, Sendable {
    /// The session.
    public let session: SessionID
    /// The facts, in order.
    public let sentences: [Sentence]
    /// The current state of the payment.
    public let standing: Standing
    /// The fold of the events.
    public let state: SessionState

    /// One occurrence, whether one or many events describe it.
    public struct Sentence: Hashable, Sendable {
        /// When it began.
        public var at: Instant
        /// A fact with its events.
        public var fact: Fact
        /// The sequence numbers of the events behind it, in order.
        public var sequences: [SequenceNumber]
    }

    /// Creates the story of a session's events.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - events: Its events, from the first on.
    ///   - decider: The rules and the problem catalogue that explain it.
    public init(
        of session: SessionID,
        events: some Sequence<RecordedEvent>,
        by decider: SessionDecider
    ) {
        var teller = StoryTeller(session: session, decider: decider)
        for event in events { teller.add(event) }
        teller.finish()
        self.session = session
        sentences = teller.sentences
        standing = teller.standing
        state = teller.state
    }
}

extension Story {
    /// The state of a payment, and the party that has to act.
    public struct Standing: Hashable, Sendable {
        /// The phase.
        public var phase: Phase
        /// The outcome, once the session has ended.
        public var outcome: Outcome?
        /// The standing of the money.
        public var money: MoneyState
        /// The party that has to act.
        public var turn: Turn
        /// The message for the payer.
        public var guidance: PayerGuidance
        /// The commands that the rules accept now.
        package var accepts: AcceptedCommands
        /// The number of attempts, that is, how often the payer chose.
        public var attempts: Int
        /// The sequence numbers of the requests that start a payment at the PSP.
        public var starts: [SequenceNumber]
        /// Whether the effect of the newest of them is known, either way.
        public var isEveryStartKnown: Bool
        /// When the engine acts next; `nil` when only someone else can continue.
        public var dueAt: Instant?
        /// The checkout that knows the order.
        public var checkout: SessionID?
        /// The details of a merchant-initiated charge; `nil` for payments that a payer makes.
        public var charge: Charge?
        /// The sequence numbers of the events behind it.
        public var sequences: [SequenceNumber]
    }

    /// A charge of a stored token, which the merchant makes without the payer.
    public struct Charge: Hashable, Sendable {
        /// The merchant's reference of the charge: with another one, it would be a second charge.
        public var reference: String?
        /// Whether the PSP has returned the order, which can then be read.
        public var isOrderKnown: Bool
        /// The advice on the refusal for charging again; `nil` when it was not refused.
        public var refusal: ProblemAdvice?
        /// The number of failed charges of a card after which its scheme blocks it.
        public var limits: [ChargeLimit]
    }

    /// The party that has to act for a payment to continue.
    public enum Turn: Hashable, Sendable {
        /// The payer, with the open client action; `nil` when they have to choose a payment method.
        case payer(ClientStep?)
        /// The merchant: data, configuration, or the order's status.
        case merchant
        /// The PSP.
        case psp
        /// The engine: something is due that it does on its own once it runs.
        case engine
        /// The operator: the engine waits for the command to retry.
        case support
        /// No one: the session is over.
        case nobody

        /// The name of the turn.
        public var word: String {
            switch self {
            case .payer: "payer"
            case .merchant: "merchant"
            case .psp: "psp"
            case .engine: "engine"
            case .support: "support"
            case .nobody: "nobody"
            }
        }
    }

    /// The kinds of client action in a story.
    public enum ClientStep: Hashable, Sendable {
        /// Open another app; with the scheme of its link.
        case app(scheme: String?)
        /// Perform the hidden 3-D Secure method.
        case methodCall
        /// Show the issuer's challenge.
        case challenge
        /// Present a wallet.
        case wallet(PaymentMethodName)
        /// Show the PSP's page.
        case page(MenuMode)
        /// Show the PSP's check-in.
        case checkIn

        /// Creates the step of a client action.
        public init(_ kind: ClientAction.Kind) {
            switch kind {
            case .launchApp(let task, _): self = .app(scheme: task.scheme)
            case .load3DSMethod: self = .methodCall
            case .show3DS: self = .challenge
            case .authorizeWallet(_, let method): self = .wallet(method)
            case .showMenu(_, let mode): self = .page(mode)
            case .checkIn: self = .checkIn
            }
        }
    }
}
