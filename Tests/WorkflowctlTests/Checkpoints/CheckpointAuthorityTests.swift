import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// The authority of checkpoints: only logs whose authors can be verified are signed, with a key
/// seen before.
@Suite struct CheckpointAuthorityTests {
    @Test(.threat("T-13"))
    func `with the keys at hand, no checkpoint is created over a log rewritten without them`()
        async throws
    {
        try await World.with { world in
            let (session, _, _) = try await world.checkpointed()
            let (other, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            try await world.rewriteHistory(other)
            let refused = try await world.run("checkpoint", "create")
            #expect(refused.status == 65, "\(refused.output)")
            #expect(refused.diagnostics.contains("[log.not-authentic]"))
            #expect(refused.diagnostics.contains(other) && !refused.diagnostics.contains(session))
            let listed = try await world.run("checkpoint", "list", "--json")
            #expect(try listed.json.list.count == 1)
            // Without keys, forged logs cannot be detected, and whatever exists is signed.
            try FileManager.default.removeItem(atPath: world.folder + "/payments.db.key")
            #expect(try await world.run("checkpoint", "create").status == 0)
        }
    }

    @Test func `without keys, creating a checkpoint lists the sessions that could not be checked`()
        async throws
    {
        try await World.with { world in
            let (first, _) = try await world.open()
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            let key = world.folder + "/payments.db.key"
            let checked = try await world.run("checkpoint", "create", "--json")
            #expect(try checked.json["unchecked"].number == 0)
            #expect(!checked.diagnostics.contains("could not be checked"))
            for session in [first, second] { _ = try await world.run("abort", session) }
            try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
            let made = try await world.run("checkpoint", "create", "--json")
            #expect(made.status == 0, "\(made.diagnostics)")
            try await SchemaCheck.expect(made.output, fits: "cli/checkpoint-create", in: world)
            #expect(try made.json["unchecked"].number == 2)
            #expect(made.diagnostics.contains("note: the authenticity of 2 sessions could not be"))
            #expect(made.diagnostics.contains(first) && made.diagnostics.contains(second))
            // Nothing was added, and nothing needs to be reported about that.
            let none = try await world.run("checkpoint", "create")
            #expect(none.status == 0 && none.diagnostics.isEmpty)
        }
    }

    @Test(.threat("T-14"))
    func `deleted checkpoints and checkpoints signed with a foreign key are detected`()
        async throws
    {
        try await World.with { world in
            let (_, _, key) = try await world.checkpointed()
            let remembered = world.folder + "/payments.db.checkpoint-keys"
            #expect(try String(contentsOfFile: remembered, encoding: .utf8) == key + "\n")
            try await world.alter("DELETE FROM checkpoints; DELETE FROM checkpoint_leaves")
            for name in [".checkpoint", ".signing-key"] {
                try FileManager.default.removeItem(atPath: world.folder + "/payments.db" + name)
            }
            let gone = try await world.run("verify")
            #expect(gone.status == 65, "\(gone.output)")
            #expect(gone.diagnostics.contains("[checkpoint.list-cut]"))
            #expect(gone.diagnostics.contains("it had some"))
            let gap = try await world.run("checkpoint", "verify")
            #expect(gap.status == 65 && gap.diagnostics.contains("[checkpoint.list-cut]"))

            // Another party signs the same store with a different key.
            try FileManager.default.moveItem(atPath: remembered, toPath: remembered + ".away")
            #expect(try await world.run("checkpoint", "create").status == 0)
            try FileManager.default.removeItem(atPath: remembered)
            try FileManager.default.moveItem(atPath: remembered + ".away", toPath: remembered)
            let foreign = try await world.run("checkpoint", "verify")
            #expect(foreign.status == 65, "\(foreign.output)")
            #expect(foreign.diagnostics.contains("[checkpoint.foreign-signature]"))
        }
    }

    @Test func `the first signing key seen is remembered, as is a new key that signs here`()
        async throws
    {
        try await World.with { world in
            let (session, _, key) = try await world.checkpointed()
            let remembered = world.folder + "/payments.db.checkpoint-keys"
            try FileManager.default.removeItem(atPath: remembered)
            #expect(try await world.run("checkpoint", "verify").status == 0)
            #expect(try String(contentsOfFile: remembered, encoding: .utf8) == key + "\n")
            #expect(try await world.run("abort", session).status == 0)
            let made = try await world.run(
                "checkpoint",
                "create",
                "--signing-key",
                "second.key",
                "--new-key",
                "--json"
            )
            let second = try #require(try made.json["checkpoint"]["publicKey"].text)
            #expect(
                try String(contentsOfFile: remembered, encoding: .utf8) == "\(key)\n\(second)\n"
            )
            #expect(try await world.run("verify").status == 0)
        }
    }
}
