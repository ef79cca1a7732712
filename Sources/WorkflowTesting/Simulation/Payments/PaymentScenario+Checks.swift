public import EventLog
public import SwedbankPay
import Workflow

/// The checks of payments, in addition to the guarantees of every workflow.
extension PaymentScenario {
    /// Checks the statements about money, and completed sessions.
    public static func recorded(
        _ events: ArraySlice<RecordedEvent>,
        leadingTo states: [SessionState],
        of number: Int,
        in world: inout PaymentWorld
    ) {
        if states.last?.outcome == .completed { world.checkPaid(number) }
        world.checkTold(events, states, number)
    }

    /// Checks completed sessions, and the limits of the rules.
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
        // Actions that follow directly from the PSP's responses may exceed the limit a little.
        if state.actions.count > limits.actions + limits.attempts {
            world.violation(
                .boundedEverything,
                "\(state.session) has \(state.actions.count) actions"
            )
        }
    }

    /// Checks the PSP's books: one payment, and each transaction once.
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

    /// Checks that paid sessions are not reported as unpaid, and that no story is untrue.
    public static func checkRest(of number: Int, in world: inout PaymentWorld) {
        world.checkLoss(number)
        world.checkStory(number)
    }

    /// Compares the final statements about money with the books, and captures what is left.
    public static func atRest(in world: inout PaymentWorld) {
        world.compareWithBooks()
        world.captureRest()
    }

    /// The request whose response an event records.
    mutating func responded(
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
    /// Checks that a completed session was paid.
    mutating func checkPaid(_ number: Int) {
        let session = residents[number].id
        let payments = provider.orders[session]?.payments ?? provider.checkouts[session]?.payments
        guard payments == 0 else { return }
        violation(.paidMeansPaid, "\(residents[number].id) is called completed, unpaid")
    }

    /// Checks that a session paid at the PSP is not reported as canceled or failed.
    mutating func checkLoss(_ number: Int) {
        let session = residents[number].id
        guard let outcome = logs[number].live.outcome, outcome == .canceled || outcome == .failed
        else { return }
        let payments = provider.orders[session]?.payments ?? provider.checkouts[session]?.payments
        // A statement that the outcome is unknown is true, and so is one that another party's later
        // payment has overtaken.
        guard let payments, payments > 0, logs[number].live.money.standing == .none,
            scenario.files[session]?.newest.contains(where: { $0.isTaken }) == true
        else { return }
        violation(.paidMeansPaid, "\(session) is called \(outcome.rawValue), paid")
    }

    /// Checks that no lock is left without a key: a merchant captures everything that the PSP still
    /// offers, whatever was refused before.
    mutating func captureRest() {
        guard ledger.violations.isEmpty, !isInterrupted() else { return }
        var waiting: [SessionID] = []
        for resident in residents where provider.checkouts[resident.id]?.isClear == true {
            let checkout = state(of: resident.id).checkout
            guard let order = checkout?.order,
                order.operations.contains(where: { $0.rel == .capture }),
                let rest = order.remainingCapture, rest > 0
            else { continue }
            let capture = TransactionRequest(
                kind: .capture,
                payeeReference: "REST",
                amount: rest,
                vatAmount: 0,
                description: "The rest",
                again: true
            )
            request(.command(.checkout(.transact(capture))), of: resident.id)
            waiting.append(resident.id)
        }
        run(for: .seconds(3600), steps: 100_000)
        for session in waiting where provider.checkouts[session]?.left(for: .capture) != 0 {
            violation(.settles, "what is left of \(session) cannot be captured")
        }
    }
}
