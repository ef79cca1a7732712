import EventLog
import SwedbankPay
import TestSupport
import Testing
import Workflow
import WorkflowTesting

@Suite struct RandomHistoryTests {
    static let seeds: [UInt64] = (0..<(Tier.isThorough ? 20 : 4)).map { $0 * 1_000_003 }
    static let inputs = 32

    /// Returns a payment whose failures name the seed.
    func payment(seed: UInt64) -> DeciderSpec {
        var spec = DeciderSpec { text, place in
            Issue.record("seed \(seed): \(text)")
        }
        spec.foldsEachStep = false
        return spec
    }

    func histories(
        _ base: UInt64,
        count: UInt64,
        _ body: (UInt64, inout CommandSequence) -> Void
    ) {
        for offset in 0..<count {
            var sequence = CommandSequence(seed: base + offset)
            body(base + offset, &sequence)
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func
        `whatever happens, the fold is the live state, one request at most is owed and the end is the end`(
            base: UInt64
        )
    {
        histories(base, count: 100) { seed, sequence in
            var live: [SessionState] = []
            let spec = payment(seed: seed).when(.open(.sample()))
                .when(random: &sequence, count: Self.inputs) { _, spec in live.append(spec.state) }
            checkPrefixes(of: spec, live: live, seed: seed)
            let endings = spec.log.count {
                ["completed", "canceled", "failed", "expired"].contains($0.event.typeName)
            }
            #expect(endings == (spec.state.outcome == nil ? 0 : 1), "seed \(seed)")
            checkSuccesses(of: spec, seed: seed)
            checkActions(of: spec, seed: seed)
        }
    }

    /// Checks that the log, folded event by event, gives all the live states and their pending
    /// effects.
    private func checkPrefixes(of spec: DeciderSpec, live: [SessionState], seed: UInt64) {
        var folded = SessionState(session: spec.state.session)
        var remaining = live[...]
        for (event, at) in spec.log {
            folded.apply(event, at: at)
            while let state = remaining.first, state.sequence == folded.sequence {
                remaining.removeFirst()
                guard remaining.first?.sequence != folded.sequence else { continue }
                #expect(folded == state, "seed \(seed)")
                #expect(
                    spec.decider.pendingEffects(of: folded)
                        == spec.decider.pendingEffects(of: state),
                    "seed \(seed)"
                )
                #expect(
                    spec.decider.isSettled(folded) == spec.decider.isSettled(state),
                    "seed \(seed)"
                )
            }
        }
        #expect(remaining.isEmpty, "seed \(seed)")
    }

    /// Checks that for one attempt the PSP starts one.
    private func checkSuccesses(of spec: DeciderSpec, seed: UInt64) {
        var current = 0
        var attemptOfEffect: [EffectID: Int] = [:]
        var started: [Int: Int] = [:]
        for (event, _) in spec.log {
            switch event {
            case .attemptStarted(let attempt): current = attempt.number
            case .operationStarted(let start) where start.rel == .startPaymentAttempt:
                attemptOfEffect[start.effect] = start.attempt
                #expect(start.attempt == current, "seed \(seed)")
            case .operationSucceeded(let done) where done.rel == .startPaymentAttempt:
                started[attemptOfEffect[done.effect] ?? -1, default: 0] += 1
            default: break
            }
        }
        #expect(started.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    }

    /// Checks that actions have unique identifiers, and that each has at most one report.
    private func checkActions(of spec: DeciderSpec, seed: UInt64) {
        let names = spec.state.actions.map(\.id)
        #expect(Set(names).count == names.count, "seed \(seed)")
        var answered: [ActionID: Int] = [:]
        for (event, _) in spec.log {
            switch event {
            case .externalAppLaunched(let response): answered[response.action, default: 0] += 1
            case .externalAppLaunchFailed(let failure): answered[failure.action, default: 0] += 1
            case .threeDSMethodCompleted(let done): answered[done.action, default: 0] += 1
            case .threeDSCompleted(let done): answered[done.action, default: 0] += 1
            case .threeDSLoadFailed(let failure): answered[failure.action, default: 0] += 1
            default: break
            }
        }
        #expect(answered.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    }

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func
        `whatever happened, a PSP that responses brings the payment to rest, and nobody is forgotten`(
            base: UInt64
        )
    {
        histories(base, count: 25) { seed, sequence in
            var spec = payment(seed: seed).when(.open(.sample()))
                .when(random: &sequence, count: 25)
            spec = spec.settling(limit: 400) { _ in .snapshot(.cardUnderWay, status: 200) }
            #expect(spec.decider.isSettled(spec.state), "seed \(seed)")
            // At rest it has ended, or an actor or a timer will continue it.
            let pending = spec.decider.pendingEffects(of: spec.state)
            #expect(spec.state.outcome != nil || !pending.timers.isEmpty, "seed \(seed)")
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: seeds)
    func `whatever the PSP responds, it is not sent request after request without a pause`(
        base: UInt64
    ) {
        histories(base, count: 25) { seed, sequence in
            var spec = payment(seed: seed).when(.open(.sample()))
                .when(random: &sequence, count: 15)
            let before = spec.requests.count
            let fixed = sequence.outcome()
            spec = spec.settling(limit: 120) { _ in fixed }
            let times = spec.requests.dropFirst(before).map(\.at)
            // A short burst may follow a change; a loop may not.
            for (first, last) in zip(times, times.dropFirst(12)) {
                #expect(last - first >= .seconds(2), "seed \(seed): \(fixed)")
            }
        }
    }

    @Test func `the same seed gives the same history, and another seed a different one`() {
        var one = CommandSequence(seed: 7)
        var two = CommandSequence(seed: 7)
        let first = payment(seed: 7).when(.open(.sample())).when(random: &one, count: 60)
        let second = payment(seed: 7).when(.open(.sample())).when(random: &two, count: 60)
        #expect(first.log.map(\.event) == second.log.map(\.event))
        var other = CommandSequence(seed: 8)
        let third = payment(seed: 8).when(.open(.sample())).when(random: &other, count: 60)
        #expect(first.log.map(\.event) != third.log.map(\.event))
    }
}
