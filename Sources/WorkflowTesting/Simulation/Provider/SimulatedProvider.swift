public import Workflow

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
    public private(set) var orders: [SessionID: Order] = [:]

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

extension SimulatedProvider.Order {
    /// Lets a request take effect.
    ///
    /// - Returns: False when the order's stage does not allow it.
    mutating func take(_ call: OperationCall) -> Bool {
        switch call.rel {
        case .session: return true
        case .getPayment:
            polls += 1
            if polls >= 3 { payerActs() }
            return true
        case .preparePayment:
            guard stage == .created else { return false }
            stage = .prepared
            return true
        case .expandMethod:
            guard case .method(let method) = call.body else { return false }
            switch stage {
            case .prepared, .expanded:
                stage = .expanded(method)
                return true
            default: return false
            }
        case .startPaymentAttempt: return start()
        case .createAuthentication:
            guard stage == .authenticating else { return false }
            if authentication == .method { pay() } else { stage = .challenged }
            return true
        case .completeAuthentication:
            guard stage == .challenged else { return false }
            if payer == .declines { decline() } else { pay() }
            return true
        case .failPaymentAttempt:
            guard case .started = stage else { return false }
            decline()
            return true
        case .acknowledgeFailedAttempt:
            guard stage == .problem else { return false }
            stage = .prepared
            payer = .approves
            return true
        case .abortPayment:
            guard stage != .paid, stage != .aborted else { return false }
            stage = .aborted
            return true
        default: return false
        }
    }

    private mutating func start() -> Bool {
        guard case .expanded(let method) = stage else { return false }
        attempts += 1
        polls = 0
        if method == .creditCard {
            if authentication == .frictionless {
                if payer == .declines { decline() } else { pay() }
            } else {
                stage = .authenticating
            }
        } else {
            stage = .started(method)
        }
        return true
    }

    /// Takes a second request to start an attempt: the payer pays once more.
    mutating func startAgain(_ call: OperationCall) -> Bool {
        guard call.rel == .startPaymentAttempt else { return false }
        switch stage {
        case .created, .prepared, .expanded, .problem, .aborted: return false
        case .started, .authenticating, .challenged: attempts += 1
        case .paid:
            attempts += 1
            payments += 1
        }
        return true
    }

    private mutating func payerActs() {
        guard case .started = stage else { return }
        switch payer {
        case .approves: pay()
        case .declines: decline()
        case .hesitates: break
        }
    }

    private mutating func pay() {
        payments += 1
        stage = .paid
    }

    private mutating func decline() {
        problems += 1
        stage = .problem
    }
}
