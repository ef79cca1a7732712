import Foundation
import Testing

@testable import Sandbox

/// What `verify` detects with the keys of a store: what no hash covers, and what follows from the
/// master key.
@Suite struct VerifyKeysTests {
    /// Changes the store; `flip(wrapped, 9)` returns a value with one bit of a byte changed.
    private func alter(_ sql: String, in world: World) async throws {
        let listed = sql.replacing("UPDATE sessions", with: "UPDATE listed_sessions")
        let script = """
            import sqlite3
            store = sqlite3.connect("payments.db")
            store.create_function("flip", 2, lambda value, place:
                value[:place] + bytes([value[place] ^ 1]) + value[place + 1:])
            store.executescript(\"\"\"\(sql)\"\"\")
            # The copy for lists, too.
            store.executescript(\"\"\"\(sql.hasPrefix("UPDATE sessions") ? listed : "")\"\"\")
            """
        let path = try world.write(script, to: "alter.py")
        let result = try await world.tool.shell("python3 \(path)")
        try #require(result.status == 0, "\(result.diagnostics)")
    }

    @Test(arguments: [
        ("UPDATE sessions SET address_fp = flip(address_fp, 31) WHERE key = 1", [1], false),
        ("UPDATE sessions SET address_fp = NULL WHERE key = 1", [1], false),
        (
            "UPDATE sessions SET address_fp = (SELECT address_fp FROM sessions WHERE key = 2) WHERE key = 1",
            [1], false
        ),
        ("UPDATE sessions SET address_fp = substr(address_fp, 1, 31) WHERE key = 1", [1], true),
        ("UPDATE sessions SET address_fp = 'x' WHERE key = 2", [2], true),
        ("DELETE FROM session_keys WHERE session = 2", [2], true),
        ("UPDATE session_keys SET wrapped = zeroblob(69) WHERE session = 1", [1], true),
    ])
    func `verify finds an address fingerprint that does not match and names its column`(
        sql: String,
        damaged: [Int],
        isFoundWithoutKeys: Bool
    ) async throws {
        try await World.with { world in
            let sessions = [try await world.open().0, try await world.open().0]
            #expect(try await world.run("verify").status == 0)
            try await alter(sql, in: world)
            let found = try await world.run("verify", "--all", "--json")
            #expect(found.status == 65, "\(found.output)")
            try await SchemaCheck.expect(found.output, fits: "cli/verify", in: world)
            let faults = try found.json["faults"].list
            #expect(faults.map { $0["kind"].text } == ["projection"])
            #expect(faults.map { $0["session"].text } == damaged.map { sessions[$0 - 1] })
            #expect(try found.json["damaged"].number == 1)
            #expect(try found.json["sessions"].number == 2)
            let words = try await world.run("verify", sessions[damaged[0] - 1])
            #expect(words.status == 65)
            #expect((words.output + words.diagnostics).contains("address_fp"), "\(words.output)")
            #expect(try await world.run("verify", sessions[2 - damaged[0]]).status == 0)
            let shut = try await world.run("verify", "--no-keys")
            #expect(shut.status == (isFoundWithoutKeys ? 65 : 0), "\(shut.diagnostics)")
        }
    }

    @Test(arguments: [0, 9, 30, 68])
    func `a data key that its own master key does not open is damage`(byte: Int) async throws {
        try await World.with { world in
            let sessions = [try await world.open().0, try await world.open().0]
            try await alter(
                "UPDATE session_keys SET wrapped = flip(wrapped, \(byte)) WHERE session = 2",
                in: world
            )
            let found = try await world.run("verify", "--all", "--json")
            #expect(found.status == 65, "\(found.output)")
            try await SchemaCheck.expect(found.output, fits: "cli/verify", in: world)
            let faults = try found.json["faults"].list
            #expect(faults.map { $0["kind"].text } == ["wrong-key"])
            #expect(faults.map { $0["session"].text } == [sessions[1]])
            #expect(try found.json["damaged"].number == 1)
            #expect(try found.json["sessions"].number == 2)
            #expect(try found.json["seals"]["withOtherKeys"].number ?? 0 > 0)
            let words = try await world.run("verify", sessions[1])
            #expect(words.status == 65)
            #expect(words.diagnostics.contains("[log.wrong-key]"), "\(words.diagnostics)")
            #expect(words.diagnostics.contains("the log of session \(sessions[1]) itself"))
            #expect(try await world.run("verify", sessions[0]).status == 0)
            #expect(try await world.run("verify", "--no-keys").status == 0)
            // Without the master key this cannot be detected.
            var other = world.tool
            other.environment["WORKFLOWCTL_MASTER_KEY"] = String(repeating: "ab", count: 32)
            #expect(try await other.run(["verify", "--json"]).status == 0)
        }
    }

    @Test func `a data key of a missing master key is counted, not reported as damage`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            // The identifier of the master key is in bytes 1 to 8.
            try await alter("UPDATE session_keys SET wrapped = flip(wrapped, 4)", in: world)
            let counted = try await world.run("verify", "--json")
            #expect(counted.status == 0, "\(counted.diagnostics)")
            #expect(try counted.json["seals"]["opened"].number == 0)
            #expect(try counted.json["seals"]["withOtherKeys"].number ?? 0 > 0)
        }
    }

    @Test func `verify passes while a master key is replaced and after an erasure`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.open()
            let file = world.storePath + ".key"
            let first = try String(contentsOfFile: file, encoding: .utf8)
            // One payment continues with a new master key; the previous one still finds the address
            // of the other.
            let second = String(repeating: "cd", count: 32)
            try Data((second + "\n" + first).utf8).write(to: URL(fileURLWithPath: file))
            #expect(try await world.run("abort", session).status == 0)
            let between = try await world.run("verify", "--json")
            #expect(between.status == 0, "\(between.output)\(between.diagnostics)")
            #expect(try await world.run("erase", session, "--reason", "asked for").status == 0)
            let erased = try await world.run("verify", "--json")
            #expect(erased.status == 0, "\(erased.output)\(erased.diagnostics)")
            #expect(try erased.json["seals"]["withoutKeys"].number ?? 0 > 0)
            #expect(try await world.run("verify", "--no-keys").status == 0)
        }
    }
}
