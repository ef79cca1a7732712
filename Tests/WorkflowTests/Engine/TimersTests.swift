import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The heap of timers, compared with a table that is searched linearly.
@Suite struct TimersTests {
    /// Returns the due entries of the model.
    private func due(_ model: [Int: Instant], by now: Instant) -> [Instant] {
        model.values.filter { $0 <= now }.sorted()
    }

    @Test(arguments: UInt64(1)...40)
    func `due timers are returned in order, and each only once`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var timers = Timers()
        var model: [Int: Instant] = [:]
        var now = Instant(microseconds: 0)
        for step in 0..<3000 {
            let place = Int.random(in: 0..<50, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let time = now + .microseconds(Int64.random(in: 0...200, using: &random))
                model[place] = time
                timers.add(time, for: place)
            case 6: model[place] = nil
            case 7:
                timers.forgetOutdated(beyond: 60) { model[$0] == $1 }
                #expect(timers.count <= 60, "seed \(seed), step \(step)")
            default:
                now = now + .microseconds(Int64.random(in: 0...100, using: &random))
                let expected = due(model, by: now)
                var popped: [Instant] = []
                while let place = timers.popDue(by: now, where: { model[$0] == $1 }) {
                    popped.append(model[place] ?? Instant(microseconds: .min))
                    model[place] = nil
                }
                #expect(popped == expected, "seed \(seed), step \(step)")
            }
            #expect(
                timers.earliest { model[$0] == $1 } == model.values.min(),
                "seed \(seed), step \(step)"
            )
        }
    }

    @Test func `unloading a session thousands of times leaves only a bounded number of timers`() {
        var core = EngineCore(rules: SessionDecider(catalogue: .sample), seed: 1)
        var ready = CoreTranscript()
        ready.becomeReady()
        let state = ready.state ?? SessionState(session: ready.session)
        for _ in 0..<5000 {
            _ = core.handle(.loaded(state, isWatched: true), at: ready.clock.now)
            _ = core.handle(.watched(state.session, false), at: ready.clock.now)
        }
        #expect(core.sessionCount == 0)
        #expect(core.timerCount <= 2 * EngineCore<SessionDecider>.outdatedTimers)
    }
}
