import Adapters
import EventLog
import Foundation
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// Events are published to a receiver that fails, by processes that are killed: nothing is
    /// skipped.
    @Suite(.serialized, .fewAtATime) struct PublishTests {
        /// Returns a store with some sessions, one of them paid, in a file or on the server.
        private func filled(_ program: Program, inFile: Bool) async throws -> String {
            for number in 0..<8 {
                let session = try await program.open()
                if number == 0 { try await program.pay(session) }
            }
            guard inFile else { return program.place.database.url() }
            let file = "sqlite:\(program.folder)/copy.db"
            #expect(try await program.run("store", "copy", file).status == 0)
            return file
        }

        /// Returns the identifiers of all events.
        private func identities(_ program: Program, _ store: String) async throws -> Set<String> {
            let exported = try await program.run(
                "export",
                "--format",
                "cloudevents",
                "-o",
                "-",
                store: store
            )
            let events =
                try JSONSerialization.jsonObject(with: Data(exported.output.utf8))
                as? [[String: Any]]
            return Set((events ?? []).compactMap { $0["id"] as? String })
        }

        private func publish(_ url: String, _ more: String...) -> [String] {
            ["publish", "--to", url, "--position", "outbox"] + more
        }

        /// `lanes` is `nil` for a file.
        @Test(.tags(.repeatedThoroughly), arguments: Tier.isThorough ? [nil, 1, 8] : [nil, 8])
        func `events that a receiver refuses are sent again, and none is skipped`(
            lanes: Int?
        ) async throws {
            try await Program.with(lanes: lanes) { program in
                let store = try await filled(program, inFile: lanes == nil)
                let receiver = try Receiver()
                defer { receiver.stop() }
                receiver.respond([
                    .status(503), .hangUp, .status(200), .status(500), .status(200), .status(404),
                ])
                try "Authorization: Bearer hook-token\n".write(
                    toFile: program.folder + "/headers",
                    atomically: false,
                    encoding: .utf8
                )
                let done = try await program.run(
                    publish(receiver.url, "--once", "--batch", "7", "--headers-file", "headers")
                        + ["--json"],
                    store: store
                )
                #expect(done.status == 0, "\(done.diagnostics)")
                let all = try await identities(program, store)
                let got = try receiver.identities()
                #expect(all.count > 30)
                #expect(try done.member("published") == "\(all.count)")
                #expect(Set(got) == all)
                #expect(got.count == all.count, "what was taken was not sent again")
                // Three series of failures, each reported once.
                #expect(done.diagnostics.split(separator: "\n").count == 3, "\(done.diagnostics)")
                #expect(done.diagnostics.contains("HTTP status 404 [outbox.undelivered]; retrying"))
                expectOrder(got)
                #expect(receiver.headers.allSatisfy { $0.contains("Bearer hook-token") })
                #expect(receiver.headers[0].contains("application/cloudevents-batch+json"))
                // Sealed values stay sealed, and the seals are not published.
                #expect(!receiver.bodies.contains { $0.contains("seals") })
                #expect(!receiver.bodies.contains { $0.contains("/psp/paymentsessions/") })
                let again = try await program.run(
                    publish(receiver.url, "--once") + ["--json"],
                    store: store
                )
                #expect(try again.member("published") == "0")
            }
        }

        /// Expects that each session's events arrived in order.
        private func expectOrder(_ identities: [String]) {
            var last: [Substring: Int] = [:]
            for identity in identities {
                let parts = identity.split(separator: "/")
                let sequence = Int(parts[1]) ?? 0
                #expect(sequence == (last[parts[0]] ?? 0) + 1, "\(identity)")
                last[parts[0]] = sequence
            }
        }

        /// `lanes` is `nil` for a file.
        @Test(.tags(.repeatedThoroughly), arguments: Tier.isThorough ? [nil, 1, 8] : [nil, 8])
        func
            `a publisher that is killed repeatedly skips no event, and repeats keep their ids`(
                lanes: Int?
            ) async throws
        {
            try await Program.with(lanes: lanes) { program in
                let store = try await filled(program, inFile: lanes == nil)
                let receiver = try Receiver()
                defer { receiver.stop() }
                receiver.delay(microseconds: 30_000)
                for _ in 0..<5 {
                    let before = receiver.bodies.count
                    let process = try program.start(
                        publish(receiver.url, "--batch", "2"),
                        store: store
                    )
                    let deadline = ContinuousClock.now + .seconds(20)
                    while receiver.bodies.count < before + 2, ContinuousClock.now < deadline {
                        try await Task.sleep(for: .milliseconds(3))
                    }
                    // While a response is awaited, or between the response and its record.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...40)))
                    await process.end()
                }
                receiver.delay(microseconds: 0)
                let last = try await program.run(publish(receiver.url, "--once"), store: store)
                #expect(last.status == 0, "\(last.diagnostics)")
                let got = try receiver.identities()
                #expect(try await identities(program, store) == Set(got))
                var seen: Set<String> = []
                expectOrder(got.filter { seen.insert($0).inserted })
                var hashes: [String: String] = [:]
                for match in receiver.taken.joined().matches(
                    of: #/\{"chainhash":"([0-9a-f]+)".*?"id":"([^"]+)","source"/#
                ) {
                    let (hash, id) = (String(match.1), String(match.2))
                    #expect(hashes[id, default: hash] == hash)
                    hashes[id] = hash
                }
                #expect(hashes.count == seen.count)
                // No notice was skipped; of a copy in a file, nothing is said.
                let whole = try Receiver()
                defer { whole.stop() }
                let once = ["publish", "--to", whole.url, "--position", "whole", "--once"]
                #expect(try await program.run(once, store: store).status == 0)
                let notices = try whole.notices()
                #expect(notices.isEmpty == (lanes == nil))
                #expect(try Set(receiver.notices()) == Set(notices))
            }
        }

        @Test func `a role that may not read keys publishes records alone, and says so once`()
            async throws
        {
            try await Program.with { program in
                let session = try await program.open()
                let database = program.place.database
                let role = "publisher_\(database.name)"
                try database.sql("CREATE ROLE \(role) LOGIN")
                for grant in PostgreSQLGrants.statements(for: role, duty: .reading) {
                    try database.sql(grant)
                }
                let receiver = try Receiver()
                defer { receiver.stop() }
                let alone = try await program.run(
                    publish(receiver.url, "--once"),
                    store: database.url(as: role)
                )
                #expect(alone.status == 0, "\(alone.diagnostics)")
                #expect(
                    alone.diagnostics
                        == "note: records are sent alone, without what they mean for payments: "
                        + "the database role may not read the sessions' keys\n"
                )
                #expect(try !receiver.identities().isEmpty && receiver.notices().isEmpty)
                try database.sql("GRANT SELECT ON session_keys TO \(role)")
                let proven = try await program.run(
                    ["publish", "--to", receiver.url, "--position", "proven", "--once"],
                    store: database.url(as: role)
                )
                #expect(proven.status == 0 && proven.diagnostics.isEmpty, "\(proven)")
                #expect(try receiver.notices() == ["\(session)/1/payment-opened"])
            }
        }

        @Test
        func `while a publisher runs it publishes what is recorded, and a second one is refused`()
            async throws
        {
            try await Program.with { program in
                let store = program.place.database.url()
                #expect(try await program.run("store", "init").status == 0)
                let receiver = try Receiver()
                defer { receiver.stop() }
                let first = try program.start(publish(receiver.url), store: store)
                let session = try await program.open()
                let deadline = ContinuousClock.now + .seconds(20)
                while receiver.taken.isEmpty, ContinuousClock.now < deadline {
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(!receiver.taken.isEmpty)
                let second = try await program.run(publish(receiver.url, "--once"))
                #expect(second.status == 75)
                #expect(second.diagnostics.contains("outbox.in-use"))
                #expect(!second.diagnostics.contains("hook-secret"))
                try await program.pay(session)
                // The running publisher publishes what was recorded meanwhile.
                let all = try await identities(program, store)
                let patience = ContinuousClock.now + .seconds(60)
                while Set(try receiver.identities()) != all, ContinuousClock.now < patience {
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(Set(try receiver.identities()) == all)
                first.kill(SIGINT)
                #expect(await first.ending().status == 130)
                let rest = try await program.run(publish(receiver.url, "--once"))
                #expect(rest.status == 0, "\(rest.diagnostics)")
                #expect(Set(try receiver.identities()) == all)
            }
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `a publisher continues in an adopted store that has what was published`(
            lanes: Int
        ) async throws {
            try await Program.with(lanes: lanes) { program in
                let session = try await program.open()
                let store = program.place.database.url()
                let receiver = try Receiver()
                defer { receiver.stop() }
                #expect(try await program.run(publish(receiver.url, "--once")).status == 0)
                // The database moves to another server, where nothing is lost.
                try program.place.database.sql("UPDATE store_identity SET server = 'elsewhere:1'")
                let adopted = try await program.run("store", "adopt", "--reason", "moved")
                #expect(adopted.status == 0, "\(adopted.diagnostics)")
                #expect(try await program.run("abort", session).status == 0)
                let done = try await program.run(publish(receiver.url, "--once", "--json"))
                #expect(done.status == 0, "\(done.diagnostics)")
                let got = try receiver.identities()
                #expect(try await identities(program, store) == Set(got))
                #expect(Set(got).count == got.count)
                #expect(LogCursor(try done.member("cursor"))?.store.epoch == 2)
            }
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `a running publisher stops when its store is restored to an earlier state`(
            lanes: Int
        ) async throws {
            try await Program.with(lanes: lanes) { program in
                let store = try await filled(program, inFile: false)
                let receiver = try Receiver()
                defer { receiver.stop() }
                let running = try program.start(publish(receiver.url), store: store)
                let before = try await identities(program, store)
                let deadline = ContinuousClock.now + .seconds(60)
                while try receiver.identities().count < before.count, ContinuousClock.now < deadline
                {
                    try await Task.sleep(for: .milliseconds(10))
                }
                // An earlier state, without the newest records, like that of a restored backup or a
                // late standby.
                try program.place.database.sql(
                    """
                    TRUNCATE events, session_keys, deliveries, addresses, leases, sessions,
                        listed_sessions;
                    UPDATE log_end SET position = position & ~((1::bigint << 57) - 1);
                    UPDATE listed_progress SET position = position & ~((1::bigint << 57) - 1)
                    """
                )
                let adopted = try await program.run("store", "adopt", "--reason", "restored")
                #expect(adopted.status == 0, "\(adopted.diagnostics)")
                // It grows beyond the published position.
                while try await identities(program, store).count <= before.count {
                    _ = try await program.open()
                }
                // Otherwise it goes on as if nothing had happened.
                #expect(await running.ending(killedAfter: .seconds(60)).status == 65)
                #expect(Set(try receiver.identities()) == before)
                let again = try await program.run(publish(receiver.url, "--once"))
                #expect(again.status == 65 && again.diagnostics.contains("outbox.other-store"))
            }
        }

        @Test
        func
            `another store's position, a damaged one and an unreachable receiver differ in error`()
            async throws
        {
            try await Program.with { program in
                _ = try await program.open()
                let receiver = try Receiver()
                let url = receiver.url
                #expect(try await program.run(publish(url, "--once")).status == 0)
                let second = try await program.open()
                receiver.respond([.status(410)])
                let gone = try await program.run(publish(url, "--once"))
                #expect(gone.status == 69 && gone.diagnostics.contains("410"))
                #expect(gone.diagnostics.contains("event 1 of session \(second)"))
                receiver.stop()
                let away = try await program.run(publish(url, "--once", "--wait", "1s"))
                #expect(away.status == 69, "\(away.diagnostics)")
                #expect(away.diagnostics.contains("outbox.undelivered"))
                #expect(!away.diagnostics.contains("hook-secret"))
                let plain = try await program.run(
                    publish("http://hooks.example/", "--once", "--wait", "1s")
                )
                #expect(plain.status == 69 && plain.diagnostics.contains("refused-url"))
                #expect(plain.diagnostics.contains("--to accepts https://"))
                let file = "sqlite:\(program.folder)/other.db"
                let created = try await program.sandbox.createOrder(SandboxOrder())
                _ = try await program.run(["open", created.sessionURL], store: file)
                let other = try await program.run(publish(url, "--once"), store: file)
                #expect(other.status == 65, "\(other.diagnostics)")
                #expect(other.diagnostics.contains("outbox.other-store"))
                try "nonsense".write(
                    toFile: program.folder + "/outbox",
                    atomically: false,
                    encoding: .utf8
                )
                let damaged = try await program.run(publish(url, "--once"))
                #expect(damaged.diagnostics.contains("outbox.position"))
                #expect(try await program.run(publish("nowhere", "--once")).status == 64)
            }
        }
    }
}
