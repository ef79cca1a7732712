import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

@Suite struct DoublePaymentTests {
    private static let seeds = (0..<(Tier.isThorough ? 10 : 2)).map { UInt64($0) * 7_919 }

    @Test(.tags(.repeatedThoroughly), arguments: seeds, [false, true])
    func `however the network fails, the PSP starts each attempt of the payer at most once`(
        base: UInt64,
        isCareless: Bool
    ) {
        var paid = 0
        for seed in base..<base + 25 {
            let (spec, provider) = pay(seed: seed, isCareless: isCareless)
            for attempt in Set(provider.starts) {
                let count = provider.starts.count { $0 == attempt }
                #expect(count == 1, "seed \(seed): attempt \(attempt) began \(count) times")
            }
            #expect((spec.state.outcome == .completed) == provider.isPaid, "seed \(seed)")
            #expect(spec.decider.isSettled(spec.state), "seed \(seed)")
            checkProblems(of: spec, provider, seed: seed)
            paid += provider.isPaid ? 1 : 0
        }
        #expect(paid > 2)
    }

    /// Checks that a failed attempt is acknowledged once; its link is the number of attempts begun
    /// by then.
    private func checkProblems(
        of spec: DeciderSpec,
        _ provider: ModelProvider,
        seed: UInt64
    ) {
        var told: [Sealed: Int] = [:]
        for case (.problem(let problem), _) in spec.log {
            if let reference = problem.reference { told[reference, default: 0] += 1 }
        }
        #expect(told.values.allSatisfy { $0 == 1 }, "seed \(seed)")
        #expect(told.count <= provider.starts.count, "seed \(seed)")
    }

    /// Lets a payer try up to five times with a bad network, and then wait for a good one.
    private func pay(seed: UInt64, isCareless: Bool) -> (DeciderSpec, ModelProvider) {
        var provider = ModelProvider(seed: seed, isCareless: isCareless)
        var spec = DeciderSpec { text, _ in Issue.record("seed \(seed): \(text)") }
        spec.foldsEachStep = false
        spec = spec.when(.open(.sample()))
        for _ in 0..<5 {
            spec = spec.settling(limit: 60) { provider.respond($0, isFaulty: true) }
            let request: ChoiceRequest =
                Bool.random(using: &provider.generator)
                ? .swish(msisdn: .sample("+46739000001")) : .card(rank: 1)
            spec = spec.when(.attempt(request))
            if Bool.random(using: &provider.generator) { spec = spec.when(.retry(by: "payer")) }
            if Bool.random(using: &provider.generator) { spec = spec.dying() }
        }
        for _ in 0..<4 {
            spec = spec.settling(limit: 200) { provider.respond($0, isFaulty: false) }
            guard spec.state.outcome == nil else { break }
            spec = spec.when(.retry(by: "payer"))
        }
        return (spec.settling(limit: 200) { provider.respond($0, isFaulty: false) }, provider)
    }
}

extension DeciderSpec {
    /// Kills the process with a request that was recorded but never sent, and restarts it.
    fileprivate func dying() -> DeciderSpec {
        guard !decider.pendingEffects(of: state).requests.isEmpty else { return self }
        let left = whenRequestLeaves()
        guard let running = left.state.running else { return left }
        return left.when(
            .interrupted(running.start.effect, retryAt: left.clock.now + Self.retryPause)
        )
    }
}
