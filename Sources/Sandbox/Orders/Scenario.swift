/// How the sandbox behaves towards one order.
public struct Scenario: Sendable, Equatable {
    /// When the Swish stand-in approves.
    public enum SwishApproval: Sendable, Equatable {
        /// After the delays of the configuration.
        case standard
        /// This long after the attempt started.
        case after(Duration)
        /// Only when the payer decides through the Swish stand-in's address.
        case byPayer
    }

    /// What becomes of `customize-payment`.
    public enum Customizing: String, Sendable {
        /// The session changes as it was asked to.
        case normal
        /// The answer is a snapshot in which nothing has changed.
        case ignored
        /// The operation is never on offer.
        case absent
    }

    /// What becomes of a method that is not enabled, in `customize-payment`.
    public enum UnknownMethods: String, Sendable {
        /// The request is refused with 400.
        case refused
        /// The name counts as not sent.
        case ignored
    }

    /// What becomes of `abort-payment`.
    public enum Abort: String, Sendable {
        /// The order is aborted.
        case offered
        /// The request is refused with 409.
        case refused
        /// The operation is never on offer.
        case absent
    }

    /// The payment methods on offer, by their wire names; nil means those of the configuration.
    public var methods: [String]?
    /// The numbers of the payer's stored test cards, best first.
    ///
    /// Nil means the sandbox's four standard cards. They show only on orders with a payer reference.
    public var savedCards: [String]?
    /// When the Swish stand-in approves.
    public var swishApproval: SwishApproval
    /// Whether `abort-payment` is refused with 409 while an attempt runs.
    public var refusesAbortDuringAttempt: Bool
    /// What becomes of `abort-payment`.
    public var abort: Abort = .offered
    /// What becomes of `customize-payment`.
    public var customizing: Customizing = .normal
    /// What becomes of unknown methods in `customize-payment`.
    public var unknownMethods: UnknownMethods = .refused
    /// Whether `event-logging` is on offer.
    public var offersEventLogging = true
    /// Whether a problem comes with an `acknowledge-failed-attempt` operation.
    public var acknowledgesProblems: Bool
    /// Whether 3-D Secure follows a wallet's payload.
    public var authenticatesWallets: Bool
    /// Whether the booleans of a wallet's task come as the strings `true` and `false`.
    public var walletBooleansAsText = false
    /// What becomes of the order's callbacks.
    public var callbacks: CallbackBehaviour = .normal
    /// How late callbacks come that come late.
    public var callbackDelay: Duration = .seconds(5)
    /// How long the acquirer takes to decide, while the client polls; nil means at once.
    public var settling: Duration?
    /// How long after the payment its method takes all of the money back by itself; nil means never.
    ///
    /// Only what was taken goes back: nothing does of a card that was only authorised.
    public var methodReversal: Duration?
    /// Whether `start-payment-attempt` may be repeated while an attempt runs.
    ///
    /// A client that sends it twice then really pays twice, and the ledger shows it.
    public var acceptsRepeatedStarts: Bool
    /// What goes wrong on purpose.
    public var faults: [Fault]
    /// What the PSP answers, call by call.
    public var script = Script()

    /// Describes a scenario; without arguments nothing goes wrong.
    public init(
        methods: [String]? = nil,
        savedCards: [String]? = nil,
        swishApproval: SwishApproval = .standard,
        refusesAbortDuringAttempt: Bool = false,
        acknowledgesProblems: Bool = true,
        authenticatesWallets: Bool = false,
        acceptsRepeatedStarts: Bool = false,
        faults: [Fault] = []
    ) {
        self.methods = methods
        self.savedCards = savedCards
        self.swishApproval = swishApproval
        self.refusesAbortDuringAttempt = refusesAbortDuringAttempt
        self.acknowledgesProblems = acknowledgesProblems
        self.authenticatesWallets = authenticatesWallets
        self.acceptsRepeatedStarts = acceptsRepeatedStarts
        self.faults = faults
    }
}
