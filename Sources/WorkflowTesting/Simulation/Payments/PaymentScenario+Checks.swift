public import EventLog
public import SwedbankPay
import Workflow

/// What is checked of payments, beside the guarantees that every workflow has.
extension PaymentScenario {
    /// What is told of money, and what is called completed.
    public static func recorded(
        _ events: ArraySlice<RecordedEvent>,
        leadingTo states: [SessionState],
        of number: Int,
        in world: inout PaymentWorld
    ) {
        if states.last?.outcome == .completed { world.checkPaid(number) }
        world.checkTold(events, states, number)
    }

    /// What is called completed, and the bounds of the rules.
    public static func check(
        _ state: SessionState,
        of number: Int,
        in world: inout PaymentWorld
    ) {
        if state.outcome == .completed { world.checkPaid(number) }
        let limits = world.scenario.rules.limits
        if state.attemptCount > limits.attempts {
            world.violation(
                .boundedEverything,
                "\(state.session) has \(state.attemptCount) attempts"
            )
        }
        // Actions that follow by themselves from the PSP's word go a little over it.
        if state.actions.count > limits.actions + limits.attempts {
            world.violation(
                .boundedEverything,
                "\(state.session) has \(state.actions.count) actions"
            )
        }
    }

    /// The books of the PSP: one payment, and each transaction once.
    public static func checkEffects(of number: Int, in world: inout PaymentWorld) {
        let session = world.sessions[number]
        let provider = world.scenario.provider
        let payments =
            provider.checkouts[session]?.payments ?? provider.orders[session]?.payments ?? 0
        if payments > 1 { world.violation(.noDoublePay, "\(session) paid \(payments) times") }
        let references = provider.checkouts[session]?.transactions.map(\.reference) ?? []
        if Set(references).count < references.count {
            world.violation(.noDoublePay, "a transaction of \(session) was done twice")
        }
    }

    /// What was paid is not called unpaid, and no story tells of what was not.
    public static func checkRest(of number: Int, in world: inout PaymentWorld) {
        world.checkLoss(number)
        world.checkStory(number)
    }

    /// What is told of money in the end is what the books say.
    public static func atRest(in world: inout PaymentWorld) { world.compareWithBooks() }

    /// The request whose answer an event keeps.
    mutating func answered(
        by event: SessionEvent,
        of session: SessionID,
        _ before: SessionState
    ) -> EffectID? {
        let cause: Rel
        switch event {
        case .operationSucceeded(let outcome):
            files[session, default: File()].succeeded = outcome.effect
            return nil
        case .fetched(let fetched): cause = fetched.cause
        case .checkout(.orderFetched(let fetched)): cause = fetched.cause
        default: return nil
        }
        return cause.onlyReads ? before.requests.nextReading : files[session]?.succeeded
    }
}

extension SimulatedWorld where Scenario == PaymentScenario {
    /// What is called completed was paid.
    mutating func checkPaid(_ number: Int) {
        let session = residents[number].id
        let payments = provider.orders[session]?.payments ?? provider.checkouts[session]?.payments
        guard payments == 0 else { return }
        violation(.paidMeansPaid, "\(residents[number].id) is called completed, unpaid")
    }

    /// What was paid at the PSP is not called canceled or failed.
    mutating func checkLoss(_ number: Int) {
        let session = residents[number].id
        guard let outcome = logs[number].live.outcome, outcome == .canceled || outcome == .failed
        else { return }
        let payments = provider.orders[session]?.payments ?? provider.checkouts[session]?.payments
        // Where it is told that nobody knows, and where somebody else paid after the end, nothing false was said.
        guard let payments, payments > 0, logs[number].live.money.standing == .none,
            scenario.files[session]?.newest.contains(where: { $0.isTaken }) == true
        else { return }
        violation(.paidMeansPaid, "\(session) is called \(outcome.rawValue), paid")
    }
}
