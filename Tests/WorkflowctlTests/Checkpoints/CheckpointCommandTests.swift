import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Creating, keeping and verifying checkpoints.
@Suite struct CheckpointCommandTests {
    @Test func `a checkpoint is created, listed, verified, proven and exported`() async throws {
        try await World.with { world in
            #expect(try await world.run("checkpoint", "create").status == 66)
            let (session, _) = try await world.open()
            let none = try await world.run("checkpoint", "verify")
            #expect(none.status == 66 && none.diagnostics.contains("[checkpoint.none]"))
            let uncovered = try await world.run("checkpoint", "prove", session)
            #expect(uncovered.status == 66)

            let made = try await world.run("checkpoint", "create", "--json")
            try #require(made.status == 0, "\(made.diagnostics)")
            try await SchemaCheck.expect(made.output, fits: "cli/checkpoint-create", in: world)
            #expect(try made.json["created"].value as? Bool == true)
            #expect(try made.json["checkpoint"]["checkpoint"]["size"].number == 1)
            let again = try await world.run("checkpoint", "create", "--json")
            try await SchemaCheck.expect(again.output, fits: "cli/checkpoint-create", in: world)
            #expect(try again.json["created"].value as? Bool == false)
            #expect(try again.json["checkpoint"] == made.json["checkpoint"])
            #expect(try world.mode(of: world.storePath + ".signing-key") == 0o600)
            #expect(try world.mode(of: world.storePath + ".checkpoint") == 0o600)

            let (later, _) = try await world.open()
            let uncoveredYet = try await world.run("checkpoint", "prove", later)
            #expect(uncoveredYet.status == 1)
            #expect(uncoveredYet.diagnostics.contains("[checkpoint.not-covered]"))
            #expect(try await world.run("checkpoint", "create").status == 0)
            let list = try await world.run("checkpoint", "list", "--json")
            try await SchemaCheck.expect(list.output, fits: "cli/checkpoint-list", in: world)
            #expect(try list.json.list.map { $0["checkpoint"]["size"].number } == [2, 1])
            let key = try #require(try list.json[0]["publicKey"].text)
            #expect(try await world.run("checkpoint", "list").output.contains(key))

            let sound = try await world.run("checkpoint", "verify", "--json")
            #expect(sound.status == 0, "\(sound.diagnostics)")
            try await SchemaCheck.expect(sound.output, fits: "cli/checkpoint-verify", in: world)
            #expect(try sound.json["checkpoints"].number == 2)
            #expect(try sound.json["leaves"].number == 2)

            let proof = try await world.run("checkpoint", "prove", session)
            try await SchemaCheck.expect(proof.output, fits: "checkpoint", in: world)
            #expect(try proof.json["inclusion"]["leaf"]["stream"].text == session)
            let export = try await world.run("checkpoint", "export", "--since", "1", "--leaves")
            try await SchemaCheck.expect(export.output, fits: "checkpoint", in: world)
            #expect(try export.json["leaves"].list.count == 2)
            #expect(try export.json["consistency"]["size"].number == 1)
            for size in ["0", "3", "-1"] {
                let refused = try await world.run("checkpoint", "export", "--since=\(size)")
                #expect(refused.status == 64 && refused.diagnostics.contains("[usage.since]"))
            }
        }
    }

    @Test func `a store with new events stays consistent with an earlier checkpoint`() async throws
    {
        try await World.with { world in
            let (session, other, key) = try await world.checkpointed()
            #expect(try await world.run("abort", session).status == 0)
            // The session has new events; they are not covered, which is no contradiction.
            let moved = try await world.run("checkpoint", "prove", session)
            #expect(moved.status == 0 && moved.diagnostics.contains("are not covered yet"))
            #expect(try await world.run("checkpoint", "create").status == 0)
            // Without its keys a session can no longer be read, but its log is unchanged.
            try await world.alter("DELETE FROM session_keys")
            let sound = try await world.run(
                "checkpoint",
                "verify",
                "kept.json",
                "proof.json",
                "--public-key",
                key,
                "--json"
            )
            #expect(sound.status == 0, "\(sound.diagnostics)")
            #expect(try sound.json["kept"].number == 3)
            _ = try await world.run("export", "-o", "log.ndjson")
            _ = try await world.run("checkpoint", "export", "--since", "2", "-o", "new.json")
            _ = try await world.run("checkpoint", "prove", other, "-o", "other.json")
            let files = "kept.json leaves.json proof.json new.json other.json"
            let checked = try await world.python("--key \(key) --log log.ndjson \(files)")
            #expect(checked.status == 0, "\(checked.diagnostics)")
            #expect(checked.output.hasPrefix("5 checkpoints and "))
            // The checkpoints of unconnected files do not prove that they are of the same list.
            let untied = try await world.python("kept.json other.json")
            #expect(untied.status == 1 && untied.diagnostics.contains("nothing shows"))
        }
    }

