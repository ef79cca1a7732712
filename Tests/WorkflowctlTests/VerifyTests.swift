import Foundation
import LogFixtures
import TestSupport
import Testing

@testable import Sandbox

/// What `verify` finds in a store, and what it reports as still trustworthy.
@Suite struct VerifyTests {
    private func alter(_ sql: String, in world: World) async throws {
        let script = """
            import sqlite3
            store = sqlite3.connect("payments.db")
            store.create_function("flip", 2, lambda value, place:
                value[:place] + bytes([value[place] ^ 1]) + value[place + 1:])
            store.execute(\"\"\"\(sql)\"\"\")
            store.commit()
            """
        let path = try world.write(script, to: "alter.py")
        let result = try await world.tool.shell("python3 \(path)")
        try #require(result.status == 0, "\(result.diagnostics)")
    }

    /// Sessions in the order in which they were opened, each paid for and aborted.
    private func sessions(_ count: Int, in world: World) async throws -> [String] {
        var sessions: [String] = []
        for _ in 0..<count {
            let (session, _) = try await world.open()
            _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
            sessions.append(session)
        }
        return sessions
    }

    @Test func `verify counts the damaged sessions, names the first and reports the rest as valid`()
        async throws
    {
        try await World.with { world in
            let sessions = try await sessions(4, in: world)
            let sound = try await world.run("verify", "--json")
            #expect(sound.status == 0)
            #expect(try sound.json["sessions"].number == 4)
            let records = try #require(try sound.json["records"].number)
            try await alter(
                "UPDATE events SET hash = zeroblob(32) WHERE seq = 3 AND session = 2",
                in: world
            )
            try await alter("UPDATE sessions SET reference = 'x' WHERE key = 3", in: world)

            let found = try await world.run("verify", "--json")
            #expect(found.status == 65)
            try await SchemaCheck.expect(found.output, fits: "cli/verify", in: world)
            #expect(try found.json["damaged"].number == 2)
            #expect(try found.json["sessions"].number == 4)
            #expect(try found.json["fault"]["session"].text == sessions[1])
            #expect(try found.json["fault"]["seq"].number == 3)
            #expect(try found.json["fault"]["kind"].text == "wrong-hash")
            #expect(try found.json["faults"].list.isEmpty)
            #expect(try #require(try found.json["records"].number) < records)

            let words = try await world.run("verify")
            #expect(words.output.contains("damaged  sessions: 2 of 4"), "\(words.output)")
            #expect(words.output.contains("records 1 to 2 of session \(sessions[1])"))
            #expect(words.output.contains("2 valid sessions"))

            let all = try await world.run("verify", "--all", "--json")
            try await SchemaCheck.expect(all.output, fits: "cli/verify", in: world)
            let kinds = try all.json["faults"].list.map { $0["kind"].text }
            #expect(kinds == ["wrong-hash", "projection"])
            let list = try await world.run("verify", "--all")
            #expect(list.output.contains("\(sessions[2])\t"))
            #expect(try await world.run("verify", sessions[0]).status == 0)
            #expect(try await world.run("verify", sessions[1]).status == 65)
        }
    }

    @Test(arguments: [
        ("DELETE FROM events WHERE session = 1", "missing-records"),
        ("UPDATE sessions SET last_seq = last_seq - 1 WHERE key = 1", "missing-records"),
        ("UPDATE events SET prev = x'00' WHERE session = 1 AND seq = 2", "unreadable"),
        ("UPDATE events SET type = 'completed' WHERE session = 1 AND seq = 2", "contradicted"),
        ("UPDATE sessions SET phase = 'asleep' WHERE key = 1", "projection"),
    ])
    func `verify finds an altered session and reports only that one as damaged`(
        sql: String,
        kind: String
    ) async throws {
        try await World.with { world in
            _ = try await sessions(2, in: world)
            try await alter(sql, in: world)
            let found = try await world.run("verify", "--json")
            #expect(found.status == 65)
            #expect(try found.json["fault"]["kind"].text == kind, "\(found.output)")
            #expect(try found.json["damaged"].number == 1)
            #expect(try found.json["sessions"].number == 2)
        }
    }

