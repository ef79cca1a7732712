import EventLog
import SwedbankPay
import TestSupport
import Testing
import Workflow
import WorkflowTesting

/// Many payers who wait at the same time, and outages of the PSP while they do.
@Suite struct WaitingTests {
    /// A world on one engine, without encryption, whose payers come within some seconds.
    private static func world(
        _ payers: Int,
        within span: Int64 = 10_000,
        changing change: (inout SimulationSettings<PaymentScenario>) -> Void = { _ in }
    ) -> PaymentWorld {
        var settings = SimulationSettings(decider: SimulationTests.decider)
        settings.sealsRecords = false
        change(&settings)
        var world = SimulatedWorld(settings: settings, seed: UInt64(payers))
        for number in 0..<Int64(payers) {
            world.openWaiting(
                approvesAfter: .milliseconds(5000 + number * 7919 % 25_000),
                after: .milliseconds(number * 6007 % span)
            )
        }
        return world
    }

    private static func completed(in world: PaymentWorld) -> Int {
        world.sessions.count { world.state(of: $0).outcome == .completed }
    }

    @Test(
        .tags(.repeatedThoroughly),
        .guarantee(.payersDontWaitForEachOther),
        arguments: [false, true]
    )
    func `each of many waiting payments is recorded within two poll intervals of its approval`(
        leavesMemory: Bool
    ) {
        let payers = Tier.isThorough ? 1000 : 150
        var world = Self.world(payers) { settings in
            // What only waits for its next poll leaves memory, as in an engine that has no room.
            if leavesMemory { settings.engineLimits.waitingSessions = 0 }
        }
        world.run(for: .seconds(60), steps: .max)
        #expect(world.ledger.violations == [])
        #expect(Self.completed(in: world) == payers)
    }

    @Test(.guarantee(.payersDontWaitForEachOther), arguments: [60, 300])
    func `after an outage, waiting payments are read again, and nothing else is sent`(
        seconds: Int64
    ) throws {
        var world = Self.world(20)
        world.run(for: .seconds(12), steps: .max)
        let before = Self.starts(in: world)
        world.faults.unavailable = 1000
        world.run(for: .seconds(seconds), steps: .max)
        #expect(Self.completed(in: world) < 20)
        let resting = world.sessions.filter {
            world.state(of: $0).problem?.problem.kind == .requestFailed
        }
        #expect(resting.count >= 10)
        world.faults.unavailable = 0
        // The pause between reads is a quarter of the time for which they failed, with some jitter.
        world.run(for: .seconds(seconds / 4 + 30), steps: .max)
        #expect(world.ledger.violations == [])
        #expect(Self.completed(in: world) == 20)
        #expect(Self.starts(in: world) == before)
    }

    /// The number of requests that changed something.
    private static func starts(in world: PaymentWorld) -> Int {
        world.journal.values.joined().count { recorded in
            if case .operationStarted = recorded.event { true } else { false }
        }
    }
}
