public import Logging

/// The configuration of a sandbox.
public struct SandboxConfiguration: Sendable {
    /// The address to listen on, by default loopback only.
    public var host: String
    /// The port to listen on; 0 lets the system choose.
    public var port: Int
    /// The logger; session URLs, hrefs and tokens are never logged.
    public var logger: Logger
    /// The token that merchants must send as `Authorization: Bearer …`; `nil` requires none.
    public var accessToken: String?
    /// The time that a bank takes to perform a reversal.
    public var bankReversalDelay: Duration
    /// The time scale of repeated callbacks: 1 is the PSP's own, 0.001 is a thousand times as fast.
    public var callbackTimeScale: Double
    /// Sends a callback's JSON text to an address and returns the HTTP status, 0 for no response.
    ///
    /// `nil` means that the sandbox posts to http addresses of this machine only.
    public var callbackSender: (@Sendable (_ url: String, _ body: String) async -> Int)?
    /// The methods of an order that does not name any.
    public var defaultMethods: [String]
    /// The scenarios of orders without a scenario of their own; the first one that applies is used.
    public var scenarios: [ScenarioFile] = []
    /// Whether the stored cards of each payer end in digits of their own, so that payers can be
    /// found by them.
    package var variesCards = false
    /// The time that the payer on another device takes to approve in Swish; `nil` means forever.
    public var swishApprovalDelay: Duration?
    /// The time that the payer on this device takes when the test does not play the payer; `nil`
    /// means forever.
    public var swishAppApprovalDelay: Duration?
    /// The time for which an authentication waits for the payer until it counts as canceled.
    public var challengeTimeout: Duration
    /// The delay after which the payer in the hosted pages proceeds automatically: checks in,
    /// enters a test card, pays.
    ///
    /// `nil` disables this.
    public var payerDelay: Duration?
    /// The time for which a hanging connection stays open.
    public var hangLimit: Duration
    /// The time for which a connection may stay open without a complete request, and within which a
    /// request's body has to arrive.
    public var idleLimit: Duration
    /// The maximum number of open connections; further ones wait until one of them ends.
    public var maximumConnections: Int
    /// The maximum size of a request body in bytes.
    public var maximumBodyBytes: Int
    /// The maximum number of orders; a further one is refused with 503.
    public var maximumOrders: Int
    /// The maximum number of requests listed in the ledger; all are counted.
    public var maximumLedgerEntries: Int
    /// The clock for the delays of the simulated parties.
    public var now: @Sendable () -> ContinuousClock.Instant

    /// Creates the configuration of a sandbox on a free loopback port.
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

/// Why a sandbox could not perform a request.
@nonexhaustive
public enum SandboxError: Error, Equatable, CustomStringConvertible {
    /// The server ended before it was listening.
    case stopped
    /// No order has this id.
    case unknownOrder
    /// The order was refused; the fields are listed.
    case refused(fields: [String], detail: String)
    /// The order has the maximum number of faults.
    case tooManyFaults

    /// A description of the error.
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
