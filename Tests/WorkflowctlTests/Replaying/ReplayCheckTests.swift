import Adapters
import ArgumentParser
import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import Synchronization
import Testing

@testable import Sandbox
@testable import workflowctl

/// Whether this build would decide differently, for many payments at once.
@Suite struct ReplayCheckTests {
    /// Creates a store with two payments of this build, and a third in which it would have offered
    /// the methods.
    private func mixed(_ world: World) async throws -> (sound: [String], other: String) {
        let (first, _) = try await world.open()
        let (second, _) = try await world.open()
        let (third, _) = try await world.open()
        let logs = try await world.run("export", first, second)
        let forged = try Forge.rechained(
            try await world.run("log", third, "--json").output,
            without: "methodsOffered"
        )
        _ = try world.write(logs.output + forged, to: "mixed.ndjson")
        let store = "sqlite:\(world.folder)/mixed.db"
        let imported = try await world.run("--store", store, "import", "mixed.ndjson")
        try #require(imported.status == 0, "\(imported.diagnostics)")
        return ([first, second].sorted(), third)
    }

    @Test
    func `replay --check names a differing session, both decisions and the recording build`()
        async throws
    {
        try await World.with { world in
            let (_, other) = try await mixed(world)
            for arguments in [
                ["--store", "sqlite:mixed.db", "replay"], ["replay", "mixed.ndjson"],
            ] {
                let json = try await world.tool.run(arguments + ["--check", "--json"])
                #expect(json.status == 1, "\(json.diagnostics)")
                try await SchemaCheck.expect(json.output, fits: "cli/replay-check-all", in: world)
                let found = try json.json
                #expect(found["sessions"].number == 3)
                #expect(found["differing"].number == 1)
                #expect(found["agrees"].flag == false)
                #expect(found["kinds"][0]["sessions"].number == 1)
                #expect(found["kinds"][0]["recorded"].text == "no event")
                #expect(found["kinds"][0]["decided"].text == "methodsOffered")
                let divergence = found["divergences"][0]
                #expect(divergence["session"].text == other)
                // The log ends where this build decides one more event.
                #expect(divergence["recorded"].isNull)
                #expect(divergence["decided"]["type"].text == "methodsOffered")
                #expect(divergence["kind"].text == "one-more")
                #expect(divergence["build"].text == Build.version)
                let words = try await world.tool.run(arguments + ["--check"])
                #expect(words.status == 1)
                #expect(words.output.hasPrefix("differs  sessions: 3,"))
                #expect(words.output.contains(/the log has +no event/))
                #expect(words.output.contains(/this build decides +methodsOffered/))
                #expect(words.output.contains(/recorded by +build/))
                #expect(words.output.contains("build \(Build.version), catalogue"))
            }
        }
    }

    @Test func `replay --check reports that a store agrees when no decision differs`() async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("abort", session)
            _ = try await world.open()
            let all = try await world.run("replay", "--check", "--all")
            #expect(all.status == 0, "\(all.output)")
            #expect(all.output.hasPrefix("agrees  sessions: 2, events: "))
            // The result of a file with one log has the form of a session's result.
            _ = try await world.run("export", session, "-o", "one.ndjson")
            let one = try await world.run("replay", "one.ndjson", "--check", "--json")
            try await SchemaCheck.expect(one.output, fits: "cli/replay-check", in: world)
            #expect(try one.json["agrees"].flag == true)
        }
    }

    @Test func `an unreadable session does not stop the check of the others`() async throws {
        try await World.with { world in
            let (sound, other) = try await mixed(world)
            let script = """
                import sqlite3; c = sqlite3.connect('mixed.db')
                c.execute("UPDATE events SET record = 'x' WHERE seq = 2 AND session = "
                    "(SELECT key FROM sessions WHERE id = '\(sound[0])')"); c.commit()
                """
            _ = try world.write(script, to: "alter.py")
            try #require(try await world.tool.shell("python3 alter.py").status == 0)
            let store = try await world.tool.run(
                ["--store", "sqlite:mixed.db", "replay", "--check", "--json"]
            )
            #expect(store.status == 65)
            #expect(try store.json["sessions"].number == 2)
            #expect(try store.json["unreadable"].number == 1)
            #expect(try store.json["divergences"][0]["session"].text == other)
            #expect(store.diagnostics.contains(sound[0]))
            // In a file: an invalid line between two valid logs.
            let lines = try String(contentsOfFile: world.folder + "/mixed.ndjson", encoding: .utf8)
            _ = try world.write("{\"record\":\n" + lines, to: "torn.ndjson")
            let file = try await world.tool.run(["replay", "torn.ndjson", "--check", "--json"])
            #expect(file.status == 65)
            #expect(try file.json["sessions"].number == 3)
            #expect(try file.json["unreadable"].number == 1)
        }
    }

    @Test func `an event with different content is shown member by member`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let log = try await world.run("log", session, "--json").output
            let other = try Forge.rechained(
                log,
                replacing: #""instrument":"swish""#,
                with: #""instrument":"web""#
            )
            let check = try await world.run("replay", "-", "--check", "--json", input: other)
            #expect(check.status == 1)
            try await SchemaCheck.expect(check.output, fits: "cli/replay-check", in: world)
            let divergence = try check.json["divergence"]
            #expect(divergence["kind"].text == "other-content")
            let changes = divergence["changes"].list
            #expect(changes.contains { $0["from"].text == "web" && $0["to"].text == "swish" })
            let words = try await world.run("replay", "-", "--check", input: other)
            #expect(words.output.contains("\"web\""))
        }
    }

    @Test func `on a terminal, replay --check shows its progress and clears it before the result`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            let terminal = FalseTerminal()
            let loop = try UVLoop(name: "test")
            var invocation = terminal.invocation(on: loop)
            let clock = Mutex<Int64>(0)
            invocation.now = {
                Instant(
                    microseconds: clock.withLock {
                        $0 += 1_000_000; return $0
                    }
                )
            }
            let command = try ReplayCommand.parse([
                "--check", "--store", "sqlite:\(world.storePath)",
            ])
            let ready = invocation
            let status = await loop.spawn { try? await command.perform(in: ready) }.value
            #expect(status == .done)
            loop.shutdown()
            let shown = "\r1 of 1 sessions, 100 %"
            #expect(terminal.text.hasPrefix(shown), "\(terminal.text)")
            let pieces = terminal.text.components(separatedBy: "\u{1B}[K")
            try #require(pieces.count > 2)
            #expect(pieces.dropLast().last == "\r")
            #expect(pieces.last?.contains("sessions: 1") == true)
        }
    }

    @Test func `replay refuses missing or incompatible options as a usage error`() async throws {
        try await World.with { world in
            for arguments in [
                ["replay"], ["replay", "--at", "1"], ["replay", "x.ndjson", "--check", "--all"],
                ["replay", "--check", "--what-if"], ["replay", "--check", "--catalogue", "x"],
            ] {
                let refused = try await world.tool.run(arguments)
                #expect(refused.status == 64, "\(arguments)")
                #expect(refused.diagnostics.contains("[usage.mode]"), "\(refused.diagnostics)")
            }
        }
    }
}
