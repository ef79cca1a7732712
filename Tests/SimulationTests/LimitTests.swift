import EventLog
import SwedbankPay
import Synchronization
import Testing
import Workflow
import WorkflowTesting

/// Worlds with such small limits of the engines that they are reached.
@Suite struct LimitTests {
    @Test func `all sessions settle although a breaker or retry budget holds requests back`() {
        var settings = SimulationSettings()
        settings.circuitBreaker.results = 2
        settings.circuitBreaker.rest = .seconds(5)
        settings.retryBudget.percent = 1
        settings.retryBudget.perSecond = 1
        settings.retryBudget.capacity = 2
        var faults = SimulatedFaults()
        faults.outage = 20
        faults.unavailable = 100
        var keptBack = 0
        for seed in UInt64(1)...5 {
            var world = SimulatedWorld(settings: settings, faults: faults, nodes: 2, seed: seed)
            Self.open(6, in: &world)
            world.run(for: .seconds(300))
            world.finish()
            #expect(world.ledger.violations == [], "seed \(seed)")
            keptBack += world.statistics.keptBack
        }
        #expect(keptBack > 0)
    }

    @Test
    func `commands beyond an engine's queue limit are rejected, and no guarantee is violated`() {
        var settings = SimulationSettings()
        settings.engineLimits.queuedInputs = 1
        var faults = SimulatedFaults()
        faults.doubleTap = 1000
        faults.impatience = 300
        faults.slowDisk = 200
        let driver = CountingDriver()
        for seed in UInt64(1)...5 {
            var world = SimulatedWorld(
                settings: settings,
                faults: faults,
                nodes: 2,
                seed: seed,
                driver: driver
            )
            Self.open(8, in: &world)
            world.run(for: .seconds(300))
            world.finish()
            #expect(world.ledger.violations == [], "seed \(seed)")
        }
        #expect(driver.overloads.count > 0)
    }

    private static func open(_ payments: Int, in world: inout PaymentWorld) {
        for number in 0..<payments {
            world.open(
                payer: number % 3 == 2 ? .declines : .approves,
                authentication: .methodAndChallenge,
                paysWith: [number % 2 == 0 ? .swish(msisdn: nil) : .card(rank: nil)]
            )
        }
    }

    /// Counts over all copies of a driver.
    private final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        func add() { value.withLock { $0 += 1 } }
    }

    /// The unchanged engine; counts how often a client was refused for lack of room.
    private struct CountingDriver: CoreDriver {
        let overloads = Counter()

        mutating func handle(
            _ input: EngineInput<SessionDecider>,
            at now: Instant,
            in core: inout EngineCore<SessionDecider>
        ) -> [EngineAction<SessionDecider>] {
            let actions = core.handle(input, at: now)
            for case .reply(_, .overloaded) in actions { overloads.add() }
            return actions
        }
    }
}
