import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing
import Workflow
import WorkflowTesting

/// The real engine core in worlds with faults; each world can be repeated by its seed.
@Suite struct SimulationTests {
    static let decider = SessionDecider(catalogue: ProblemCatalogue(rows: [], version: "test"))

    /// The number of worlds of each test; `SIMULATION_RUNS` changes it.
    static let runs =
        UInt64(ProcessInfo.processInfo.environment["SIMULATION_RUNS"] ?? "")
        ?? (Tier.isThorough ? 60 : 6)

    /// Whether the steps of a violated world are printed: `SIMULATION_TIMELINE=1`.
    static let showsTimeline = ProcessInfo.processInfo.environment["SIMULATION_TIMELINE"] != nil

    /// Runs a world with several sessions until its end.
    @discardableResult
    static func run(
        seed: UInt64,
        faults: SimulatedFaults,
        nodes: Int = 1,
        sessions: Int = 6,
        checkouts: Int = 0,
        seals: Bool = false,
        driver: any CoreDriver<SessionDecider> = FaithfulDriver<SessionDecider>()
    ) throws -> PaymentWorld {
        var settings = SimulationSettings(decider: decider)
        settings.sealsRecords = seals
        var world = SimulatedWorld(
            settings: settings,
            faults: faults,
            nodes: nodes,
            seed: seed,
            driver: driver
        )
        world.recordsTimeline = showsTimeline
        var dice = SplitMix64(seed: seed &+ 1)
        for _ in 0..<sessions {
            let payers: [SimulatedProvider.Payer] = [.approves, .approves, .declines]
            let payer = payers[Int(dice.next() % 3)]
            let ways = SimulatedProvider.Authentication.allCases
            let authentication = ways[Int(dice.next() % UInt64(ways.count))]
            let preference: Preference =
                dice.next() % 2 == 0 ? .swish(msisdn: nil) : .card(rank: nil)
            world.open(payer: payer, authentication: authentication, paysWith: [preference])
        }
        for _ in 0..<checkouts {
            let payer: SimulatedProvider.Payer = dice.next() % 4 == 0 ? .hesitates : .approves
            world.openCheckout(payer: payer, lockedTo: dice.next() % 2 == 0 ? .swish : nil)
        }
        world.run(for: .seconds(300))
        if world.ledger.violations.isEmpty { world.finish() }
        if let violation = world.ledger.violations.first {
            throw Broken(seed: seed, what: "\(violation)", world)
        }
        return world
    }

    struct Broken: Error, CustomStringConvertible {
        var description: String

        init(seed: UInt64, what: String, _ world: PaymentWorld) {
            var text = "seed \(seed): \(what)\n"
            for session in world.sessions where what.contains("\(session)") {
                for recorded in world.events(of: session) {
                    text += "  \(recorded.at) \(recorded.sequence) \(recorded.metadata.cause) "
                    text += String("\(recorded.event)".prefix(160)) + "\n"
                }
            }
            for step in world.timeline.suffix(200) {
                text += "  \(step.time) \(step.node.map { "node \($0)" } ?? "-") "
                text +=
                    "\(step.session.map { "\($0)".suffix(4) } ?? "-") \(step.kind) \(step.text)\n"
            }
            description = text
        }
    }

    @Test(.guarantee(.replayEqualsLive), .tags(.repeatedThoroughly))
    func `in a calm world every payment that the payer approves is completed`() throws {
        for seed in UInt64(1)...max(1, Self.runs / 2) {
            var world = SimulatedWorld(settings: SimulationSettings(), seed: seed)
            for authentication in SimulatedProvider.Authentication.allCases {
                world.open(
                    payer: .approves,
                    authentication: authentication,
                    paysWith: [.card(rank: nil)]
                )
            }
            world.open(
                payer: .approves,
                authentication: .challenge,
                paysWith: [.swish(msisdn: nil)]
            )
            world.finish()
            #expect(world.ledger.violations == [])
            for session in world.sessions {
                let state = world.state(of: session)
                #expect(state.outcome == .completed, "seed \(seed)")
                #expect(world.provider.orders[session]?.payments == 1, "seed \(seed)")
            }
        }
    }

    @Test func `the same seed gives the same history`() throws {
        let one = try Self.run(seed: 7, faults: .stormy, nodes: 2)
        let two = try Self.run(seed: 7, faults: .stormy, nodes: 2)
        #expect(one.journal == two.journal)
        #expect(one.digest == two.digest)
        #expect(one.statistics == two.statistics)
        let other = try Self.run(seed: 8, faults: .stormy, nodes: 2)
        #expect(one.digest != other.digest)
        #expect(one.statistics.events > 0)
    }

    @Test(
        .threat("T-33"),
        .guarantee(.noDoublePay),
        .tags(.repeatedThoroughly),
        arguments: [false, true]
    )
    func `lost responses never lead to a second payment`(isProviderCareless: Bool) throws {
        var faults = SimulatedFaults()
        faults.answerLost = 250
        faults.requestLost = 100
        faults.answerTwice = 200
        faults.hang = 50
        faults.isProviderCareless = isProviderCareless
        var lost = 0
        for seed in UInt64(1)...Self.runs {
            lost += try Self.run(seed: seed, faults: faults).statistics.lostResponses
        }
        #expect(lost > Int(Self.runs))
    }

