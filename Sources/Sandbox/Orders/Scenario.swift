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
    /// Whether a problem comes with an `acknowledge-failed-attempt` operation.
    public var acknowledgesProblems: Bool
    /// Whether 3-D Secure follows a wallet's payload.
    public var authenticatesWallets: Bool
    /// Whether `start-payment-attempt` may be repeated while an attempt runs.
    ///
    /// A client that sends it twice then really pays twice, and the ledger shows it.
    public var acceptsRepeatedStarts: Bool
    /// What goes wrong on purpose.
    public var faults: [Fault]

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

extension Scenario {
    private static let members: Set<String> = [
        "methods", "savedCards", "swishApprovalMilliseconds", "swishWaitsForPayer",
        "abortDuringAttempt", "acknowledgeProblems", "authenticateWallets", "acceptRepeatedStarts",
        "faults",
    ]

    /// Reads the `sandbox` member of an order.
    static func read(from reader: inout BodyReader, at path: String) -> Scenario {
        var scenario = Scenario()
        guard let value = reader.value(path) else { return scenario }
        guard case .object(let object) = value else {
            reader.refuse(path, "must be a JSON object")
            return scenario
        }
        for name in object.keys.sorted() where !members.contains(name) {
            reader.refuse("\(path).\(name)", "is not known to the sandbox")
        }
        scenario.methods = reader.optionalStrings("\(path).methods")
        scenario.savedCards = reader.optionalStrings("\(path).savedCards")
        if reader.optionalBool("\(path).swishWaitsForPayer") == true {
            scenario.swishApproval = .byPayer
        } else if let delay = reader.optionalInteger("\(path).swishApprovalMilliseconds") {
            scenario.swishApproval = .after(.milliseconds(delay))
        }
        switch reader.optionalString("\(path).abortDuringAttempt") {
        case nil, "allowed": break
        case "refused": scenario.refusesAbortDuringAttempt = true
        default: reader.refuse("\(path).abortDuringAttempt", "must be 'allowed' or 'refused'")
        }
        scenario.acknowledgesProblems =
            reader.optionalBool("\(path).acknowledgeProblems") ?? true
        scenario.authenticatesWallets =
            reader.optionalBool("\(path).authenticateWallets") ?? false
        scenario.acceptsRepeatedStarts =
            reader.optionalBool("\(path).acceptRepeatedStarts") ?? false
        for index in 0..<reader.count("\(path).faults") {
            if let fault = Fault.read(from: &reader, at: "\(path).faults.\(index)") {
                scenario.faults.append(fault)
            }
        }
        return scenario
    }
}
