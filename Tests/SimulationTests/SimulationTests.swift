import Foundation
import Testing
import Workflow
import WorkflowTesting

/// The real engine core in worlds where things go wrong; each world can be repeated by its seed.
@Suite struct SimulationTests {
    static let decider = SessionDecider(catalogue: ProblemCatalogue(rows: [], version: "test"))

    struct History: Equatable {
        var outcomes: [Outcome?]
        var lengths: [Int]
    }

    /// How many worlds each test runs; `SIMULATION_RUNS` asks for another number.
    static let runs = UInt64(ProcessInfo.processInfo.environment["SIMULATION_RUNS"] ?? "") ?? 60

    /// Runs a world with several sessions to its end.
    @discardableResult
    static func run(
        seed: UInt64,
        faults: SimulatedWorld.Faults,
        nodes: Int = 1,
        driver: any CoreDriver = FaithfulDriver()
    ) throws -> SimulatedWorld {
        var world = SimulatedWorld(
            decider: decider,
            faults: faults,
            nodes: nodes,
            seed: seed,
            driver: driver
        )
        var dice = SplitMix64(seed: seed &+ 1)
        var sessions: [SessionID] = []
        for _ in 0..<6 {
            let payers: [SimulatedProvider.Payer] = [.approves, .approves, .declines]
            let payer = payers[Int(dice.next() % 3)]
            let ways = SimulatedProvider.Authentication.allCases
            let authentication = ways[Int(dice.next() % UInt64(ways.count))]
            let preference: Preference =
                dice.next() % 2 == 0 ? .swish(msisdn: nil) : .card(rank: nil)
            sessions.append(
                world.open(
                    payer: payer,
                    authentication: authentication,
                    paysWith: [preference]
                )
            )
        }
        world.run()
        if let violation = world.ledger.violations.first {
            throw Broken(seed: seed, what: "\(violation)", world, sessions)
        }
        for session in sessions {
            let state = world.state(of: session)
            guard state.sequence == 0 || decider.isSettled(state) else {
                let what = "settles: \(session) never settled"
                throw Broken(seed: seed, what: what, world, [session])
            }
        }
        if world.unanswered > 0 {
            let what = "settles: \(world.unanswered) commands were never answered"
            throw Broken(seed: seed, what: what, world, [])
        }
        return world
    }

    struct Broken: Error, CustomStringConvertible {
        var description: String

        init(seed: UInt64, what: String, _ world: SimulatedWorld, _ sessions: [SessionID]) {
            var text = "seed \(seed): \(what)\n"
            for session in sessions where what.contains("\(session)") {
                for recorded in world.journal[session] ?? [] {
                    text += "  \(recorded.at) \(recorded.sequence) \(recorded.metadata.cause) "
                    text += String("\(recorded.event)".prefix(160)) + "\n"
                }
            }
            description = text
        }
    }

    @Test func `in a calm world every payment that the payer approves is completed`() throws {
        for seed in UInt64(1)...max(1, Self.runs / 2) {
            var world = SimulatedWorld(decider: Self.decider, seed: seed)
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
            world.run()
            #expect(world.ledger.violations == [])
            for session in world.journal.keys {
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
        #expect(!one.journal.isEmpty)
    }

    @Test(arguments: [false, true])
    func `lost answers never lead to a second payment`(isProviderCareless: Bool) throws {
        var faults = SimulatedWorld.Faults()
        faults.answerLost = 250
        faults.requestLost = 100
        faults.answerTwice = 200
        faults.isProviderCareless = isProviderCareless
        for seed in UInt64(1)...Self.runs { try Self.run(seed: seed, faults: faults) }
    }

    @Test func `after a crash at any moment payments go on from the log`() throws {
        var faults = SimulatedWorld.Faults()
        faults.crash = 40
        var crashes = 0
        for seed in UInt64(1)...Self.runs {
            crashes += try Self.run(seed: seed, faults: faults).crashes
        }
        #expect(crashes > Self.runs)
    }

    @Test func `a store that fails, or says so without having failed, loses nothing`() throws {
        var faults = SimulatedWorld.Faults()
        faults.appendFails = 150
        faults.commitUnacknowledged = 150
        for seed in UInt64(1)...Self.runs { try Self.run(seed: seed, faults: faults) }
    }

    @Test(arguments: [2, 3])
    func `engines that share a journal work on each payment one at a time`(nodes: Int) throws {
        var faults = SimulatedWorld.Faults()
        faults.crash = 15
        faults.letGo = 300
        faults.otherWriter = 300
        faults.clumsyClient = 100
        faults.isProviderCareless = true
        var (conflicts, takeovers) = (0, 0)
        for seed in UInt64(1)...Self.runs {
            let world = try Self.run(seed: seed, faults: faults, nodes: nodes)
            conflicts += world.conflicts
            takeovers += world.takeovers
        }
        #expect(conflicts > 0)
        #expect(takeovers > Self.runs)
    }

    @Test(arguments: [1, 2])
    func `in a storm of all faults at once the guarantees hold and all settles`(
        nodes: Int
    ) throws {
        for seed in UInt64(1)...Self.runs {
            try Self.run(seed: seed, faults: .stormy, nodes: nodes)
        }
    }
}

extension SimulatedWorld.Faults {
    static var stormy: SimulatedWorld.Faults {
        var faults = SimulatedWorld.Faults()
        faults.requestLost = 60
        faults.answerLost = 60
        faults.answerTwice = 60
        faults.unavailable = 60
        faults.failsAfterProcessing = 30
        faults.unusableAnswer = 30
        faults.appendFails = 20
        faults.commitUnacknowledged = 20
        faults.crash = 15
        faults.clumsyClient = 150
        faults.otherWriter = 150
        faults.letGo = 100
        return faults
    }
}