    @Test
    func `a new signing key needs --new-key, and verify trusts only the keys that it is given`()
        async throws
    {
        try await World.with { world in
            let (session, _, key) = try await world.checkpointed()
            let file = world.storePath + ".signing-key"
            try FileManager.default.moveItem(atPath: file, toPath: file + ".old")
            #expect(try await world.run("abort", session).status == 0)
            let missing = try await world.run("checkpoint", "create")
            #expect(missing.status == 78 && missing.diagnostics.contains("--new-key"))
            #expect(!FileManager.default.fileExists(atPath: file))
            let made = try await world.run("checkpoint", "create", "--new-key", "--json")
            let second = try #require(try made.json["checkpoint"]["publicKey"].text)
            #expect(second != key)
            #expect(try await world.run("checkpoint", "verify").status == 0)
            for trusted in [[key], [second]] {
                let refused = try await world.tool.run(
                    ["checkpoint", "verify"] + trusted.flatMap { ["--public-key", $0] }
                )
                #expect(refused.status == 65)
                #expect(refused.diagnostics.contains("[checkpoint.foreign-signature]"))
            }
            let both = ["--public-key", key, "--public-key", second]
            #expect(try await world.tool.run(["checkpoint", "verify"] + both).status == 0)
            var tool = world.tool
            tool.environment["WORKFLOWCTL_CHECKPOINT_KEYS"] = "\(key),\(second)"
            #expect(try await tool.run(["checkpoint", "verify"]).status == 0)
            tool.environment["WORKFLOWCTL_CHECKPOINT_KEYS"] = key
            #expect(try await tool.run(["checkpoint", "verify"]).status == 65)
            let nonsense = try await world.run("checkpoint", "verify", "--public-key", "12ab")
            #expect(nonsense.status == 64 && nonsense.diagnostics.contains("[usage.public-key]"))
        }
    }

    @Test func `the signing key comes from --signing-key or from the environment`() async throws {
        try await World.with { world in
            _ = try await world.open()
            var tool = world.tool
            tool.environment["WORKFLOWCTL_SIGNING_KEY"] = String(repeating: "01", count: 32)
            let made = try await tool.run(["checkpoint", "create", "--json"])
            #expect(made.status == 0)
            #expect(!FileManager.default.fileExists(atPath: world.storePath + ".signing-key"))
            _ = try await world.open()
            let key = try world.write(String(repeating: "01", count: 32), to: "mine.key")
            let open = try await world.run("checkpoint", "create", "--signing-key", key)
            #expect(open.status == 78)
            #expect(open.diagnostics.contains("[vault.insecure-permissions]"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            let same = try await world.run("checkpoint", "create", "--signing-key", key, "--json")
            #expect(
                try same.json["checkpoint"]["publicKey"] == made.json["checkpoint"]["publicKey"]
            )
            tool.environment["WORKFLOWCTL_SIGNING_KEY"] = "nonsense"
            let refused = try await tool.run(["checkpoint", "create"])
            #expect(refused.status == 78 && !refused.diagnostics.contains("nonsense"))
        }
    }

    @Test func `checkpoint create --every creates checkpoints until it is interrupted`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            let running = try world.tool.start(
                Tool.path,
                ["checkpoint", "create", "--every", "1s", "--json"],
                input: nil
            )
            defer { kill(running.id, SIGKILL) }
            func made(_ count: Int) async throws {
                let sign = #""created":true"#
                for _ in 1...800
                where running.outputSoFar.components(separatedBy: sign).count <= count {
                    try await Task.sleep(for: .milliseconds(25))
                }
            }
            try await made(1)
            _ = try await world.open()
            try await made(2)
            kill(running.id, SIGTERM)
            let ended = try await world.tool.finish(running)
            #expect(ended.status == 130, "\(ended.diagnostics)")
            let lines = try ended.output.split(separator: "\n").map {
                try JSON(parsing: String($0))
            }
            #expect(lines.filter { $0["created"].value as? Bool == true }.count == 2)
            #expect(try await world.run("checkpoint", "verify").status == 0)
            #expect(try await world.run("checkpoint", "create", "--every", "10ms").status == 64)
        }
    }
}
