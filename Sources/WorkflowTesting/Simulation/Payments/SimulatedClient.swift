public import EventLog
public import Inspection
public import SwedbankPay
public import Workflow

/// What a payer's app does about its session: the code that a host runs in its own client.
///
/// The world asks it each time that it is told how its session stands, and delivers what it wants done: on time, late,
/// twice or never, as the faults say.
public protocol SimulatedClient: Sendable {
    /// Says what the client does now.
    ///
    /// - Parameters:
    ///   - screen: What the client is shown; it also seals what the client hands in that is secret.
    ///   - dice: Where chance comes from.
    mutating func sees(
        _ screen: inout ClientScreen,
        using dice: inout SplitMix64
    ) -> [ClientAct]
}

/// What a simulated client is shown.
public struct ClientScreen: Sendable {
    /// How the session stands.
    public var state: SessionState
    /// The rules, which know what a state means.
    public var decider: SessionDecider
    /// The world's time.
    public var now: Instant
    var secrets: SimulatedSecrets

    /// Makes a sealed value of a name: what a client hands in that is secret.
    public mutating func seal(_ name: String) -> Sealed { secrets.seal(name) }

    /// What the host's own client would be shown.
    public var view: SessionView { SessionView(state, by: decider, disclosing: .masked) }
}

/// Something that a payer's app does.
public typealias ClientAct = SimulatedAct<SessionInput>

/// A client that does what it is asked, within seconds, and chooses anew when an attempt failed.
public struct OrdinaryClient: SimulatedClient {
    /// How many attempts a payer makes.
    public var attempts = 3
    /// How often a payer asks the engine to do again what failed.
    public var retries = 3
    private var memory: [SessionID: Memory] = [:]

    private struct Memory: Sendable {
        var actions = 0
        var problem: Int64 = 0
        var retries = 0
        var hasCaptured = false
    }

    /// The client with the defaults.
    public init() {}

    /// Answers each action once, and each problem with another try.
    public mutating func sees(
        _ screen: inout ClientScreen,
        using dice: inout SplitMix64
    ) -> [ClientAct] {
        let state = screen.state
        var known = memory[state.session, default: Memory()]
        var acts: [ClientAct] = []
        for action in state.actions.dropFirst(known.actions) where action.isOpen {
            let pause = Duration.milliseconds(500 + Int64(dice.next() % 4500))
            acts += Self.answers(to: action, after: pause, &screen)
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
        if let order = state.checkout?.order, order.status == .paid, !known.hasCaptured,
            let amount = order.remainingCapture, amount > 0
        {
            known.hasCaptured = true
            let capture = TransactionRequest(
                kind: .capture,
                payeeReference: "CAP1",
                amount: amount,
                vatAmount: amount / 5,
                description: "Shipment"
            )
            let pause = Duration.milliseconds(1000 + Int64(dice.next() % 9000))
            acts.append(ClientAct(after: pause, .command(.checkout(.transact(capture)))))
        }
        memory[state.session] = known
        return acts
    }

    /// After a failed attempt the other of the first two ways to pay.
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

    private static func answers(
        to action: ClientAction,
        after pause: Duration,
        _ screen: inout ClientScreen
    ) -> [ClientAct] {
        func report(_ outcome: ReportOutcome, after pause: Duration) -> ClientAct {
            ClientAct(after: pause, .report(ClientReport(action: action.id, outcome: outcome)))
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
