import Foundation
import LogFixtures
import TestSupport
import Testing

@testable import Sandbox

@Suite struct DamageTests {
    private func log(_ world: World) async throws -> (session: String, text: String) {
        let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
        return (session, try await world.run("log", session, "--json").output)
    }

    @Test(.duty("C-33"))
    func `verify reports an edited log with the record and the kind of damage`() async throws {
        try await World.with { world in
            let (session, text) = try await log(world)
            let sound = try await world.run("verify", "-", "--json", input: text)
            #expect(sound.status == 0)
            try await SchemaCheck.expect(sound.output, fits: "cli/verify", in: world)
            let edited = text.replacing("order-1", with: "order-2")
            #expect(edited != text)
            let found = try await world.run("verify", "-", "--json", input: edited)
            #expect(found.status == 65)
            try await SchemaCheck.expect(found.output, fits: "cli/verify", in: world)
            let fault = try found.json["fault"]
            #expect(fault["session"].text == session)
            #expect(fault["seq"].number == 1)
            #expect(fault["kind"].text == "wrong-hash")
            #expect(found.diagnostics.contains(session))
        }
    }

    @Test func `a log cut between lines is a valid prefix, and cut within a line it is damaged`()
        async throws
    {
        try await World.with { world in
            let (_, text) = try await log(world)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let prefix = lines[..<3].joined(separator: "\n") + "\n"
            #expect(try await world.run("verify", "-", input: prefix).status == 0)
            let gap = (lines[..<2] + lines[3...]).joined(separator: "\n")
            let missing = try await world.run("verify", "-", "--json", input: gap)
            #expect(missing.status == 65)
            #expect(try missing.json["fault"]["seq"].number == 3)
            let torn = String(text.dropLast(20))
            #expect(try await world.run("verify", "-", input: torn).status == 65)
            #expect(try await world.run("replay", "-", input: torn).status == 65)
            #expect(try await world.run("import", "-", input: torn, store: "other.db").status == 65)
            #expect(try await world.tool.shell("ls other.db").status != 0)
            #expect(try await world.run("replay", "-", input: "").status == 65)
        }
    }

    @Test(.duty("C-24"))
    func `replay --check names a decision that this build would not make`() async throws {
        try await World.with { world in
            let (_, text) = try await log(world)
            let forged = try Forge.rechained(text, without: "methodsOffered")
            #expect(try await world.run("verify", "-", input: forged).status == 0)
            let check = try await world.run("replay", "-", "--check", "--json", input: forged)
            #expect(check.status == 1)
            try await SchemaCheck.expect(check.output, fits: "cli/replay-check", in: world)
            #expect(try check.json["divergence"]["decided"]["type"].text == "methodsOffered")
            let words = try await world.run("replay", "-", "--check", input: forged)
            #expect(words.status == 1)
            #expect(words.output.contains("differs"))
        }
    }

    @Test func `replay refuses an altered record and shows the state before it`() async throws {
        try await World.with { world in
            let (session, text) = try await log(world)
            let lines = text.split(separator: "\n").map(String.init)
            let third = lines[2].replacing("\"node\":\"", with: "\"node\":\"x")
            #expect(third != lines[2])
            let edited = (lines[..<2] + [third] + lines[3...]).joined(separator: "\n") + "\n"
            for options in [[], ["--step"], ["--check"], ["--diff", "1..3"], ["--at", "3"]] {
                let shown = try await world.tool.run(["replay", "-"] + options, input: edited)
                #expect(shown.status == 65, "\(options)")
                #expect(shown.output.isEmpty)
                #expect(shown.diagnostics.contains("record 3 of session \(session)"))
                #expect(shown.diagnostics.contains("[log.wrong-hash]"))
            }
            for options in [["--at", "2"], ["--diff", "1..2"], ["--at", "2", "--step"]] {
                let shown = try await world.tool.run(["replay", "-"] + options, input: edited)
                #expect(shown.status == 0, "\(options): \(shown.diagnostics)")
            }
        }
    }

    @Test func `explain and timeline refuse an altered log, and totals count it as unreadable`()
        async throws
    {
        try await World.with { world in
            let (session, text) = try await log(world)
            let edited = text.replacing("order-1", with: "order-2")
            for command in ["explain", "timeline"] {
                #expect(try await world.run(command, "-", input: text).status == 0)
                let told = try await world.run(command, "-", input: edited)
                #expect(told.status == 65 && told.output.isEmpty, "\(command)")
                #expect(told.diagnostics.contains("[log.wrong-hash]"))
            }
            #expect(try await world.run("at-risk", "--json").json["unreadable"].number == 0)
            let script = """
                import sqlite3; c = sqlite3.connect('payments.db')
                c.execute("UPDATE events SET record = CAST(replace(record, 'order-1', 'order-2') AS BLOB) "
                    "WHERE seq = 1"); c.commit()
                """
            let path = try world.write(script, to: "alter.py")
            try #require(try await world.tool.shell("python3 \(path)").status == 0)
            #expect(try await world.run("explain", session).status == 65)
            for command in [["at-risk", "--from-logs"], ["stats"]] {
                let counted = try await world.tool.run(command + ["--json"])
                #expect(counted.status == 65, "\(command)")
                #expect(try counted.json["unreadable"].number == 1, "\(command)")
            }
            // A search for the session has to find it nevertheless.
            #expect(try await world.run("find", session).output.contains(session))
        }
    }

