import EventLog
import Foundation
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

/// The world itself: its disk, its faults by name, and what a host adds to it.
@Suite struct WorldTests {
    /// A world with one payment by card and one by Swish.
    private static func world(
        _ settings: SimulationSettings<PaymentScenario> = SimulationSettings(),
        faults: SimulatedFaults = .none,
        nodes: Int = 1,
        seed: UInt64 = 1
    ) -> PaymentWorld {
        var world = SimulatedWorld(settings: settings, faults: faults, nodes: nodes, seed: seed)
        world.open(
            payer: .approves,
            authentication: .methodAndChallenge,
            paysWith: [.card(rank: nil)]
        )
        world.open(payer: .approves, authentication: .method, paysWith: [.swish(msisdn: nil)])
        return world
    }

    @Test func `every fault has a name by which it is set and asked for`() {
        #expect(Set(SimulatedFaults.allNames).count == SimulatedFaults.all.count)
        for name in SimulatedFaults.allNames {
            var faults = SimulatedFaults.none
            #expect(faults[name] == 0)
            faults[name] = 1000
            #expect(faults[name] == 1000 && faults != .none, "\(name)")
            faults[name] = 5000
            #expect(faults[name] == 1000)
        }
        var faults = SimulatedFaults.stormy
        #expect(faults["noSuchFault"] == nil)
        faults["noSuchFault"] = 3
        #expect(faults == .stormy)
    }

    @Test(arguments: SimulatedFaults.allNames)
    func `every fault alone makes another history, and all settles`(name: String) throws {
        var company = SimulatedFaults.none
        if name == "workAfterDeath" { (company.crash, company.carelessProvider) = (60, 1000) }
        var faults = company
        faults[name] = ["carelessProvider", "workAfterDeath"].contains(name) ? 1000 : 60
        // Forged records are refused, and change nothing.
        let changesNothing = name == "forgedLog"
        var isDifferent = name == "carelessProvider"
        for seed in UInt64(1)...6 {
            let calm = try SimulationTests.run(seed: seed, faults: company, nodes: 2, sessions: 2)
            let world = try SimulationTests.run(seed: seed, faults: faults, nodes: 2, sessions: 2)
            isDifferent = isDifferent || world.digest != calm.digest
        }
        #expect(isDifferent != changesNothing)
    }

    @Test(arguments: 1...40)
    func `after a power loss at any moment the durable part of the log is there`(
        steps: Int
    ) throws {
        var world = Self.world(seed: UInt64(steps))
        world.run(steps: steps * 2)
        let before = world.journal
        world.losePower()
        for (session, events) in before {
            #expect(Array(world.events(of: session).prefix(events.count)) == events)
        }
        world.finish()
        #expect(world.ledger.violations == [])
        #expect(world.sessions.map { world.state(of: $0).outcome } == [.completed, .completed])
        for session in world.sessions {
            let (head, damage) = LogVerifier<SessionEvent>.verify(
                world.records(of: session),
                stream: session
            )
            #expect(damage == nil)
            #expect(head.sequence == world.state(of: session).sequence)
        }
    }

    @Test func `sealed records hold every secret and none in the clear`() throws {
        for seed in UInt64(1)...5 {
            var world = Self.world(faults: .stormy, nodes: 2, seed: seed)
            world.run(for: .seconds(120))
            world.finish()
            #expect(world.ledger.violations == [])
            let records = world.sessions.flatMap { world.records(of: $0) }
            #expect(records.contains { !$0.seals.isEmpty })
        }
    }

    @Test func `a condition of the host's own is checked, and named when it breaks`() throws {
        var settings = SimulationSettings()
        settings.invariants = [
            SimulationInvariant("oneMethodOnly") { moment in
                moment.state.attemptCount > 0 && moment.kind == .published
                    ? "an attempt was started" : nil
            }
        ]
        var world = Self.world(settings)
        world.run()
        let violation = try #require(world.ledger.violations.first)
        #expect("\(violation)" == "oneMethodOnly: an attempt was started")
        #expect(SimulationTests.decider.limits.attempts > 1)
    }