    @Test(arguments: [
        "UPDATE events SET session = -1 WHERE session = 1; UPDATE sessions SET key = -1 WHERE key = 1; UPDATE session_keys SET session = -1"
            + " WHERE session = 1",
        "UPDATE events SET position = -position WHERE session = 1",
        "UPDATE events SET position = -9223372036854775807 WHERE session = 1 AND seq = 2",
        "UPDATE events SET position = 9223372036854775807 WHERE session = 1 AND seq = 2",
    ])
    func `odd session keys or positions do not hide an altered session from verify`(
        sql: String
    ) async throws {
        try await World.with { world in
            let sessions = try await sessions(2, in: world)
            for statement in sql.split(separator: "; ") {
                try await alter(String(statement), in: world)
            }
            _ = try await world.run("verify")
            try await alter(
                "UPDATE events SET hash = zeroblob(32) WHERE abs(session) = 1 AND seq = 3",
                in: world
            )
            let found = try await world.run("verify", "--json")
            #expect(found.status == 65)
            #expect(try found.json["fault"]["session"].text == sessions[0], "\(found.output)")
            #expect(try found.json["fault"]["seq"].number == 3)
            #expect(try found.json["sessions"].number == 2)
        }
    }

    @Test func `verify finds records without a session`() async throws {
        try await World.with { world in
            _ = try await sessions(2, in: world)
            try await alter("DELETE FROM sessions WHERE key = 1", in: world)
            let found = try await world.run("verify", "--all", "--json")
            #expect(found.status == 65)
            let kinds = try found.json["faults"].list.compactMap { $0["kind"].text }
            #expect(kinds.contains("structure") && kinds.contains("no-session"), "\(kinds)")
        }
    }