    @Test func `verify reports the trustworthy lines of a file and the wrong columns of a store`()
        async throws
    {
        try await World.with { world in
            let (session, text) = try await log(world)
            let lines = text.split(separator: "\n").map(String.init)
            let half = (lines[..<3] + [String(lines[3].prefix(80))] + lines[4...])
                .joined(separator: "\n")
            let file = try await world.run("verify", "-", input: half + "\n")
            #expect(file.status == 65)
            #expect(file.output.contains("still trustworthy: lines 1 to 3"), "\(file.output)")
            let script = """
                import sqlite3; c = sqlite3.connect('payments.db')
                c.execute("UPDATE sessions SET reference = 'x', opened_at = 7"); c.commit()
                """
            let path = try world.write(script, to: "alter.py")
            try #require(try await world.tool.shell("python3 \(path)").status == 0)
            let store = try await world.run("verify")
            #expect(store.diagnostics.contains("opened_at, reference ["), "\(store.diagnostics)")
            #expect(
                store.output.contains("the log of session \(session) itself, records 1 to "),
                "\(store.output)"
            )
        }
    }

    @Test(
        .duty("C-17"),
        arguments: [
            ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)", "missing-records"),
            ("DELETE FROM events WHERE seq = 3", "out-of-sequence"),
            ("UPDATE events SET hash = zeroblob(32) WHERE seq = 2", "wrong-hash"),
            (
                "UPDATE events SET record = CAST(replace(record, 'order-1', 'order-2') AS BLOB) "
                    + "WHERE seq = 1", "wrong-hash"
            ),
            ("UPDATE sessions SET outcome = 'completed', phase = 'ended'", "projection"),
            ("UPDATE sessions SET reference = 'x'", "projection"),
            ("UPDATE sessions SET phase = 'opening'", "projection"),
            ("UPDATE listed_sessions SET money = 'none'", "projection"),
            ("DELETE FROM listed_sessions", "projection"),
        ]
    )
    func `verify detects an altered store`(sql: String, kind: String) async throws {
        try await World.with { world in
            let (session, _) = try await log(world)
            let script =
                "import sqlite3; c = sqlite3.connect('payments.db'); c.execute(\"\(sql)\"); c.commit()"
            let path = try world.write(script, to: "alter.py")
            try #require(try await world.tool.shell("python3 \(path)").status == 0)
            let found = try await world.run("verify", "--json")
            #expect(found.status == 65)
            #expect(try found.json["fault"]["kind"].text == kind, "\(found.output)")
            #expect(try found.json["fault"]["session"].text == session)
            #expect(try await world.run("verify", session).status == 65)
        }
    }

    @Test func `verify accepts another phase for a session of another build, but not a false end`()
        async throws
    {
        try await World.with { world in
            let other = try Forge.rechained(try await log(world).text, by: "9.9.9")
            #expect(other.contains("9.9.9"))
            let file = try world.write(other, to: "other.ndjson")
            let store = "other.db"
            #expect(try await world.run("import", file, store: store).status == 0)
            func alter(_ phase: String) async throws -> Int32 {
                let script = """
                    import sqlite3; c = sqlite3.connect('other.db')
                    for rows in ("sessions", "listed_sessions"):
                        c.execute(f"UPDATE {rows} SET phase = '\(phase)'")
                    c.commit()
                    """
                let path = try world.write(script, to: "alter.py")
                try #require(try await world.tool.shell("python3 \(path)").status == 0)
                return try await world.run("verify", store: store).status
            }
            #expect(try await alter("awaitingPSP") == 0)
            #expect(try await alter("ended") == 65)
        }
    }

    @Test func `a damaged session can't be driven, and the others can`() async throws {
        try await World.with { world in
            let (session, _) = try await log(world)
            let (other, _) = try await world.open()
            let script = """
                import sqlite3; c = sqlite3.connect('payments.db')
                c.execute("UPDATE events SET prev = zeroblob(32) WHERE seq = 4 AND session = 1"); c.commit()
                """
            let path = try world.write(script, to: "alter.py")
            try #require(try await world.tool.shell("python3 \(path)").status == 0)
            #expect(try await world.run("abort", session).status == 65)
            #expect(try await world.run("abort", other).status == 0)
        }
    }

    @Test func `files that are not a store, or are a store of a newer schema, are refused`()
        async throws
    {
        try await World.with { world in
            let text = try world.write("not a database at all", to: "text.db")
            #expect(try await world.run("list", store: text).status == 65)
            let order = try await world.sandbox.createOrder()
            #expect(try await world.run("open", order.sessionURL, store: text).status == 65)
            #expect(try String(contentsOfFile: text, encoding: .utf8) == "not a database at all")
            let script = """
                import shutil, sqlite3
                c = sqlite3.connect('foreign.db'); c.execute('CREATE TABLE a (b)'); c.commit()
                """
            _ = try await world.tool.shell("python3 \(try world.write(script, to: "foreign.py"))")
            #expect(try await world.run("list", store: "foreign.db").status == 65)
            _ = try await log(world)
            let newer = """
                import sqlite3
                c = sqlite3.connect('payments.db'); c.execute('PRAGMA user_version = 999'); c.commit()
                """
            _ = try await world.tool.shell("python3 \(try world.write(newer, to: "newer.py"))")
            let refused = try await world.run("list")
            #expect(refused.status == 69)
            #expect(refused.diagnostics.contains("[store.newer-schema]"))
        }
    }
}
