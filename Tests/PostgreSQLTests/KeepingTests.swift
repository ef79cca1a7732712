import Adapters
internal import EventLog
import Foundation
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// Checkpoints, erasure, master keys and retention of a store on a server, as far as a server
    /// can guarantee them.
    @Suite(.serialized, .fewAtATime) struct KeepingTests {
        /// Returns the connection string of a role with the rights of a duty.
        private func role(_ duty: StoreDuty, _ program: Program) throws -> String {
            let role = "\(duty.rawValue)_\(program.place.database.name)"
            try program.place.database.sql("CREATE ROLE \(role) LOGIN")
            for grant in PostgreSQLGrants.statements(for: role, duty: duty) {
                try program.place.database.sql(grant)
            }
            return program.place.database.url(as: role)
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `checkpoints on a server are created and proved, and detect later alterations`(
            lanes: Int
        ) async throws {
            try await Program.with(lanes: lanes) { program in
                let session = try await program.open()
                let notary = try role(.checkpoints, program)
                let made = try await program.run("--json", "checkpoint", "create", store: notary)
                #expect(made.status == 0, "\(made.diagnostics)")
                #expect(try made.member("added") == "1")
                try await program.pay(session)
                let other = try await program.open()
                let second = try await program.run("--json", "checkpoint", "create", store: notary)
                #expect(try second.member("added") == "2")
                let third = try await program.run("--json", "checkpoint", "create", store: notary)
                #expect(try third.member("added") == "0")
                let reader = try role(.reading, program)
                for command in [
                    ["checkpoint", "verify"], ["checkpoint", "list"],
                    ["checkpoint", "prove", other, "-o", "proof.json"],
                    ["verify", "--all", "--no-keys"],
                    ["verify", session, "--no-keys"],
                ] {
                    let done = try await program.run(command, store: reader)
                    #expect(done.status == 0, "\(command): \(done.diagnostics)")
                }
                _ = try await program.open()
                let refused = try await program.run("checkpoint", "create", store: reader)
                #expect(refused.status == 77, "\(refused.diagnostics)")
                // A session's whole history, rewritten with a valid chain, is detected only by a
                // checkpoint.
                try program.place.database.sql("DELETE FROM events WHERE session = '\(other)'")
                let found = try await program.run("checkpoint", "verify", store: reader)
                #expect(found.status == 65, "\(found.output)\(found.diagnostics)")
                #expect((found.output + found.diagnostics).contains(other))
                let contradicted = try await program.run("checkpoint", "create", store: notary)
                #expect(contradicted.status == 65)
                #expect(contradicted.diagnostics.contains("checkpoint.contradicted"))
            }
        }

        @Test(arguments: [StoreDuty.engine, .reading, .checkpoints])
        func `a role that may not replace keys creates no new master key`(
            duty: StoreDuty
        ) async throws {
            try await Program.with(lanes: 8) { program in
                _ = try await program.open()
                let role = try role(duty, program)
                let keys = try await program.run("--json", "keys", "list")
                let refused = try await program.run("keys", "rotate", store: role)
                #expect(refused.status == 77, "\(refused.diagnostics)")
                // Other nodes have a copy of the key file, which would lack a new key.
                #expect(try await program.run("--json", "keys", "list").output == keys.output)
            }
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `processes that create checkpoints at the same time produce one valid list`(
            lanes: Int
        ) async throws {
            try await Program.with(lanes: lanes) { program in
                for _ in 0..<4 { _ = try await program.open() }
                let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            try await program.run(
                                "checkpoint",
                                "create",
                                "--signing-key",
                                "shared.key"
                            ).status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.allSatisfy { $0 == 0 || $0 == 75 }, "\(statuses)")
                #expect(statuses.contains(0))
                let verified = try await program.run("checkpoint", "verify")
                #expect(verified.status == 0, "\(verified.output)\(verified.diagnostics)")
                let places = try program.place.database.sql(
                    "SELECT count(*), max(place) + 1 FROM checkpoint_leaves"
                )
                #expect(places == "4|4")
            }
        }

        @Test
        func `a session's keys are destroyed by the erasing role, and never by the engine's role`()
            async throws
        {
            try await Program.with(lanes: 8) { program in
                let created = try await program.sandbox.createOrder(
                    SandboxOrder(payerReference: "payer-1")
                )
                let opened = try await program.run("--json", "open", created.sessionURL)
                let session = try opened.member("session")
                try await program.pay(session)
                let engine = try role(.engine, program)
                let command = ["erase", session, "--reason", "asked for", "--json"]
                let refused = try await program.run(command, store: engine)
                #expect(refused.status == 77, "\(refused.diagnostics)")
                #expect(try await program.run("--reveal", "log", session).status == 0)
                let before = try await program.run("--json", "log", session)
                #expect(!before.output.contains("operatorActed"), "nothing is said to be erased")
                let eraser = try role(.erasing, program)
                let erased = try await program.run(command, store: eraser)
                #expect(erased.status == 0, "\(erased.diagnostics)")
                #expect(erased.output.contains(#""destroyed":true"#))
                #expect(erased.output.contains(#""tracesRemoved":false"#))
                #expect(erased.diagnostics.contains("VACUUM FULL session_keys"))
                #expect(try await program.run("--reveal", "log", session).status == 1)
                #expect(try await program.run("show", session).status == 0)
                let verified = try await program.run("verify", "--all")
                #expect(verified.status == 0, "\(verified.output)\(verified.diagnostics)")
                for table in ["session_keys", "addresses"] {
                    let left = try program.place.database.sql(
                        "SELECT count(*) FROM \(table) WHERE session = '\(session)'"
                    )
                    #expect(left == "0", "\(table)")
                }
                let again = try await program.run(command, store: eraser)
                #expect(again.status == 0)
                #expect(again.output.contains(#""destroyed":false"#))
            }
        }

        @Test func `after a master key is rotated on a server, sessions continue with the new one`()
            async throws
        {
            try await Program.with(lanes: 8) { program in
                let session = try await program.open()
                let eraser = try role(.erasing, program)
                let rotated = try await program.run("keys", "rotate", store: eraser)
                #expect(rotated.status == 0, "\(rotated.diagnostics)")
                let list = try await program.run("--json", "keys", "list")
                #expect(list.status == 0, "\(list.diagnostics)")
                let engine = try role(.engine, program)
                let refused = try await program.run("keys", "rotate", store: engine)
                #expect(refused.status == 77, "\(refused.diagnostics)")
                let forgotten = try await program.run("keys", "forget", store: eraser)
                #expect(forgotten.status == 0, "\(forgotten.diagnostics)")
                try await program.pay(session)
                #expect(try await program.run("verify", "--all").status == 0)
            }
        }

        @Test func `retention erases ended sessions on a server and keeps open ones`() async throws
        {
            try await Program.with(lanes: 8) { program in
                let (paid, open) = (try await program.open(), try await program.open())
                try await program.pay(paid)
                let dry = try await program.run("--json", "retention", "--older-than", "0s")
                #expect(try dry.member("sessions", 0, "session") == paid)
                let done = try await program.run(
                    ["--json", "retention", "--older-than", "0s", "--apply"]
                )
                #expect(done.status == 0, "\(done.diagnostics)")
                #expect(try done.member("erased") == "1")
                #expect(try await program.run("--reveal", "log", open).status == 0)
                #expect(try await program.run("--reveal", "log", paid).status == 1)
            }
        }

        @Test
        func `an engine's role cannot have keys destroyed, or find another session, through rows`()
            async throws
        {
            try await Program.with(lanes: 8) { program in
                var (urls, sessions): ([String], [String]) = ([], [])
                for number in 1...2 {
                    let created = try await program.sandbox.createOrder(
                        SandboxOrder(payerReference: "payer-\(number)")
                    )
                    let opened = try await program.run("--json", "open", created.sessionURL)
                    urls.append(created.sessionURL)
                    sessions.append(try opened.member("session"))
                }
                _ = try role(.engine, program)
                let engine = "engine_\(program.place.database.name)"
                try program.place.database.sql(
                    """
                    UPDATE sessions SET phase = 'ended', outcome = 'completed', opened_at = 1,
                        last_at = 2, due_at = NULL WHERE id = '\(sessions[0])'
                    """,
                    as: engine
                )
                let eraser = try role(.erasing, program)
                let erased = try await program.run(
                    ["retention", "--older-than", "90d", "--apply"],
                    store: eraser
                )
                #expect(erased.status == 65, "\(erased.output)\(erased.diagnostics)")
                #expect(erased.diagnostics.contains("log.not-authentic"))
                #expect(try await program.run("--reveal", "log", sessions[0]).status == 0)
                try program.place.database.sql(
                    """
                    UPDATE addresses SET session = CASE session WHEN '\(sessions[0])'
                        THEN '\(sessions[1])'::uuid ELSE '\(sessions[0])'::uuid END
                    """
                )
                for url in urls {
                    let opened = try await program.run("open", url)
                    #expect(opened.status == 65, "\(opened.output)\(opened.diagnostics)")
                    #expect(opened.diagnostics.contains("log.not-authentic"))
                }
            }
        }

        @Test func `retention compares this machine's clock with the server's`() async throws {
            try await Program.with(lanes: 1) { program in
                let store = try await PostgreSQLEventStore(
                    url: program.place.database.url(),
                    loop: program.place.loop
                )
                let time = try await store.serverTime()
                let check = RetentionGuard(of: store, at: time + .seconds(40 * 86_400), after: nil)
                #expect(try await check.clockRefusal() != nil)
                let right = RetentionGuard(of: store, at: time + .seconds(86_400), after: nil)
                #expect(try await right.clockRefusal() == nil)
                await store.close()
            }
        }
    }
}
