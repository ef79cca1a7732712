import Foundation
import LogFixtures
import Testing

@testable import Sandbox

/// `verify`, which includes the checkpoints of a store.
@Suite struct CheckpointVerifyTests {
    @Test func `verify reports a rewritten history that the hash chain cannot reveal`() async throws
    {
        try await World.with { world in
            let (session, other, _) = try await world.checkpointed()
            let sound = try await world.run("verify", "--json")
            #expect(sound.status == 0, "\(sound.diagnostics)")
            try await SchemaCheck.expect(sound.output, fits: "cli/verify", in: world)
            #expect(try sound.json["checkpoints"].number == 1)
            #expect(try await world.run("verify").output.contains("checkpoints: 1"))
            try await world.rewriteHistory(session)
            // With the keys this is detected without a checkpoint, too.
            let found = try await world.run("verify", "--no-keys", "--json")
            #expect(found.status == 65)
            try await SchemaCheck.expect(found.output, fits: "cli/verify", in: world)
            #expect(try found.json["fault"]["kind"].text == "history-rewritten")
            #expect(try found.json["fault"]["session"].text == session)
            #expect(found.diagnostics.contains("[checkpoint.history-rewritten]"))
            let words = try await world.run("verify", "--no-keys")
            #expect(words.output.contains("because no checkpoint covers it"))
            #expect(!words.output.contains("records 1 to"))
            #expect(try await world.run("verify", session).status == 65)
            #expect(try await world.run("verify", other).status == 0)
        }
    }

    @Test func `an auditor without the store compares a proof and an exported log`() async throws {
        try await World.with { world in
            let (session, other, _) = try await world.checkpointed()
            for (command, file) in [
                (["checkpoint", "prove", session], "proof.json"),
                (["checkpoint", "export", "--leaves"], "list.json"),
                (["export", session, "--redact"], "log.ndjson"), (["export"], "all.ndjson"),
                (["export", other], "other.ndjson"), (["checkpoint", "export"], "root.json"),
            ] {
                let made = try await world.tool.run(
                    ["--store", "sqlite:payments.db"] + command + ["-o", file]
                )
                #expect(made.status == 0, "\(command): \(made.diagnostics)")
            }
            let log = try String(contentsOfFile: world.folder + "/log.ndjson", encoding: .utf8)
            _ = try world.write(
                log.split(separator: "\n").dropLast().joined(separator: "\n") + "\n",
                to: "cut.ndjson"
            )
            _ = try world.write(
                try Forge.rechained(log, by: "another build"),
                to: "rewritten.ndjson"
            )
            // Whoever verifies has neither the store nor its keys.
            for file in ["payments.db", "payments.db-wal", "payments.db-shm", "payments.db.key"] {
                try? FileManager.default.removeItem(atPath: world.folder + "/" + file)
            }
            func verify(_ file: String, _ log: String) async throws -> Tool.Result {
                try await world.tool.run(
                    ["--json", "checkpoint", "verify", file, "--log", log]
                )
            }
            for (file, log, leaves) in [
                ("proof.json", "log.ndjson", 1), ("proof.json", "all.ndjson", 1),
                ("list.json", "all.ndjson", 2), ("list.json", "log.ndjson", 1),
            ] {
                let sound = try await verify(file, log)
                #expect(sound.status == 0, "\(file) \(log): \(sound.diagnostics)")
                try await SchemaCheck.expect(sound.output, fits: "cli/checkpoint-verify", in: world)
                #expect(try sound.json["leaves"].number == leaves, "\(file) \(log)")
            }
            for (file, log, kind) in [
                ("proof.json", "cut.ndjson", "tail-cut"),
                ("proof.json", "rewritten.ndjson", "history-rewritten"),
                ("proof.json", "other.ndjson", "session-removed"),
                ("list.json", "rewritten.ndjson", "history-rewritten"),
            ] {
                let found = try await verify(file, log)
                #expect(found.status == 65, "\(file) \(log): \(found.diagnostics)")
                #expect(try found.json["fault"]["kind"].text == kind, "\(file) \(log)")
            }
            let silent = try await verify("root.json", "log.ndjson")
            #expect(silent.status == 64 && silent.diagnostics.contains("[usage.log]"))
            let alone = try await world.tool.run(["checkpoint", "verify", "--log", "log.ndjson"])
            #expect(alone.status == 64 && alone.diagnostics.contains("[usage.log]"))
        }
    }

    @Test func `verify reports a session that was removed with all its rows`()
        async throws
    {
        try await World.with { world in
            let (session, _, key) = try await world.checkpointed()
            try await world.alter(
                """
                DELETE FROM events WHERE session = 1; DELETE FROM session_keys WHERE session = 1;
                DELETE FROM deliveries WHERE session = 1; DELETE FROM sessions WHERE key = 1;
                DELETE FROM listed_sessions WHERE key = 1
                """
            )
            let found = try await world.run("verify", "--json")
            #expect(found.status == 65)
            #expect(try found.json["fault"]["kind"].text == "session-removed")
            #expect(try found.json["fault"]["session"].text == session)
            let asked = try await world.run("verify", session)
            #expect(asked.status == 65)
            #expect(asked.diagnostics.contains("[checkpoint.session-removed]"))
            #expect(asked.diagnostics.contains("a checkpoint covers 6 of its records"))
            #expect(asked.output.contains("has the hash of its last record"))
            #expect(!asked.output.contains("records 1 to"))
            let told = try await world.run("verify", session, "--json")
            try await SchemaCheck.expect(told.output, fits: "cli/verify", in: world)
            #expect(try told.json["sound"].flag == false)
            // The rebuilt checkpoints match the logs; the one beside the store does not.
            try await world.alter("DELETE FROM checkpoints; DELETE FROM checkpoint_leaves")
            let other = try await world.run("verify", "--json")
            #expect(try other.json["fault"]["kind"].text == "list-cut")
            #expect(try await world.run("verify", session).status == 66)
            var tool = world.tool
            tool.environment["WORKFLOWCTL_CHECKPOINT_KEYS"] = String(repeating: "ab", count: 32)
            let foreign = try await tool.run(["verify"])
            #expect(foreign.diagnostics.contains("[checkpoint.foreign-signature]"))
            tool.environment["WORKFLOWCTL_CHECKPOINT_KEYS"] = key
            #expect(try await tool.run(["verify"]).status == 65)
        }
    }

    @Test func `verify reports events lost with a damaged write-ahead log`() async throws {
        try await World.with { world in
            let (session, _, _) = try await world.checkpointed()
            let copy = try await world.failedMachine(while: [
                "workflowctl --allow-insecure-loopback abort \(session)",
                "workflowctl checkpoint create",
            ])
            #expect(try await world.run("verify").status == 0)
            let found = try await world.run("verify", "--json", store: copy)
            #expect(found.status == 65, "\(found.output)\(found.diagnostics)")
            #expect(try found.json["fault"]["kind"].text == "list-cut", "\(found.output)")
            // Nothing else reveals it, because the remaining log is valid.
            try FileManager.default.removeItem(atPath: copy + ".checkpoint")
            #expect(try await world.run("verify", store: copy).status == 0)
        }
    }
}
