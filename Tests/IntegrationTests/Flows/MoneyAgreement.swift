import Sandbox
import SwedbankPay
import Testing
import Workflow

/// Compares the engine's statements about money with what really happened at the PSP.
///
/// It does so right after a response was read, so that both describe the same moment. Its oracle is
/// the sandbox's ledger, which shares no code with the engine.
enum MoneyAgreement {
    /// Returns where the engine is wrong, or more certain than the PSP's ledger.
    static func faults(of money: MoneyState, with ledger: LedgerOrder) -> [String] {
        var faults: [String] = []
        switch money.standing {
        case .none, .intended:
            if ledger.authorizedAmount > 0 {
                faults.append("told \(money.standing), the PSP took \(ledger.authorizedAmount)")
            }
            if ledger.isAttemptRunning {
                faults.append("told \(money.standing), an attempt is under way at the PSP")
            }
        case .confirmed:
            if money.taken == nil { faults.append("told confirmed, and nothing of the amount") }
            if ledger.movements.isEmpty { faults.append("told confirmed, the PSP took nothing") }
        case .underWay, .unknown: break
        }
        guard let taken = money.taken else { return faults }
        let told: [(String, Amount?, Int)] = [
            ("paid", taken.amount, ledger.authorizedAmount),
            ("captured", taken.captured, ledger.capturedAmount),
            ("canceled", taken.canceled, ledger.cancelledAmount),
            ("reversed", taken.reversed, ledger.reversedAmount),
            ("capturable", taken.capturable, ledger.remainingCaptureAmount),
            ("reversible", taken.reversible, ledger.remainingReversalAmount),
            ("net", taken.net, ledger.netAmount),
        ]
        for (name, amount, real) in told where amount.map({ $0 != Amount(Int64(real)) }) == true {
            faults.append("told \(name) \(amount ?? 0), it is \(real)")
        }
        return faults
    }

    /// Expects that the engine claims no more than the PSP's ledger shows.
    static func expect(
        _ state: SessionState,
        _ ledger: LedgerOrder,
        standing: MoneyState.Standing? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(faults(of: state.money, with: ledger) == [], sourceLocation: sourceLocation)
        guard let standing else { return }
        #expect(state.money.standing == standing, sourceLocation: sourceLocation)
    }
}

extension Flow {
    /// Performs another party's act on the money.
    func act(_ act: Act) async throws {
        try await sandbox.carryOut(act, order: order.id)
    }

    /// Waits until the session's state satisfies a condition.
    func until(
        _ condition: @escaping @Sendable (SessionState) -> Bool
    ) async throws -> SessionState {
        let updates = try await engine.updates(of: session)
        let waiting = Task { () -> SessionState? in
            for await update in updates where condition(update.state) { return update.state }
            return nil
        }
        let timer = Task {
            try await Task.sleep(for: .seconds(30))
            waiting.cancel()
        }
        defer { timer.cancel() }
        return try #require(await waiting.value, "the session did not come to be so")
    }

    /// Expects that the engine claims no more of the money than the PSP's ledger shows.
    @discardableResult
    func expectMoneyTold(
        _ standing: MoneyState.Standing? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SessionState {
        let state = try await engine.state(of: session)
        let ledger = try #require(await sandbox.orderLedger(order.id))
        MoneyAgreement.expect(state, ledger, standing: standing, sourceLocation: sourceLocation)
        return state
    }
}
