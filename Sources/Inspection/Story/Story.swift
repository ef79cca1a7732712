public import EventLog
public import SwedbankPay

/// What happened in a payment, as it is told to somebody who has to help the payer.
///
/// A projection of the log: the same events and rules give the same story, at any time and with or without the keys. It
/// claims nothing that no event says: each sentence names the places of the log that it rests on.
public struct Story: Hashable, Sendable {
    /// The session.
    public let session: SessionID
    /// What happened, in order.
    public let sentences: [Sentence]
    /// Where it stands.
    public let standing: Standing
    /// The fold of the events.
    public let state: SessionState

    /// One thing that happened, however many events tell of it.
    public struct Sentence: Hashable, Sendable {
        /// When it began.
        public var at: Instant
        /// What happened.
        public var fact: Fact
        /// The places of the events that say so, in order.
        public var sequences: [Int64]
    }

    /// The story of a session's events.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - events: Its events, from the first on.
    ///   - decider: The rules and the problem catalogue to explain it by.
    public init(
        of session: SessionID,
        telling events: some Sequence<RecordedEvent>,
        by decider: SessionDecider
    ) {
        var teller = StoryTeller(session: session, decider: decider)
        for event in events { teller.take(event) }
        teller.finish()
        self.session = session
        sentences = teller.sentences
        standing = teller.standing
        state = teller.state
    }
}

extension Story {
    /// Where a payment stands, and whose move it is.
    public struct Standing: Hashable, Sendable {
        /// In one word.
        public var phase: Phase
        /// How it ended.
        public var outcome: Outcome?
        /// What is known of the money.
        public var money: Money
        /// Who has to do something.
        public var turn: Turn
        /// What the payer may be told.
        public var guidance: PayerGuidance
        /// The tries to pay: how many the payer chose.
        public var attempts: Int
        /// The requests that start a payment at the PSP, each at its place.
        public var starts: [Int64]
        /// Whether the newest of them is known not to have taken effect, or known to have done so.
        public var isEveryStartKnown: Bool
        /// When the engine has something to do next; nothing when only somebody else can go on.
        public var dueAt: Instant?
        /// The checkout that knows the order.
        public var checkout: SessionID?
        /// What stands of a charge by token; nothing for payments that a payer makes.
        public var charge: Charge?
        /// The places of the events that say so.
        public var sequences: [Int64]
    }

    /// A charge of a stored token, which the merchant makes without the payer.
    public struct Charge: Hashable, Sendable {
        /// The merchant's reference of it: under another one it would be a second charge.
        public var reference: String?
        /// Whether the PSP has told of its order, which can be read then.
        public var isOrderKnown: Bool
        /// What it means that it was refused, for those who would charge again; nothing where it was not.
        public var refusal: ProblemAdvice?
        /// How many charges of a card may fail before its scheme blocks it.
        public var limits: [ChargeLimit]
    }

    /// Who has to do something for a payment to go on.
    public enum Turn: Hashable, Sendable {
        /// The payer, with what their app or browser was asked to do; nothing when they have to choose how to pay.
        case payer(ClientStep?)
        /// The merchant: data, configuration, or the order's status.
        case merchant
        /// The PSP.
        case psp
        /// The engine: something is due that it does by itself, once it runs.
        case engine
        /// Whoever operates the engine: it waits to be told to try again.
        case support
        /// Nobody: it is over.
        case nobody

        /// The turn in one word.
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

    /// What the payer's app or browser is asked to do.
    public enum ClientStep: Hashable, Sendable {
        /// Open another app; by the scheme of its link.
        case app(scheme: String?)
        /// Make the invisible 3-D Secure method call.
        case methodCall
        /// Show the bank's challenge.
        case challenge
        /// Present a wallet.
        case wallet(PaymentMethodName)
        /// Show the PSP's page.
        case page(MenuMode)
        /// Show the PSP's check-in.
        case checkIn

        /// The step of an action.
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