    @Test func `at rest a condition sees what the provider has seen`() {
        var settings = SimulationSettings()
        settings.invariants = [
            SimulationInvariant("paidOnce") { moment in
                guard moment.kind == .rest else { return nil }
                return moment.payments == 1 && moment.attemptsSeen == 1
                    ? nil : "\(moment.payments) payments, \(moment.attemptsSeen) attempts"
            }
        ]
        var world = Self.world(settings)
        world.finish()
        #expect(world.ledger.violations == [])
    }

    /// A client that closes every page.
    private struct ImpatientClient: SimulatedClient {
        mutating func sees(
            _ screen: inout ClientScreen,
            using dice: inout SplitMix64
        ) -> [ClientAct] {
            screen.state.actions.filter(\.isOpen).map { action in
                let report = ClientReport(action: action.id, outcome: .failed(error: nil))
                return ClientAct(after: .seconds(1), .report(report))
            }
        }
    }

    @Test func `a host's own client is asked what to do`() {
        var settings = SimulationSettings()
        settings.client = ImpatientClient()
        var world = Self.world(settings)
        world.finish()
        #expect(world.ledger.violations == [])
        let events = world.journal.values.joined()
        #expect(
            events.contains {
                if case .threeDSLoadFailed = $0.event { true } else { false }
            }
        )
        let completed = world.sessions.filter { world.state(of: $0).outcome == .completed }
        #expect(completed.count < 2)
    }

    @Test func `a host's own limits are kept`() throws {
        var settings = SimulationSettings()
        settings.decider.limits.swishAttempt = .seconds(20)
        settings.engineLimits.queuedInputs = 1
        var world = SimulatedWorld(settings: settings, seed: 3)
        let session = world.open(
            payer: .hesitates,
            authentication: .method,
            paysWith: [.swish(msisdn: nil)]
        )
        world.run(for: .seconds(60))
        let overdue = world.events(of: session).contains {
            if case .problem(let problem) = $0.event {
                problem.kind == .deadlineExceeded
            } else {
                false
            }
        }
        #expect(overdue)
        #expect(world.ledger.violations == [])
    }

    @Test func `a timeline is written only when it is asked for`() {
        var silent = Self.world(faults: .stormy)
        silent.run(steps: 300)
        #expect(silent.timeline.isEmpty)
        var world = Self.world(faults: .stormy)
        world.recordsTimeline = true
        world.run(steps: 300)
        #expect(world.timeline.count > 100)
        #expect(world.timeline.map(\.time) == world.timeline.map(\.time).sorted())
        #expect(!world.timeline.contains { $0.text.contains("~secret~") })
        #expect(world.digest == silent.digest)
    }

    /// The number of worlds of the sweep; `SIMULATION_SWEEP` changes it.
    static let sweep = UInt64(ProcessInfo.processInfo.environment["SIMULATION_SWEEP"] ?? "") ?? 2000

    @Test func `in many short worlds of all kinds the guarantees hold`() throws {
        var statistics = SimulationStatistics()
        let start = ContinuousClock.now
        var digest = Digest256.zero
        for seed in UInt64(1)...Self.sweep {
            let world = try SimulationTests.run(
                seed: 1_000_000 + seed,
                faults: .stormy,
                nodes: 1 + Int(seed % 3),
                sessions: seed % 4 == 0 ? 0 : 1,
                checkouts: seed % 4 == 0 ? 1 : 0,
                seals: seed / 4 % 4 == 0
            )
            statistics.steps += world.statistics.steps
            statistics.sessionTime += world.statistics.sessionTime
            digest = HashChain.hash(digest, world.digest.bytes)
        }
        let taken = (ContinuousClock.now - start) / .seconds(1)
        let minutes = statistics.sessionTime / .seconds(60)
        print(
            "simulated \(Self.sweep) worlds, \(statistics.steps) steps, \(Int(minutes)) session-minutes",
            "in \(taken) s: \(Int(Double(Self.sweep) / taken)) worlds/s,",
            "\(Int(minutes / taken)) session-minutes/s; history \(digest.hexadecimal.prefix(16))"
        )
    }
}
