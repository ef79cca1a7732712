public import EventLog
public import SwedbankPay

/// A reference model of the PSP: the state of each order, and the attempts that it has seen.
///
/// It uses snapshots rather than JSON; test adapters against the sandbox instead.
public struct SimulatedProvider: Sendable {
    /// How a payer behaves once an attempt has started.
    public enum Payer: Hashable, Sendable, CaseIterable {
        /// Approves.
        case approves
        /// Declines, which the PSP reports with a link for the acknowledgement.
        case declines
        /// Does nothing.
        case hesitates
    }

    /// How the card's issuer authenticates.
    public enum Authentication: Hashable, Sendable, CaseIterable {
        /// Without the payer.
        case frictionless
        /// With the hidden 3-D Secure method, then without the payer.
        case method
        /// With a challenge.
        case challenge
        /// With the 3-D Secure method and a challenge.
        case methodAndChallenge
    }

    /// One payment order.
    public struct Order: Hashable, Sendable {
        enum Stage: Hashable {
            case created, prepared
            case expanded(PaymentMethodName)
            case started(PaymentMethodName), authenticating, challenged
            case problem, paid, aborted
        }
        var stage = Stage.created
        var payer = Payer.approves
        var authentication = Authentication.methodAndChallenge
        var polls = 0
        var problems = 0
        /// The number of attempts that reached the PSP.
        public internal(set) var attempts = 0
        /// The number of payments.
        public internal(set) var payments = 0
    }

    /// The orders, by the session that pays for them.
    public internal(set) var orders: [SessionID: Order] = [:]

    /// The secrets in its responses.
    var secrets = SimulatedSecrets()
    private var views: [Stamp: Snapshot] = [:]

    /// What a snapshot depends on: orders in equal states have equal snapshots.
    private struct Stamp: Hashable {
        var stage: Order.Stage
        var authentication: Authentication
        var problems: Int
        var attempts: Int
    }

    /// The orders that checkouts create, by checkout.
    public internal(set) var checkouts: [SessionID: Checkout] = [:]

    /// Whether it accepts every request to start an attempt, including a second one, like a PSP
    /// without any safeguard.
    public var isCareless = false

    /// Creates a PSP without orders.
    public init() {}

    /// Creates an order.
    public mutating func create(
        _ session: SessionID,
        payer: Payer,
        authentication: Authentication
    ) {
        var order = Order()
        order.payer = payer
        order.authentication = authentication
        orders[session] = order
    }

    /// Processes a request and returns the response.
    public mutating func process(
        _ request: OperationRequest,
        of session: SessionID
    ) -> ProviderResponse.Outcome {
        if checkouts[session] != nil { return processOrder(request, of: session) }
        guard var order = orders[session] else {
            return .refused(
                status: 404,
                document: ProblemDocument(type: "about:blank"),
                retryAfter: nil
            )
        }
        let isAllowed = order.apply(request) || (isCareless && order.startAgain(request))
        orders[session] = order
        if request.rel == .acknowledgeFailedAttempt, isAllowed { return .empty(status: 204) }
        guard isAllowed else {
            let type =
                "https://api.payex.com/psp/errordetail/paymentsessions/operationnotallowed"
            return .refused(
                status: 409,
                document: ProblemDocument(type: type, status: 409),
                retryAfter: nil
            )
        }
        return .snapshot(view(of: order), status: 200)
    }

    /// The PSP's current snapshot of an order.
    private mutating func view(of order: Order) -> Snapshot {
        let stamp = Stamp(
            stage: order.stage,
            authentication: order.authentication,
            problems: order.problems,
            attempts: order.attempts
        )
        if let known = views[stamp] { return known }
        var painter = SnapshotPainter(order: order, secrets: secrets)
        let snapshot = painter.snapshot()
        secrets = painter.secrets
        views[stamp] = snapshot
        return snapshot
    }
}
