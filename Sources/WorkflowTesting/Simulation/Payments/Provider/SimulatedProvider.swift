public import EventLog
public import SwedbankPay

/// A reference model of the PSP: what it believes of each order, and which attempts it has seen.
///
/// It speaks in snapshots, not in JSON; the sandbox is the PSP to test adapters against.
public struct SimulatedProvider: Sendable {
    /// How a payer behaves once an attempt has started.
    public enum Payer: Hashable, Sendable, CaseIterable {
        /// Approves.
        case approves
        /// Declines, which the PSP reports with a link to acknowledge.
        case declines
        /// Does nothing.
        case hesitates
    }

    /// How the card's issuer authenticates.
    public enum Authentication: Hashable, Sendable, CaseIterable {
        /// Without the payer.
        case frictionless
        /// With the invisible method call, then without the payer.
        case method
        /// With a challenge.
        case challenge
        /// With both.
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
        /// The attempts that reached the PSP.
        public internal(set) var attempts = 0
        /// The payments that were made.
        public internal(set) var payments = 0
    }

    /// The orders, by the session that pays for them.
    public internal(set) var orders: [SessionID: Order] = [:]

    /// The secrets that it hands out.
    var secrets = SimulatedSecrets()
    private var views: [Stamp: Snapshot] = [:]

    /// What a snapshot depends on: orders that stand alike are shown alike.
    private struct Stamp: Hashable {
        var stage: Order.Stage
        var authentication: Authentication
        var problems: Int
        var attempts: Int
    }

    /// The orders that checkouts create, by the checkout.
    public internal(set) var checkouts: [SessionID: Checkout] = [:]

    /// Takes every request to start an attempt, also a second one, as a PSP without any guard of its own would.
    public var isCareless = false

    /// A PSP without orders.
    public init() {}

    /// Takes in an order.
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

    /// Processes a request: what it changes, and what is answered.
    public mutating func process(
        _ call: OperationCall,
        of session: SessionID
    ) -> ProviderAnswer.Outcome {
        if checkouts[session] != nil { return processOrder(call, of: session) }
        guard var order = orders[session] else {
            return .refused(
                status: 404,
                document: ProblemDocument(type: "about:blank"),
                retryAfter: nil
            )
        }
        let isAllowed = order.take(call) || (isCareless && order.startAgain(call))
        orders[session] = order
        if call.rel == .acknowledgeFailedAttempt, isAllowed { return .empty(status: 204) }
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

    /// What the PSP says of an order now.
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