    @Test(.guarantee(.nothingLost), .tags(.repeatedThoroughly))
    func `after a crash at any moment, payments continue from the log`() throws {
        var faults = SimulatedFaults()
        faults.crash = 40
        faults.powerLoss = 5
        var statistics = SimulationStatistics()
        for seed in UInt64(1)...Self.runs {
            let world = try Self.run(seed: seed, faults: faults)
            statistics.crashes += world.statistics.crashes
            statistics.tornWrites += world.statistics.tornWrites
        }
        #expect(statistics.crashes > Int(Self.runs))
        #expect(statistics.tornWrites > 0)
    }

    @Test(.tags(.repeatedThoroughly))
    func `failing appends, and successful ones that are reported as failed, lose nothing`()
        throws
    {
        var faults = SimulatedFaults()
        faults.appendFails = 150
        faults.commitUnacknowledged = 150
        faults.slowDisk = 50
        faults.fullDisk = 5
        for seed in UInt64(1)...Self.runs { try Self.run(seed: seed, faults: faults) }
    }

    @Test(.tags(.repeatedThoroughly), arguments: [2, 3])
    func `of the engines that share a store, one at a time works on each payment`(nodes: Int) throws
    {
        var faults = SimulatedFaults()
        faults.crash = 15
        faults.letGo = 300
        faults.otherWriter = 300
        faults.reportTwice = 100
        faults.isProviderCareless = true
        var (conflicts, takeovers, handOvers) = (0, 0, 0)
        for seed in UInt64(1)...Self.runs {
            let world = try Self.run(seed: seed, faults: faults, nodes: nodes)
            conflicts += world.statistics.conflicts
            takeovers += world.statistics.takeovers
            handOvers += world.statistics.handOvers
        }
        #expect(conflicts > 0)
        #expect(takeovers > Int(Self.runs))
        #expect(handOvers > 0)
    }

    @Test(.guarantee(.oneWriter), .tags(.repeatedThoroughly))
    func `a suspended engine that lost its lease violates no guarantee when it resumes`() throws {
        var faults = SimulatedFaults()
        faults.pause = 20
        faults.storeCut = 10
        faults.slowDisk = 300
        faults.isProviderCareless = true
        var lost = 0
        for seed in UInt64(1)...Self.runs {
            lost += try Self.run(seed: seed, faults: faults, nodes: 3).statistics.lostLeases
        }
        #expect(lost > Int(Self.runs))
    }

    @Test(.tags(.repeatedThoroughly))
    func `clock jumps neither set the times in a log back nor stop a payment`() throws {
        var faults = SimulatedFaults()
        faults.clockJump = 30
        var jumps = 0
        for seed in UInt64(1)...Self.runs {
            jumps += try Self.run(seed: seed, faults: faults, nodes: 2).statistics.clockJumps
        }
        #expect(jumps > Int(Self.runs))
    }

    @Test(.tags(.repeatedThoroughly))
    func `client reports that are late, repeated, wrong or missing violate no guarantee`()
        throws
    {
        var faults = SimulatedFaults()
        faults.reportLate = 200
        faults.reportTwice = 200
        faults.reportNever = 100
        faults.reportWrong = 200
        faults.doubleTap = 300
        faults.impatience = 100
        faults.isProviderCareless = true
        for seed in UInt64(1)...Self.runs { try Self.run(seed: seed, faults: faults, nodes: 2) }
    }

    @Test(.tags(.repeatedThoroughly))
    func `payments settle although the PSP is down for a while or limits the request rate`()
        throws
    {
        var faults = SimulatedFaults()
        faults.outage = 10
        faults.rateLimiting = 10
        faults.tooManyRequests = 50
        faults.providerCut = 5
        faults.answerLate = 100
        faults.connectionRefused = 50
        for seed in UInt64(1)...Self.runs { try Self.run(seed: seed, faults: faults, nodes: 2) }
    }

    @Test(.tags(.repeatedThoroughly))
    func `a checkout that the payer pays is completed and captured once`() throws {
        for seed in UInt64(1)...max(1, Self.runs / 2) {
            var world = SimulatedWorld(settings: SimulationSettings(), seed: seed)
            world.openCheckout(payer: .approves)
            world.openCheckout(payer: .approves, lockedTo: .creditCard)
            world.finish()
            #expect(world.ledger.violations == [])
            for session in world.sessions {
                #expect(world.state(of: session).outcome == .completed, "seed \(seed)")
                let books = world.provider.checkouts[session]
                #expect(books?.payments == 1 && books?.references.count == 1, "seed \(seed)")
                let captures = books?.transactions.map(\.reference).filter { $0.hasPrefix("CAP") }
                #expect(captures == ["CAP1"], "seed \(seed)")
            }
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: [1, 3])
    func `with faults of all kinds, checkouts are paid once and captured once`(nodes: Int) throws {
        var faults = SimulatedFaults.stormy
        faults.answerLost = 120
        faults.isProviderCareless = true
        for seed in UInt64(1)...Self.runs {
            try Self.run(seed: seed, faults: faults, nodes: nodes, sessions: 1, checkouts: 3)
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: [1, 2, 3])
    func `with all faults at once, the guarantees hold and every session settles`(
        nodes: Int
    ) throws {
        for seed in UInt64(1)...Self.runs {
            try Self.run(seed: seed, faults: .stormy, nodes: nodes)
        }
    }
}
