import Foundation
import TestSupport
import Testing

/// Hosts and logs that are broken on purpose are detected: a campaign that could not fail would
/// prove nothing.
@Suite struct OracleTests {
    private static let kinds = ["swishThere", "card", "checkout"]

    /// Lets a host complete a few payments, as far as it can.
    private func pay(
        _ place: Place,
        sabotage: String? = nil,
        publishingTo follower: Follower? = nil
    ) async throws -> (Oracle, TestProcess.Ending) {
        var seed = Seed(5)
        let payments = try await Plan.payments(
            3,
            named: "o",
            kinds: Self.kinds,
            faults: false,
            at: place,
            using: &seed
        )
        try Plan.write(payments, to: "jobs", of: place)
        var environment = follower?.environment ?? [:]
        environment["CAMPAIGN_SABOTAGE"] = sabotage
        let host = try place.host(environment: environment)
        let ending = await host.ending(killedAfter: .seconds(120))
        return (try await Oracle(of: place, payments: payments), ending)
    }

    @Test func `an attempt started twice at the PSP is detected`() async throws {
        try await Place.with("twice") { place in
            let (oracle, _) = try await pay(place, sabotage: "startTwice")
            let found = oracle.findings().map(\.what)
            #expect(found.contains { $0.contains("2 payments for 1 attempts") }, "\(found)")
            #expect(
                found.contains {
                    $0.contains("saw start-payment-attempt 2 times, the log started it 1 times")
                },
                "\(found)"
            )
        }
    }

    @Test func `an acknowledgement before the event is durable is detected`() async throws {
        try await Place.with("early") { place in
            let (oracle, ending) = try await pay(place, sabotage: "acknowledgeEarly")
            #expect(ending.status == 9)
            let found = oracle.findings().map(\.what)
            #expect(found.contains { $0.contains("acknowledged by host, but the log ends") })
        }
    }

    @Test func `a line missing anywhere in a log is detected`() async throws {
        try await Place.with("dropped") { place in
            let (sound, ending) = try await pay(place)
            #expect(ending.status == 0)
            #expect(sound.findings().map(\.what) == [])
            var missed: [String] = []
            for (session, log) in sound.logs {
                for index in log.records.indices {
                    var logs = sound.logs
                    logs[session]?.records.remove(at: index)
                    let oracle = Oracle(
                        payments: sound.payments,
                        ledger: sound.ledger,
                        logs: logs,
                        acknowledged: sound.acknowledged
                    )
                    if oracle.findings().isEmpty { missed.append("\(session) \(index + 1)") }
                }
            }
            #expect(missed == [])
        }
    }

    @Test func `a record that a subscriber missed or received too early is detected`()
        async throws
    {
        try await Place.with("feed") { place in
            let follower = try await Follower(at: place, seed: Seed(6))
            var (sound, _) = try await pay(place)
            let received = try await follower.finish()
            let count = sound.logs.values.reduce(0) { $0 + $1.records.count }
            #expect(received.count == count && count > 30)
            // A subscriber may receive a record again.
            for repeated in [received, received + received.suffix(3)] {
                sound.received = repeated
                #expect(sound.findings().map(\.what) == [])
            }
            for index in received.indices {
                sound.received = received
                sound.received?.remove(at: index)
                #expect(!sound.findings().isEmpty, "without \(received[index])")
                sound.received = received
                sound.received?[index].hash = String(repeating: "0", count: 64)
                #expect(!sound.findings().isEmpty, "another \(received[index])")
            }
            sound.received = received.reversed()
            #expect(!sound.findings().isEmpty)
        }
    }

    @Test(arguments: [nil, "skipBatch"])
    func `events that a host counts as published and never sent are detected`(
        sabotage: String?
    ) async throws {
        try await Place.with("skipped") { place in
            let follower = try await Follower(at: place, seed: Seed(7))
            let (paid, ending) = try await pay(place, sabotage: sabotage, publishingTo: follower)
            #expect(ending.status == 0, "\(ending.words)")
            // A publisher without a defect continues where the host stopped.
            var oracle = paid
            oracle.received = try await follower.finish()
            let found = oracle.findings().map(\.what)
            #expect(found.isEmpty == (sabotage == nil), "\(found)")
            #expect(found.allSatisfy { $0.hasPrefix("a subscriber received") }, "\(found)")
        }
    }

    @Test func `money reported differently from the PSP's ledger is detected`() async throws {
        try await Place.with("money") { place in
            let (sound, _) = try await pay(place)
            #expect(sound.told.count == 3)
            #expect(sound.findings().map(\.what) == [])
            for (session, money) in sound.told {
                for standing in ["none", "intended"] {
                    var wrong = sound
                    wrong.told[session]?.standing = standing
                    wrong.told[session]?.explained = standing
                    #expect(wrong.findings().count == 1, "\(standing)")
                    wrong = sound
                    wrong.told[session]?.explained = standing
                    #expect(wrong.findings().count == 1, "explained as \(standing)")
                }
                var listed = sound
                listed.told[session]?.isAtRisk.toggle()
                #expect(listed.findings().count == 1, "at risk")
                for (name, amount) in money.amounts {
                    var wrong = sound
                    wrong.told[session]?.amounts[name] = amount + 1
                    #expect(wrong.findings().count == 1, "\(name)")
                }
                // A response from before the payment cannot have said that it is paid.
                var early = sound
                early.told[session]?.asOf = money.asOf.map { $0 - 3_600 }
                #expect(early.findings().count == 1)
            }
        }
    }

    @Test func `the loss of a session's last events from a store is detected`() async throws {
        try await Place.with("vanished") { place in
            let (sound, _) = try await pay(place)
            let session = try #require(sound.logs.values.first { !$0.isCheckout }?.session)
            try await python(
                """
                import sqlite3, sys
                store = sqlite3.connect(sys.argv[1])
                store.execute("DELETE FROM events WHERE position IN (SELECT position FROM events "
                    "JOIN sessions ON key = session WHERE id = ? ORDER BY seq DESC LIMIT 2)", [sys.argv[2]])
                store.commit()
                """,
                [place.store, session],
                in: place
            )
            let oracle = try await Oracle(of: place, payments: sound.payments)
            let found = oracle.findings().map(\.what)
            #expect(found.contains { $0.contains("acknowledged by host, but the log ends") })
            #expect(try await place.tool(["verify"]).status == 65)
        }
    }
}

/// Runs a Python script, to inspect a store independently of the code under test.
@discardableResult
func python(_ script: String, _ arguments: [String], in place: Place) async throws -> String {
    let path = try place.write(script, to: "script-\(UUID().uuidString.prefix(6)).py")
    let child = try place.start("/usr/bin/env", ["python3", path] + arguments)
    let ending = await child.ending()
    guard ending.status == 0 else { throw CampaignError(ending.words) }
    return ending.output
}
