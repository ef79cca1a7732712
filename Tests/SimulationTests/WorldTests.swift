import EventLog
import Foundation
import SwedbankPay
import TestSupport
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

    @Test func `every fault is set and read by its name, and unknown names are ignored`() {
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

    @Test(.tags(.repeatedThoroughly), arguments: SimulatedFaults.allNames)
    func `each fault but carelessProvider changes the history, and no guarantee is broken`(
        name: String
    ) throws {
        // Requests outlive only engines that crash, after which logs are read again; only sealed
        // records have something to forge.
        let needsCrashes = ["workAfterDeath", "forgedLog", "changedRow"].contains(name)
        let isForging = name == "forgedLog"
        // They change what the PSP shows of orders and of transactions on them.
        let needsOrders = [
            "acceptedLater", "changedMind", "refusedTransaction", "staleAnswer",
        ].contains(name)
        var company = SimulatedFaults.none
        if needsCrashes { (company.crash, company.carelessProvider) = (60, 1000) }
        var faults = company
        let isSure = needsCrashes || needsOrders || name == "carelessProvider"
        faults[name] = isSure ? 1000 : 60
        func digest(_ seed: UInt64, _ faults: SimulatedFaults) throws -> Digest256 {
            try SimulationTests.run(
                seed: seed,
                faults: faults,
                nodes: 2,
                sessions: 2,
                checkouts: needsOrders ? 3 : 0,
                seals: isForging
            ).digest
        }
        var isDifferent = false
        // Without the time for all of them, until one differs.
        for seed in UInt64(1)...6 where Tier.isThorough || !isDifferent {
            let (calm, troubled) = (try digest(seed, company), try digest(seed, faults))
            isDifferent = isDifferent || troubled != calm
        }
        // A careless provider matters only to an engine that sends a start twice; these payers
        // decide when they are polled.
        #expect(isDifferent || ["carelessProvider", "ownPace"].contains(name))
    }

    @Test(arguments: 1...40)
    func `a power loss at any step keeps all durable events, and the payments complete`(
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

    @Test func `in a stormy world records are sealed and contain no secret in the clear`() throws {
        for seed in UInt64(1)...5 {
            var world = Self.world(faults: .stormy, nodes: 2, seed: seed)
            world.run(for: .seconds(120))
            world.finish()
            #expect(world.ledger.violations == [])
            let records = world.sessions.flatMap { world.records(of: $0) }
            #expect(records.contains { !$0.seals.isEmpty })
        }
    }

    @Test func `a custom invariant is checked, and its violation names it`() throws {
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

    @Test func `an invariant at rest sees the payments and attempts that the provider counted`() {
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
                let report = ActionReport(action: action.id, outcome: .failed(error: nil))
                return ClientAct(after: .seconds(1), .report(report))
            }
        }
    }

    @Test func `a custom SimulatedClient determines what is reported`() {
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

    @Test(arguments: [Duration.seconds(20), .seconds(600)])
    func `a custom swishAttempt limit applies, and exceeding it is a problem`(
        limit: Duration
    )
        throws
    {
        var settings = SimulationSettings()
        settings.decider.limits.swishAttempt = limit
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
        #expect(overdue == (limit < .seconds(60)))
        #expect(world.ledger.violations == [])
    }

    @Test func `a timeline is recorded only on request, without secrets or effect on the history`()
    {
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
    static let sweep =
        UInt64(ProcessInfo.processInfo.environment["SIMULATION_SWEEP"] ?? "")
        ?? (Tier.isThorough ? 2000 : 40)

    @Test(.tags(.repeatedThoroughly))
    func `the guarantees hold in many short worlds with sessions or checkouts on 1 to 3 nodes`()
        throws
    {
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
