public import EventLog
public import Inspection
public import SwedbankPay
public import Workflow

/// How a payer's app behaves: the code that a host runs in its own client.
///
/// The world calls it each time the session's state is published to the client, and delivers its
/// actions in time, late, twice or never, according to the faults.
public protocol SimulatedClient: Sendable {
    /// Returns what the client does now.
    ///
    /// - Parameters:
    ///   - screen: What the client is shown; it also seals the secrets that the client submits.
    ///   - dice: The source of randomness.
    /// - Returns: The client's actions.
    mutating func sees(
        _ screen: inout ClientScreen,
        using dice: inout SplitMix64
    ) -> [ClientAct]
}

/// The data that a simulated client receives.
public struct ClientScreen: Sendable {
    /// The session's state.
    public var state: SessionState
    /// The rules, which interpret the state.
    public var decider: SessionDecider
    /// The world's time.
    public var now: Instant
    var secrets: SimulatedSecrets

    /// Returns a sealed value for a name: a secret that the client submits.
    public mutating func seal(_ name: String) -> Sealed { secrets.seal(name) }

    /// The view that the host's own client would receive.
    public var view: SessionView { SessionView(state, by: decider, disclosing: .masked) }
}

/// An action of a payer's app.
public typealias ClientAct = SimulatedAct<SessionInput>

/// A client that performs its actions within seconds, and chooses again when an attempt failed.
public struct OrdinaryClient: SimulatedClient {
    /// The number of attempts that a payer makes.
    public var attempts = 3
    /// The maximum number of retries that a payer requests.
    public var retries = 3
    /// The maximum number of captures that a merchant requests, each after the one before was
    /// refused.
    public var captures = 8
    private var memory: [SessionID: Memory] = [:]

    private struct Memory: Sendable {
        var actions = 0
        var problem: SequenceNumber = 0
        var retries = 0
        var captures = 0
        var hasRefunded = false
    }

    /// Creates a client with the defaults.
    public init() {}

    /// Responds to each action once, and to each problem with another attempt.
    public mutating func sees(
        _ screen: inout ClientScreen,
        using dice: inout SplitMix64
    ) -> [ClientAct] {
        let state = screen.state
        var known = memory[state.session, default: Memory()]
        var acts: [ClientAct] = []
        for action in state.actions.dropFirst(known.actions) where action.isOpen {
            let pause = Duration.milliseconds(500 + Int64(dice.next() % 4500))
            acts += Self.responses(to: action, after: pause, &screen)
        }
        known.actions = state.actions.count
        if let standing = state.problem, standing.sequence > known.problem, state.outcome == nil {
            known.problem = standing.sequence
            let pause = Duration.milliseconds(1000 + Int64(dice.next() % 4000))
            if let choice = nextChoice(in: state) {
                acts.append(ClientAct(after: pause, .command(.attempt(choice))))
            } else if standing.problem.isRetryable, known.retries < retries {
                known.retries += 1
                acts.append(ClientAct(after: pause, .command(.retry(by: "payer"))))
            }
        }
        if let order = state.checkout?.order, order.isSaidPaid,
            let amount = order.remainingCapture, amount > 0,
            known.captures < captures, state.hasRefusedCaptures(known.captures)
        {
            known.captures += 1
            let capture = TransactionRequest(
                kind: .capture,
                payeeReference: "CAP\(known.captures)",
                amount: amount,
                vatAmount: Amount(amount.minorUnits / 5),
                description: "Shipment",
                again: known.captures > 1
            )
            let pause = Duration.milliseconds(1000 + Int64(dice.next() % 9000))
            acts.append(ClientAct(after: pause, .command(.checkout(.transact(capture)))))
        }
        if let order = state.checkout?.order, order.isSaidPaid, !known.hasRefunded,
            let amount = order.remainingReversal, amount > 1
        {
            known.hasRefunded = true
            let refund = TransactionRequest(
                kind: .reversal,
                payeeReference: "BACK1",
                amount: Amount(amount.minorUnits / 2),
                vatAmount: 0,
                description: "Returned"
            )
            let pause = Duration.milliseconds(1000 + Int64(dice.next() % 60_000))
            acts.append(ClientAct(after: pause, .command(.checkout(.transact(refund)))))
        }
        memory[state.session] = known
        return acts
    }

    /// The choice after a failed attempt: the other one of the first two methods.
    private func nextChoice(in state: SessionState) -> ChoiceRequest? {
        guard let payment = state.payment, payment.attempt == nil, !state.offers.isEmpty,
            state.attemptCount < attempts
        else { return nil }
        let prefersCard = payment.lastChoice?.instrument == .swish
        for offer in state.offers where (offer.instrument == .card) == prefersCard {
            switch offer.instrument {
            case .card: return .card(rank: 1)
            case .swish: return .swish(msisdn: nil)
            default: continue
            }
        }
        return nil
    }

    private static func responses(
        to action: ClientAction,
        after pause: Duration,
        _ screen: inout ClientScreen
    ) -> [ClientAct] {
        func report(_ outcome: ReportOutcome, after pause: Duration) -> ClientAct {
            ClientAct(after: pause, .report(ActionReport(action: action.id, outcome: outcome)))
        }
        switch action.kind {
        case .launchApp: return [report(.launched, after: pause)]
        case .load3DSMethod: return [report(.done, after: pause)]
        case .show3DS:
            return [
                report(.shown, after: pause / 2),
                report(
                    .challengeCompleted(cRes: screen.seal("cres-\(action.id.rawValue)")),
                    after: pause
                ),
            ]
        case .authorizeWallet:
            return [
                report(
                    .authorized(payload: screen.seal("wallet-\(action.id.rawValue)")),
                    after: pause
                )
            ]
        case .showMenu:
            return [report(.shown, after: pause / 2), report(.completed, after: pause * 3)]
        case .checkIn:
            return [
                report(.shown, after: pause / 2),
                report(
                    .checkedIn(consumerProfileRef: screen.seal("consumer-\(action.id.rawValue)")),
                    after: pause
                ),
            ]
        }
    }
}

extension SessionState {
    /// Whether so many captures were requested, and the PSP refused all of them.
    fileprivate func hasRefusedCaptures(_ count: Int) -> Bool {
        let captures = checkout?.transactions.filter { $0.request.kind == .capture } ?? []
        return captures.count == count && captures.allSatisfy { $0.result == .refused }
    }
}
