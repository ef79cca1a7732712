import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Changes to a store that a checkpoint covers, and the checks that detect them.
@Suite(.duty("C-18")) struct CheckpointDamageTests {
    private static let last = "(SELECT max(seq) FROM events WHERE session = 1)"

    @Test(arguments: [
        (
            "DELETE FROM events WHERE session = 1 AND seq = \(last); "
                + "UPDATE sessions SET last_seq = last_seq - 1 WHERE key = 1", "tail-cut",
            "is missing"
        ),
        (
            "DELETE FROM events WHERE session = 1; DELETE FROM session_keys WHERE session = 1; "
                + "DELETE FROM sessions WHERE key = 1; DELETE FROM listed_sessions WHERE key = 1",
            "session-removed", "was removed"
        ),
        ("", "history-rewritten", "was rewritten"),
    ])
    func `a cut, removed or rewritten log is found by the program and an independent script`(
        sql: String,
        kind: String,
        words: String
    ) async throws {
        try await World.with { world in
            let (session, _, key) = try await world.checkpointed()
            if sql.isEmpty {
                try await world.rewriteHistory(session)
            } else {
                try await world.alter(sql)
            }
            let found = try await world.run("checkpoint", "verify", "--json")
            #expect(found.status == 65)
            try await SchemaCheck.expect(found.output, fits: "cli/checkpoint-verify", in: world)
            #expect(try found.json["fault"]["kind"].text == kind, "\(found.output)")
            #expect(try found.json["fault"]["session"].text == session)
            #expect(try found.json["trustworthy"].text?.contains("1 of 2") == true)
            #expect(found.diagnostics.contains("[checkpoint.\(kind)]"))
            // From files alone, with the inclusion proof of the session or with all leaves.
            #expect(try await world.run("export", "-o", "log.ndjson").status == 0)
            for file in ["proof.json", "leaves.json"] {
                let told = try await world.python("--key \(key) --log log.ndjson \(file)")
                #expect(told.status == 1 && told.diagnostics.contains(words), "\(told)")
            }
        }
    }

    @Test func `a rewritten log passes verify without keys and is detected with them`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            try await world.rewriteHistory(session)
            #expect(try await world.run("verify", "--no-keys").status == 0)
            let found = try await world.run("verify")
            #expect(found.status == 65 && found.diagnostics.contains("log.not-authentic"))
        }
    }

    @Test(.threat("T-15"))
    func `rewritten checkpoints are detected with a checkpoint that was kept elsewhere`()
        async throws
    {
        try await World.with { world in
            let (session, _, key) = try await world.checkpointed()
            try await world.rewriteHistory(session)
            // The whole list is rebuilt and signed with the same key, which only checkpoints kept
            // elsewhere reveal.
            try await world.alter("DELETE FROM checkpoints; DELETE FROM checkpoint_leaves")
            let stopped = try await world.run("checkpoint", "create")
            #expect(stopped.status == 65)
            #expect(stopped.diagnostics.contains("[checkpoint.contradicted]"))
            try FileManager.default.removeItem(atPath: world.storePath + ".checkpoint")
            // The sessions' keys reveal a rewritten log; a forger signs without them.
            let forged = try await world.run("checkpoint", "create")
            #expect(forged.status == 65 && forged.diagnostics.contains("[log.not-authentic]"))
            try FileManager.default.removeItem(atPath: world.storePath + ".key")
            #expect(try await world.run("checkpoint", "create").status == 0)
            #expect(try await world.run("checkpoint", "verify", "--public-key", key).status == 0)
            let found = try await world.run("checkpoint", "verify", "kept.json", "--json")
            #expect(found.status == 65)
            #expect(try found.json["fault"]["kind"].text == "list-rewritten")
            _ = try await world.run("checkpoint", "export", "-o", "new.json")
            let told = try await world.python("kept.json new.json")
            #expect(told.status == 1 && told.diagnostics.contains("different lists"))
        }
    }

    private static let alterations = [
        ("UPDATE checkpoint_leaves SET seq = 1 WHERE place = 0", "history-rewritten"),
        ("UPDATE checkpoints SET root = zeroblob(32)", "wrong-signature"),
        ("UPDATE checkpoints SET signature = zeroblob(64)", "wrong-signature"),
        ("UPDATE checkpoints SET at = at + 1", "wrong-signature"),
        ("UPDATE checkpoints SET public_key = zeroblob(32)", "wrong-signature"),
        ("UPDATE checkpoints SET public_key = zeroblob(3)", "unreadable"),
        ("DELETE FROM checkpoint_leaves WHERE place = 1", "wrong-leaves"),
        ("DELETE FROM checkpoint_leaves WHERE place = 0", "wrong-leaves"),
        ("UPDATE checkpoint_leaves SET stream = 'x' WHERE place = 0", "unreadable"),
        ("INSERT INTO checkpoint_leaves VALUES (2, 'x', 1, zeroblob(32))", "unreadable"),
        (
            "INSERT INTO checkpoint_leaves SELECT 2, stream, seq, hash FROM checkpoint_leaves "
                + "WHERE place = 0", "wrong-leaves"
        ),
        (
            "CREATE TABLE t AS SELECT * FROM checkpoint_leaves; DELETE FROM checkpoint_leaves; "
                + "INSERT INTO checkpoint_leaves SELECT 1 - place, stream, seq, hash FROM t; "
                + "DROP TABLE t", "wrong-root"
        ),
        ("DELETE FROM checkpoints", "wrong-leaves"),
        ("DELETE FROM checkpoints; DELETE FROM checkpoint_leaves", "list-cut"),
    ]

    @Test(.tags(.repeatedThoroughly))
    func `altered checkpoints are detected`() async throws {
        try await World.with { world in
            _ = try await world.checkpointed()
            // In the fast tier the last alteration of each kind.
            let last = Dictionary(Self.alterations.map { ($0.1, $0.0) }) { $1 }
            for (number, (sql, kind)) in Self.alterations.enumerated()
            where Tier.isThorough || last[kind] == sql {
                let store = world.folder + "/\(number).db"
                for suffix in ["", ".checkpoint"] {
                    try FileManager.default.copyItem(
                        atPath: world.storePath + suffix,
                        toPath: store + suffix
                    )
                }
                #expect(try await world.run("checkpoint", "verify", store: store).status == 0)
                try await world.alter(sql, store: store)
                let found = try await world.run("checkpoint", "verify", "--json", store: store)
                #expect(found.status == 65, "\(sql): \(found.output)")
                #expect(try found.json["fault"]["kind"].text == kind, "\(sql): \(found.output)")
                try await SchemaCheck.expect(found.output, fits: "cli/checkpoint-verify", in: world)
            }
        }
    }

    @Test func `a foreign signature is reported by the program and an independent script`()
        async throws
    {
        try await World.with { world in
            let (_, _, key) = try await world.checkpointed()
            let (session, _) = try await world.open()
            var tool = world.tool
            tool.environment["WORKFLOWCTL_SIGNING_KEY"] = String(repeating: "02", count: 32)
            #expect(try await tool.run(["checkpoint", "create"]).status == 0)
            _ = try await world.run("checkpoint", "prove", session, "-o", "foreign.json")
            for arguments in [["foreign.json"], []] {
                let found = try await world.tool.run(
                    ["checkpoint", "verify", "--public-key", key, "--json"] + arguments
                )
                #expect(found.status == 65)
                #expect(try found.json["fault"]["kind"].text == "foreign-signature")
            }
            let told = try await world.python("--key \(key) foreign.json")
            #expect(told.status == 1 && told.diagnostics.contains("by somebody else"))
        }
    }

    private static let forgeries = [
        (".inclusion.path", "wrong-proof", "cover"),
        (".inclusion.index", "wrong-proof", "cover"),
        (".inclusion.leaf.seq", "wrong-proof", "cover"),
        (".inclusion.leaf.hash", "wrong-proof", "cover"),
        (".consistency.root", "wrong-proof", "go on"),
        (".consistency.path", "wrong-proof", "go on"),
        (".checkpoint.root", "wrong-signature", "signature"),
        (".checkpoint.size", "wrong-signature", "signature"),
        (".checkpoint.at", "wrong-signature", "signature"),
        (".checkpoint.key", "wrong-signature", "key"),
        (".publicKey", "wrong-signature", "key"),
        (".signature", "wrong-signature", "signature"),
        (".leaves", "wrong-proof", "leaves"),
    ]

    @Test(.tags(.repeatedThoroughly))
    func `an altered checkpoint file is refused by the program and an independent script`()
        async throws
    {
        try await World.with { world in
            let (session, _, _) = try await world.checkpointed()
            #expect(try await world.run("abort", session).status == 0)
            #expect(try await world.run("checkpoint", "create").status == 0)
            _ = try await world.run("checkpoint", "prove", session, "-o", "a.json")
            _ = try await world.run(
                "checkpoint",
                "export",
                "--since",
                "2",
                "--leaves",
                "-o",
                "b.json"
            )
            #expect(try await world.python("a.json b.json").status == 0)
            let script = """
                import json, sys
                document = json.load(open(sys.argv[1]))
                *way, last = sys.argv[2].split(".")[1:]
                place = document
                for step in way: place = place[step]
                value = place[last]
                if isinstance(value, list): value.reverse() if len(value) > 1 else value.append("0" * 64)
                elif isinstance(value, int): place[last] = value - 1
                elif last == "at": place[last] = value.replace("0Z", "1Z").replace("2Z", "1Z") \\
                    if value[-2] in "02" else value[:-2] + "0Z"
                else: place[last] = ("0" if value[0] != "0" else "1") + value[1:]
                json.dump(document, open("altered.json", "w"))
                """
            let path = try world.write(script, to: "alter.py")
            // In the fast tier the last forgery of each kind.
            let last = Dictionary(Self.forgeries.map { ($0.1 + $0.2, $0.0) }) { $1 }
            for (member, kind, words) in Self.forgeries
            where Tier.isThorough || last[kind + words] == member {
                let name = member.contains("inclusion") ? "a.json" : "b.json"
                let altered = try await world.tool.shell("python3 \(path) \(name) \(member)")
                try #require(altered.status == 0, "\(altered.diagnostics)")
                let found = try await world.run("checkpoint", "verify", "altered.json", "--json")
                #expect(found.status == 65, "\(member): \(found.output)\(found.diagnostics)")
                #expect(try found.json["fault"]["kind"].text == kind, "\(member): \(found.output)")
                let told = try await world.python("altered.json")
                #expect(
                    told.status == 1 && told.diagnostics.contains(words),
                    "\(member): \(told)"
                )
            }
        }
    }

    @Test(
        .tags(.repeatedThoroughly),
        arguments: Tier.isThorough ? ["", "{}", "nonsense", #"{"hash":"00"}"#] : ["nonsense"]
    )
    func `a file that is not a checkpoint is refused as unreadable`(text: String) async throws {
        try await World.with { world in
            _ = try await world.checkpointed()
            _ = try world.write(text, to: "other.json")
            let refused = try await world.run("checkpoint", "verify", "other.json")
            #expect(refused.status == 65)
            #expect(refused.diagnostics.contains("[checkpoint.unreadable]"))
            #expect(try await world.python("other.json").status == 1)
            #expect(try await world.run("checkpoint", "verify", "missing.json").status == 66)
        }
    }

    @Test func `checkpoint verify reports events lost with a damaged write-ahead log`() async throws
    {
        try await World.with { world in
            let (session, _, _) = try await world.checkpointed()
            let copy = try await world.failedMachine(while: [
                "workflowctl --allow-insecure-loopback abort \(session)",
                "workflowctl checkpoint create",
            ])
            #expect(try await world.run("checkpoint", "verify").status == 0)
            let found = try await world.run("checkpoint", "verify", "--json", store: copy)
            #expect(found.status == 65, "\(found.output)\(found.diagnostics)")
            #expect(try found.json["fault"]["kind"].text == "list-cut", "\(found.output)")
            let stopped = try await world.run("checkpoint", "create", store: copy)
            #expect(stopped.diagnostics.contains("[checkpoint.contradicted]"))
        }
    }
}
