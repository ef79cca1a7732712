public import Logging

/// How a sandbox is set up.
public struct SandboxConfiguration: Sendable {
    /// The address to listen on; a sandbox has no secrets worth more than loopback.
    public var host: String
    /// The port to listen on; 0 lets the system choose.
    public var port: Int
    /// Where the sandbox writes; it never writes session URLs, hrefs or tokens.
    public var logger: Logger
    /// What merchants must show as `Authorization: Bearer …`; nil lets everybody in.
    public var accessToken: String?
    /// How long a bank takes to carry out a reversal.
    public var bankReversalDelay: Duration
    /// How fast callbacks are repeated: 1 is as the PSP does it, 0.001 a thousand times as fast.
    public var callbackTimeScale: Double
    /// Sends a callback's JSON text to an address and tells the HTTP status, 0 without an answer.
    ///
    /// Nil means that the sandbox posts to http addresses of this machine and to no others.
    public var callbackSender: (@Sendable (_ url: String, _ body: String) async -> Int)?
    /// The methods of an order that names none.
    public var defaultMethods: [String]
    /// The scenarios of the orders that bring none of their own; the first one that applies counts.
    public var scenarios: [ScenarioFile] = []
    /// How long the payer on another device takes to approve in Swish; nil means for ever.
    public var swishApprovalDelay: Duration?
    /// How long the payer on this device takes when nobody plays the payer; nil means for ever.
    public var swishAppApprovalDelay: Duration?
    /// How long an authentication waits for the payer until it counts as cancelled.
    public var challengeTimeout: Duration
    /// After how long the payer in the hosted pages goes on by itself: checks in, fills in a test card, pays.
    ///
    /// Nil leaves that to whoever shows the pages.
    public var payerDelay: Duration?
    /// How long a hanging connection stays open.
    public var hangLimit: Duration
    /// How long a connection may stay open without a request, or with half of one.
    public var idleLimit: Duration
    /// How many connections are open at once; further ones wait until one of them ends.
    public var maximumConnections: Int
    /// The largest request body, in bytes.
    public var maximumBodyBytes: Int
    /// How many orders are kept; a further one is refused with 503.
    public var maximumOrders: Int
    /// How many requests the ledger remembers one by one; it goes on counting them all.
    public var maximumLedgerEntries: Int
    /// The clock that the stand-ins' delays follow.
    public var now: @Sendable () -> ContinuousClock.Instant

    /// Describes a sandbox on a free loopback port.
    public init(
        host: String = "127.0.0.1",
        port: Int = 0,
        logger: Logger? = nil,
        defaultMethods: [String] = ["Swish", "CreditCard", "Invoice-PayExFinancingSe"],
        swishApprovalDelay: Duration? = .milliseconds(1500),
        swishAppApprovalDelay: Duration? = .seconds(3)
    ) {
        self.host = host
        self.port = port
        var quiet = Logger(label: "sandbox")
        quiet.logLevel = .warning
        self.logger = logger ?? quiet
        self.defaultMethods = defaultMethods
        self.swishApprovalDelay = swishApprovalDelay
        self.swishAppApprovalDelay = swishAppApprovalDelay
        self.callbackTimeScale = 1
        self.bankReversalDelay = .seconds(3)
        self.challengeTimeout = .seconds(600)
        self.hangLimit = .seconds(120)
        self.idleLimit = .seconds(60)
        self.maximumConnections = 4096
        self.maximumBodyBytes = 64 * 1024
        self.maximumOrders = 200_000
        self.maximumLedgerEntries = 100_000
        self.now = { ContinuousClock().now }
    }
}

/// Why a sandbox could not do what its owner asked.
public enum SandboxError: Error, Equatable, CustomStringConvertible {
    /// The server ended before it listened.
    case stopped
    /// No order has this id.
    case unknownOrder
    /// The order was refused; the fields tell why.
    case refused(fields: [String], detail: String)
    /// The order takes no more faults.
    case tooManyFaults

    /// What went wrong, in words.
    public var description: String {
        switch self {
        case .stopped: "the sandbox stopped before it listened"
        case .unknownOrder: "no order has this id"
        case .refused(let fields, let detail):
            fields.isEmpty ? detail : "\(detail) (\(fields.joined(separator: ", ")))"
        case .tooManyFaults: "the order takes no more than \(FaultPlan.limit) faults"
        }
    }
}