    @Test func `seals are opened with the keys at hand and counted without them`() async throws {
        try await World.with { world in
            let session = try await sessions(2, in: world)[0]
            let opened = try await world.run("verify", "--json")
            #expect(opened.status == 0)
            let values = try #require(try opened.json["sealedValues"].number)
            #expect(values > 4)
            #expect(try opened.json["seals"]["opened"].number == values)
            let counted = try await world.run("verify", "--no-keys", "--json")
            #expect(try counted.json["seals"].isNull)
            #expect(try counted.json["sealedValues"].number == values)
            try await SchemaCheck.expect(counted.output, fits: "cli/verify", in: world)

            // The keys of one session are gone, as after its erasure.
            try await alter("DELETE FROM session_keys WHERE session = 1", in: world)
            for rows in ["sessions", "listed_sessions"] {
                try await alter("UPDATE \(rows) SET address_fp = NULL WHERE key = 1", in: world)
            }
            let erased = try await world.run("verify", "--json")
            #expect(erased.status == 0)
            let gone = try #require(try erased.json["seals"]["withoutKeys"].number)
            #expect(gone > 0)
            #expect(try erased.json["seals"]["opened"].number == values - gone)
            #expect(
                try await world.run("verify", session, "--json").json["seals"]["withoutKeys"].number
                    == gone
            )

            var other = world.tool
            other.environment["WORKFLOWCTL_MASTER_KEY"] = String(repeating: "ab", count: 32)
            let strange = try await other.run(["verify", "--json"])
            #expect(strange.status == 0)
            #expect(try strange.json["seals"]["withOtherKeys"].number == values - gone)
            _ = try await world.tool.shell("mv payments.db.key away")
            #expect(try await world.run("verify").status == 0)
            #expect(try await world.run("verify", "--keys").status == 78)
        }
    }

    @Test(
        .threat("T-06"),
        arguments: [
            // The seals of another session's record.
            "(SELECT seals FROM events WHERE session = 1 AND seq = 1)",
            "flip(seals, 20)", "flip(seals, length(seals) - 1)",
        ]
    )
    func `a moved or altered seal is detected with the keys, though no hash covers it`(
        seals: String
    ) async throws {
        try await World.with { world in
            let sessions = try await sessions(2, in: world)
            let export = try await world.run("export", sessions[1])
            try await alter(
                "UPDATE events SET seals = \(seals) WHERE session = 2 AND seq = 1",
                in: world
            )
            #expect(try await world.run("verify", "--no-keys").status == 0)
            let found = try await world.run("verify", "--json")
            #expect(found.status == 65)
            #expect(try found.json["fault"]["kind"].text == "wrong-seal")
            #expect(try found.json["fault"]["session"].text == sessions[1])
            #expect(try found.json["fault"]["seq"].number == 1)
            #expect(try found.json["damaged"].number == 1)
            #expect(try await world.run("verify", sessions[1]).status == 65)
            #expect(try await world.run("verify", sessions[0]).status == 0)
            // The seals of a file are tried with the keys of the store that has its sessions.
            let moved = try await world.run("export", sessions[1])
            #expect(try await world.run("verify", "-", input: moved.output).status == 0)
            #expect(try await world.run("verify", "-", "--keys", input: moved.output).status == 65)
            let sound = try await world.run("verify", "-", "--keys", "--json", input: export.output)
            #expect(sound.status == 0)
            #expect(try sound.json["seals"]["opened"].number ?? 0 > 0)
        }
    }

    @Test func `a log with event types of a newer version is not reported as damaged`() async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let log = try await world.run("log", session, "--json").output
            let newer = try Forge.rechained(log, changing: "methodsOffered", to: "methodsForeseen")
            let file = try world.write(newer, to: "newer.ndjson")
            let verified = try await world.run("verify", file, "--json")
            #expect(verified.status == 0)
            try await SchemaCheck.expect(verified.output, fits: "cli/verify", in: world)
            #expect(try verified.json["unknown"][0]["type"].text == "methodsForeseen")
            let words = try await world.run("verify", file)
            #expect(words.output.contains("methodsForeseen v1: 1; written by a newer version"))
            let imported = try await world.run("import", file, store: "other.db")
            #expect(imported.status == 0)
            #expect(imported.diagnostics.contains("newer version"))
            #expect(try await world.run("verify", store: "other.db").status == 0)
        }
    }

    @Test func `verify passes at any time while payments are made`() async throws {
        try await World.with { world in
            _ = try await sessions(1, in: world)
            let paying = Task {
                for _ in 0..<4 {
                    let (session, _) = try await world.open()
                    _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
                    _ = try await world.run("abort", session)
                }
            }
            for _ in 0..<8 {
                let found = try await world.run("verify", "--json")
                #expect(found.status == 0, "\(found.output)")
            }
            try await paying.value
            #expect(try await world.run("verify", "--json").json["sessions"].number == 5)
        }
    }

    @Test func `verify checks a log of 25 MB to its last record and finds damage near the end`()
        async throws
    {
        try await World.with { world in
            _ = try await sessions(1, in: world)
            let before = try #require(
                try await world.run("verify", "--json").json["records"].number
            )
            // 25 MB of one log of which this build knows only the format.
            let script = """
                import hashlib, sqlite3
                store = sqlite3.connect("payments.db")
                stream, at = "01a20291-0000-7000-8000-000000000001", 1790000000000000
                store.execute("INSERT INTO sessions (key, id, phase, settled, last_seq, opened_at, last_at)"
                    " VALUES (9, ?, 'opening', 0, 2500, ?, ?)", (stream, at, at))
                last = bytes(32)
                for seq in range(1, 2501):
                    record = ('{"at":"2026-09-21T14:13:20.000000Z","data":{"text":"' + "x" * 10000 + '"},'
                        '"meta":{"build":"0","catalogue":"0","cause":"fill","node":"fill"},"seq":%d,'
                        '"stream":"%s","type":"filling","v":1}' % (seq, stream)).encode()
                    hash = hashlib.sha256(last + record).digest()
                    store.execute("INSERT INTO events (session, seq, type, at, record, prev, hash)"
                        " VALUES (9, ?, 'filling', ?, ?, ?, ?)", (seq, at, record, last, hash))
                    last = hash
                store.commit()
                """
            let path = try world.write(script, to: "fill.py")
            let filled = try await world.tool.shell("python3 \(path)")
            try #require(filled.status == 0, "\(filled.diagnostics)")
            let sound = try await world.run("verify", "--json")
            #expect(sound.status == 0, "\(sound.output)\(sound.diagnostics)")
            #expect(try sound.json["records"].number == before + 2500)
            #expect(try sound.json["sessions"].number == 2)
            try await alter(
                "UPDATE events SET record = CAST(replace(record, 'xx}', 'xy}') AS BLOB), hash = zeroblob(32) WHERE seq = 2001",
                in: world
            )
            let found = try await world.run("verify", "--json")
            #expect(found.status == 65)
            #expect(try found.json["fault"]["seq"].number == 2001, "\(found.output)")
        }
    }
}
