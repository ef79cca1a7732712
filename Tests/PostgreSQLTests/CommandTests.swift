import Adapters
import EventLog
import Foundation
import SwedbankPay
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// The command line with a store on a server.
    @Suite(.serialized, .fewAtATime) struct CommandTests {
        @Test func `a payment is driven, read and checked by processes that share a database`()
            async throws
        {
            try await Program.with { program in
                let session = try await program.open()
                try await program.pay(session)
                let list = try await program.run("--json", "list")
                #expect(try list.member(0, "outcome") == "completed")
                let log = try await program.run("--json", "log", session)
                let records = log.output.split(separator: "\n").count
                #expect(records > 10)
                let verified = try await program.run("--json", "verify")
                #expect(verified.status == 0, "\(verified.output)\(verified.diagnostics)")
                #expect(try verified.member("sessions") == "1")
                #expect(try verified.member("records") == "\(records)")
                for command in [
                    ["show", session], ["replay", session, "--check"], ["verify", session],
                    ["resume"], ["problems", "lint"], ["replay", "--check"],
                    ["replay", "--what-if"],
                ] {
                    let done = try await program.run(command)
                    #expect(done.status == 0, "\(command): \(done.diagnostics)")
                }
                let nodes = try await program.run("--json", "node", "list")
                #expect(nodes.output.filter { !$0.isWhitespace } == "[]")
                let exported = try await program.run("export", "-o", "logs.ndjson")
                #expect(exported.status == 0)
                let imported = try await program.run("--json", "import", "logs.ndjson")
                #expect(try imported.member(0, "skipped") == "\(records)")
            }
        }

        @Test func `of two processes that start an attempt at the same time, one succeeds`()
            async throws
        {
            try await Program.with { program in
                let session = try await program.open()
                async let first = program.run("--json", "attempt", session, "swish")
                async let second = program.run("--json", "attempt", session, "swish")
                let statuses = [try await first.status, try await second.status].sorted()
                #expect(statuses == [0, 1])
                let log = try await program.run("--json", "log", session)
                #expect(log.output.ranges(of: "\"type\":\"attemptStarted\"").count == 1)
                #expect(try await program.run("verify").status == 0)
            }
        }

        @Test func `verify finds a session that was altered in the database`() async throws {
            try await Program.with { program in
                let session = try await program.open()
                try program.place.database.sql(
                    "UPDATE events SET record = record || 'x' WHERE seq = 2"
                )
                let verified = try await program.run("verify")
                #expect(verified.status == 65)
                #expect((verified.output + verified.diagnostics).contains(session))
                try program.place.database.sql(
                    """
                    DELETE FROM events WHERE seq = 1;
                    """
                )
                let all = try await program.run("verify", "--all")
                #expect(all.status == 65)
                #expect((all.output + all.diagnostics).contains("log positions of the"))
            }
        }

        /// All records fit one batch: both may find no index, and begin one, which empties it.
        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `two processes that index a store at the same time skip no record`(
            lanes: Int
        ) async throws {
            try await Program.with(lanes: lanes) { program in
                let database = program.place.database
                for _ in 0..<6 { _ = try await program.open() }
                async let first = program.run("--json", "store", "index")
                async let second = program.run("--json", "store", "index")
                for run in [try await first, try await second] {
                    #expect(run.status == 0, "\(run.diagnostics)")
                    #expect(run.output.contains("\"complete\":true"), "\(run.output)")
                }
                let again = try await program.run("--json", "store", "index")
                #expect(try again.member("records") == "0")
                let terms = "SELECT term, session FROM search_terms ORDER BY 1, 2"
                let indexed = try database.sql(terms)
                try database.sql("DELETE FROM search_terms; DELETE FROM search_progress")
                let alone = try await program.run("--json", "store", "index")
                let records = try database.sql("SELECT count(*) FROM events")
                #expect(try alone.member("records") == records)
                #expect(try database.sql(terms) == indexed)
            }
        }

        @Test func `store init decides the number of lanes once`() async throws {
            try await Program.with { program in
                for impossible in ["0", "3", "128"] {
                    let refused = try await program.run("store", "init", "--lanes", impossible)
                    #expect(refused.status == 64, "\(refused.output)")
                    #expect(refused.diagnostics.contains("usage.lanes"))
                }
                let file = "sqlite:\(program.folder)/file.db"
                let single = try await program.run("store", "init", "--lanes", "1", store: file)
                #expect(single.status == 64 && single.diagnostics.contains("usage.lanes"))
                #expect(!FileManager.default.fileExists(atPath: program.folder + "/file.db"))
                // The example in the help.
                let help = try await program.run("store", "init", "--help")
                let example = try #require(
                    help.output.firstMatch(
                        of: /workflowctl (.+) --store postgres:\S+ (--lanes 1)\n/
                    )
                )
                let made = try await program.run(
                    "\(example.1) \(example.2)".split(separator: " ").map(String.init)
                )
                #expect(made.status == 0, "\(made.diagnostics)")
                let lanes = try program.place.database.sql("SELECT count(*) FROM log_end")
                #expect(lanes == "1")
                let other = try await program.run("store", "init", "--lanes", "4")
                #expect(other.status == 64, "\(other.output)")
                #expect(other.diagnostics.contains("the store has 1 lane,"))
                for same in [["store", "init", "--lanes", "1"], ["store", "init"]] {
                    #expect(try await program.run(same).status == 0)
                }
            }
        }

        @Test func `store init, migrate, status and grants work, and their errors say what to do`()
            async throws
        {
            try await Program.with { program in
                let empty = try await program.run("store", "status")
                #expect(empty.status == 78)
                #expect(empty.diagnostics.contains("store init"))
                #expect(try await program.run("store", "migrate").status == 78)
                let made = try await program.run("--json", "store", "init")
                #expect(made.status == 0, "\(made.diagnostics)")
                #expect(try made.member("kind") == "postgresql")
                #expect(try await program.run("store", "migrate").status == 0)
                #expect(try await program.run("store", "status").status == 0)
                let grants = try await program.run("store", "grants", "engine")
                #expect(grants.output.contains("GRANT SELECT, INSERT ON events TO \"engine\";"))
                // A role that may not migrate an older schema gets an error that says which role
                // may.
                let role = "late_\(program.place.database.name)"
                try program.place.database.sql(
                    """
                    CREATE ROLE \(role) LOGIN; GRANT SELECT ON payment_workflow_schema TO \(role);
                    UPDATE payment_workflow_schema SET version = version - 1
                    """
                )
                let created = try await program.sandbox.createOrder(SandboxOrder())
                let late = try await program.run(
                    "open",
                    created.sessionURL,
                    store: program.place.database.url(as: role)
                )
                #expect(late.status == 77)
                #expect(late.diagnostics.contains("run 'workflowctl store migrate' as their owner"))
                try program.place.database.sql("UPDATE payment_workflow_schema SET version = 999")
                let newer = try await program.run("store", "status")
                #expect(newer.status == 69)
                #expect(newer.diagnostics.contains("store.newer-schema"))
            }
        }

        @Test func `every command distinguishes a missing database or store from an outage`()
            async throws
        {
            try await Program.with { program in
                let empty = program.place.database.url()
                let absent = empty.replacing(program.place.database.name, with: "no_such_payments")
                let away = "postgres://payments@127.0.0.1:1/payments"
                let session = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
                let commands = [
                    ["list"], ["show", session], ["log", session], ["verify"], ["resume"],
                    ["metrics"], ["at-risk"], ["stats"], ["find", "order-1"], ["store", "status"],
                    ["retry", session], ["keys", "list"], ["checkpoint", "list"],
                    ["store", "copy", "sqlite:copy.db"], ["node", "list"], ["export"],
                ]
                for command in commands {
                    let none = try await program.run(command, store: absent)
                    #expect(none.status == 78, "\(command): \(none.diagnostics)")
                    #expect(none.diagnostics.contains("[store.no-database]"), "\(command)")
                    #expect(none.diagnostics.contains("createdb"), "\(command)")
                    let bare = try await program.run(command, store: empty)
                    #expect(bare.status == 78, "\(command): \(bare.diagnostics)")
                    #expect(bare.diagnostics.contains("[store.no-tables]"), "\(command)")
                    #expect(bare.diagnostics.contains("'workflowctl store init'"), "\(command)")
                    let gone = try await program.run(command, store: away)
                    #expect(gone.status == 69, "\(command): \(gone.diagnostics)")
                    #expect(gone.diagnostics.contains("[store.unavailable]"), "\(command)")
                }
                // The right to create tables does not create the database.
                let created = try await program.sandbox.createOrder(SandboxOrder())
                for command in [["open", created.sessionURL], ["store", "init"]] {
                    let none = try await program.run(command, store: absent)
                    #expect(none.status == 78, "\(command): \(none.diagnostics)")
                }
                let health = try await program.run(
                    "--json",
                    "doctor",
                    "--check",
                    "keys",
                    store: absent
                )
                #expect(health.status == 1)
                #expect(health.output.contains("[store.no-database]"))
            }
        }

        @Test func `tail waits for an unavailable database and continues where it stopped`()
            async throws
        {
            try await Program.with { program in
                let session = try await program.open()
                let (cluster, name) = (program.place.database.cluster, program.place.database.name)
                let ours = "datname = '\(name)' AND application_name = 'payment-workflow'"
                async let tailed = program.run("tail", session, "--until", "ended", "--json")
                let deadline = ContinuousClock.now + .seconds(60)
                while try cluster.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE \(ours)",
                    in: "postgres"
                ) != "3", ContinuousClock.now < deadline {
                    try await Task.sleep(for: .milliseconds(20))
                }
                // By now it has all of its connections, and has read what is there.
                try await Task.sleep(for: .seconds(1))
                try cluster.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", in: "postgres")
                try cluster.sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(ours)",
                    in: "postgres"
                )
                try await Task.sleep(for: .seconds(1))
                try cluster.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true", in: "postgres")
                #expect(try await program.run("abort", session).status == 0)
                let done = try await tailed
                #expect(done.status == 0, "\(done.diagnostics)")
                #expect(done.output.contains("\"type\":\"canceled\""))
                #expect(done.diagnostics.contains("[store.unavailable]; waiting for the store"))
                #expect(done.diagnostics.contains("the store is available again"))
            }
        }

        @Test
        func `tail waits for a restored store that lacks what it read, and refuses other records`()
            async throws
        {
            try await Program.with { program in
                let database = program.place.database
                let paid = try await program.open()
                let end = try #require(
                    Int64(
                        try database.sql(
                            "SELECT sum(position & ((1::bigint << 57) - 1))::bigint FROM log_end"
                        )
                    )
                )
                let tail = try program.start(
                    ["tail", "--json", "--for", "120s"],
                    store: database.url()
                )
                defer { tail.kill() }
                // It has looked for its place in the log, which takes a few queries.
                for _ in 0..<8 { try await waitForRead(of: database) }
                // A snapshot of the whole machine is restored: no memory of the records is left.
                try database.sql(
                    """
                    DELETE FROM events WHERE position & ((1::bigint << 57) - 1) > 1;
                    UPDATE log_end SET position = (position & ~((1::bigint << 57) - 1)) + 1
                        WHERE position & ((1::bigint << 57) - 1) > 0
                    """
                )
                let deadline = ContinuousClock.now + .seconds(60)
                while !tail.wordsSoFar.contains("[cursor.beyond-end]; waiting for the store") {
                    try #require(ContinuousClock.now < deadline, "it goes on")
                    try await Task.sleep(for: .milliseconds(20))
                }
                // It grows beyond what was read, with other records.
                let store = try await program.place.store()
                // In the same lane.
                let digit = try #require(paid.last.flatMap { UInt64(String($0), radix: 16) })
                let session = SessionID(at: Instant(microseconds: 5), random: (3, digit))
                for sequence in 1...SequenceNumber(rawValue: end) {
                    try await store.append(SampleAppend.of(session, at: sequence))
                }
                await store.close()
                let ended = await tail.ending(killedAfter: .seconds(150))
                #expect(ended.status == 1)
                #expect(ended.words.contains("an earlier state was restored"))
                #expect(ended.output.isEmpty)
            }
        }

        /// Waits until a program has begun a query that began after now.
        private func waitForRead(of database: Database) async throws {
            let now = try database.sql("SELECT clock_timestamp()")
            try await database.wait(
                until: """
                    EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
                    AND application_name = 'payment-workflow' AND state = 'idle'
                    AND query LIKE '%position%' AND query_start > '\(now)')
                    """
            )
        }

        @Test func `doctor checks the master key file of a store on a server`() async throws {
            try await Program.with { program in
                _ = try await program.open()
                let well = try await program.run("--json", "doctor")
                #expect(well.status == 0, "\(well.output)")
                #expect(well.output.contains("unwraps the keys of every session"))
                let file = program.folder + "/master.key"
                #expect(chmod(file, 0o644) == 0)
                let open = try await program.run("--json", "doctor")
                #expect(open.status == 1)
                #expect(open.output.contains("others can access the key file"))
                #expect(rename(file, file + ".gone") == 0)
                let lost = try await program.run("--json", "doctor")
                #expect(lost.status == 1)
                #expect(lost.output.contains("the master key of "))
            }
        }

        @Test func `fork into a store on a server fails with store.only-for-files`() async throws {
            try await Program.with { program in
                let session = try await program.open()
                let done = try await program.run(
                    "fork",
                    session,
                    "--at",
                    "1",
                    "--sandbox",
                    "http://127.0.0.1:8093",
                    "--into",
                    program.place.database.url()
                )
                #expect(done.status == 78, "\(done.status) \(done.diagnostics)")
                #expect(done.diagnostics.contains("store.only-for-files"))
            }
        }

        @Test
        func `a connection failure has an error code and a hint, and never shows the password`()
            async throws
        {
            try await Program.with { program in
                let (port, name) = (
                    program.place.database.cluster.port, program.place.database.name
                )
                let expected: [(String, Int32, String)] = [
                    ("postgres://locked:hunter2@127.0.0.1:\(port)/\(name)", 77, "store.denied"),
                    ("postgres://payments:hunter2@127.0.0.1:1/\(name)", 69, "store.unavailable"),
                    ("postgres://payments:hunter2@127.0.0.1:x/\(name)", 64, "usage.store"),
                    ("postgres://payments:hunter2@127.0.0.1:\(port)/n?sslmod=q", 64, "usage.store"),
                    (
                        "postgres://payments:hunter2@127.0.0.1:\(port)/n?sslmode=q", 64,
                        "usage.store"
                    ),
                    // Passwords that should have been encoded: what follows the sign would be a
                    // host.
                    ("postgres://payments:p@hunter2@127.0.0.1:\(port)/\(name)", 64, "usage.store"),
                    ("postgres://localhost:1/hunter2@127.0.0.1:\(port)/n", 64, "usage.store"),
                    (
                        "postgres://payments:hunter2@127.0.0.1:\(port)/none_such", 78,
                        "store.no-database"
                    ),
                ]
                for (url, status, code) in expected {
                    for command in [["list"], ["store", "status"]] {
                        let done = try await program.run(command, store: url)
                        #expect(done.status == status, "\(done.diagnostics)")
                        #expect(done.diagnostics.contains("[\(code)]"), "\(done.diagnostics)")
                        #expect(done.diagnostics.contains("hint: "))
                        #expect(!(done.output + done.diagnostics).contains("hunter2"))
                        #expect(done.output.isEmpty)
                    }
                }
            }
        }

        @Test func `a password in the store's URL appears in no output`() async throws {
            try await Program.with { program in
                let (cluster, name) = (program.place.database.cluster, program.place.database.name)
                // A server with trust authentication ignores the password.
                let url = "postgres://payments:hunter2@127.0.0.1:\(cluster.port)/\(name)"
                for command in [["store", "init"], ["store", "status", "--json"]] {
                    let done = try await program.run(["--store", url] + command)
                    #expect(done.status == 0, "\(done.diagnostics)")
                    #expect(!(done.output + done.diagnostics).contains("hunter2"))
                }
                let created = try await program.sandbox.createOrder(SandboxOrder())
                let opened = try await program.run(["--store", url, "open", created.sessionURL])
                #expect(opened.status == 0, "\(opened.diagnostics)")
                #expect(!(opened.output + opened.diagnostics).contains("hunter2"))
            }
        }
    }
}
