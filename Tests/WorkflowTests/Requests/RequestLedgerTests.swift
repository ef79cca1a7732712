import Foundation
import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay

/// After every event of every log, the ledger agrees with the earlier bookkeeping.
@Suite struct RequestLedgerTests {
    static let decider = SessionDecider(catalogue: ProblemCatalogue(rows: [], version: "test"))

    /// The logs that are kept beside the tests.
    static let kept: [String] = ["Logs", "Cases"].flatMap { folder in
        let path = PythonTool.root.appending(path: "Tests/Fixtures/\(folder)").path()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".ndjson") }.map { "\(folder)/\($0)" }
    }

    @Test func `every fixture log of a single session is compared`() throws {
        let folder = PythonTool.root.appending(path: "Tests/Fixtures").path()
        // An export has the logs of several sessions.
        let all = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".ndjson") && !$0.hasPrefix("Exports/") }
        #expect(all.count > 20)
        #expect(Self.kept.sorted() == all.sorted())
        let golden = GoldenLog.allCases.map { "Logs/\($0.rawValue).ndjson" }
        #expect(Set(golden).isSubset(of: Self.kept))
    }

    @Test(arguments: kept)
    func `for a fixture log, the ledger agrees with the reference bookkeeping`(name: String) throws
    {
        let file = PythonTool.root.appending(path: "Tests/Fixtures/\(name)")
        let records = try GoldenLog.records(in: file)
        let events = try records.map { try EventCodec.decode($0.canonical) }
        #expect(Self.difference(in: events) == nil)
    }

    /// Worlds of each kind, whose logs together lead to every result that matters.
    @Test(.tags(.repeatedThoroughly))
    func `in simulated worlds, the ledger agrees with the reference bookkeeping`() throws {
        var seen = Coverage()
        let seeds: UInt64 = Tier.isThorough ? 40 : 8
        for seed in 1...seeds {
            for faults in Self.weathers {
                var world = SimulatedWorld(faults: faults, nodes: 1 + Int(seed % 3), seed: seed)
                world.open(
                    payer: .approves,
                    authentication: .frictionless,
                    paysWith: [.swish(msisdn: nil)]
                )
                world.open(
                    payer: .declines,
                    authentication: .methodAndChallenge,
                    paysWith: [.card(rank: nil)]
                )
                world.openCheckout(payer: seed % 2 == 0 ? .approves : .hesitates)
                world.run(for: .seconds(300))
                world.finish()
                for session in world.sessions {
                    let events = world.events(of: session)
                    let difference = Self.difference(in: events, noting: &seen)
                    #expect(difference == nil, "seed \(seed)")
                }
            }
        }
        // At least so many of each result in forty worlds of each kind.
        let least: [(count: Int, inForty: UInt64)] = [
            (seen.inFlight, 1_000), (seen.unknown, 300), (seen.leftBehind, 100),
            (seen.exhausted, 50), (seen.repeated, 100), (seen.givenUp, 50),
        ]
        for (count, inForty) in least { #expect(count > Int(inForty * seeds / 40), "\(seen)") }
    }

    private static let weathers: [SimulatedFaults] = {
        var crashes = SimulatedFaults()
        crashes.crash = 40
        crashes.answerLost = 200
        crashes.isProviderCareless = true
        var outages = SimulatedFaults()
        outages.outage = 60
        outages.tooManyRequests = 150
        outages.connectionRefused = 100
        outages.impatience = 100
        return [crashes, outages, .stormy]
    }()

    /// How often a result other than the ordinary one occurred.
    struct Coverage {
        var inFlight = 0
        var unknown = 0
        var leftBehind = 0
        var exhausted = 0
        var repeated = 0
        var givenUp = 0

        mutating func note(_ responses: LedgerResponses) {
            inFlight += responses.inFlight == nil ? 0 : 1
            unknown += responses.notBefore == nil ? 0 : 1
            leftBehind += responses.leftBehind == nil ? 0 : 1
            exhausted += responses.changes?.isExhausted == true ? 1 : 0
            exhausted += responses.reads?.isExhausted == true ? 1 : 0
            repeated += responses.repeated == nil ? 0 : 1
            givenUp += responses.hasGivenUp ? 1 : 0
        }
    }

    private static func difference(in events: [RecordedEvent]) -> String? {
        var seen = Coverage()
        return difference(in: events, noting: &seen)
    }

    /// Returns the first event after which a result differs.
    private static func difference(
        in events: [RecordedEvent],
        noting seen: inout Coverage
    ) -> String? {
        guard let session = events.first?.stream else { return nil }
        var state = SessionState(session: session)
        var reference = ReferenceBookkeeping()
        for recorded in events {
            let before = state
            state.apply(recorded.event, at: recorded.at)
            reference.apply(recorded, before, state)
            var responses = LedgerResponses(state, decider)
            var expected = LedgerResponses(reference, in: state, decider)
            seen.note(responses)
            // A time that has passed delays nothing.
            responses.dropPassed(at: recorded.at)
            expected.dropPassed(at: recorded.at)
            guard responses != expected else { continue }
            return "after \(recorded.sequence) \(recorded.event): \(responses), not \(expected)"
        }
        return nil
    }
}

extension LedgerResponses {
    fileprivate mutating func dropPassed(at now: Instant) {
        if let time = notBefore, time <= now { notBefore = nil }
    }
}
