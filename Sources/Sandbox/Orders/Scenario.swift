/// How the sandbox behaves towards one order.
public struct Scenario: Sendable, Equatable {
    /// When the simulated Swish approves.
    public enum SwishApproval: Sendable, Equatable {
        /// After the configured delays.
        case standard
        /// This long after the attempt started.
        case after(Duration)
        /// Only when the payer decides through the address of the simulated Swish.
        case byPayer
    }

    /// How `customize-payment` behaves.
    public enum Customizing: String, Sendable {
        /// The session changes as requested.
        case normal
        /// The response is a snapshot without a change.
        case ignored
        /// The operation is never offered.
        case absent
    }

    /// How `customize-payment` handles a method that is not enabled.
    public enum UnknownMethods: String, Sendable {
        /// The request is refused with 400.
        case refused
        /// The name is ignored.
        case ignored
    }

    /// How `abort-payment` behaves.
    public enum Abort: String, Sendable {
        /// The order is aborted.
        case offered
        /// The request is refused with 409.
        case refused
        /// The operation is never offered.
        case absent
    }

    /// The offered payment methods, by wire name; `nil` means those of the configuration.
    public var methods: [String]?
    /// The numbers of the payer's stored test cards, best first.
    ///
    /// `nil` means the sandbox's four standard cards. They are shown only for orders with a payer
    /// reference.
    public var savedCards: [String]?
    /// When the simulated Swish approves.
    public var swishApproval: SwishApproval
    /// Whether `abort-payment` is refused with 409 while an attempt runs.
    public var refusesAbortDuringAttempt: Bool
    /// How `abort-payment` behaves.
    public var abort: Abort = .offered
    /// How `customize-payment` behaves.
    public var customizing: Customizing = .normal
    /// How `customize-payment` handles unknown methods.
    public var unknownMethods: UnknownMethods = .refused
    /// Whether `event-logging` is offered.
    public var offersEventLogging = true
    /// Whether a problem comes with an `acknowledge-failed-attempt` operation.
    public var acknowledgesProblems: Bool
    /// Whether 3-D Secure follows a wallet's payload.
    public var authenticatesWallets: Bool
    /// Whether the Booleans of a wallet's task are the strings `true` and `false`.
    public var walletBooleansAsText = false
    /// How the order's callbacks behave.
    public var callbacks: CallbackBehavior = .normal
    /// The delay of late callbacks.
    public var callbackDelay: Duration = .seconds(5)
    /// The time that the acquirer takes to decide, while the client polls; `nil` means no time.
    public var settling: Duration?
    /// The time after the payment at which its method reverses all of the money on its own; `nil`
    /// means never.
    ///
    /// Only money that was taken is reversed, not a mere authorization.
    public var methodReversal: Duration?
    /// Whether `start-payment-attempt` may be repeated while an attempt runs.
    ///
    /// A client that sends it twice then really pays twice, as the ledger shows.
    public var acceptsRepeatedStarts: Bool
    /// The deliberate faults.
    public var faults: [Fault]
    /// The PSP's scripted responses, request by request.
    public var script = Script()

    /// Creates a scenario, by default without faults.
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
