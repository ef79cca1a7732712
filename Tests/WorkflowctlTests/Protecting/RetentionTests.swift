import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite(.duty("C-01", "C-30")) struct RetentionTests {
    private func ended(_ world: World) async throws -> String {
        let (session, _) = try await world.open()
        #expect(try await world.run("abort", session).status == 0)
        return session
    }

    private func isErased(_ session: String, _ world: World) async throws -> Bool {
        try await world.run("show", session, "--reveal").status == 1
    }

    @Test func `retention lists what would be erased, and erases only with --apply`() async throws {
        try await World.with { world in
            let sessions = [try await ended(world), try await ended(world)]
            let (open, _) = try await world.open()
            let none = try await world.run("retention", "--older-than", "90d", "--apply", "--json")
            #expect(none.status == 0)
            #expect(try none.json["erased"].number == 0)

            let dry = try await world.run("retention", "--older-than", "0s", "--json")
            #expect(dry.status == 0, "\(dry.diagnostics)")
            try await SchemaCheck.expect(dry.output, fits: "cli/retention", in: world)
            #expect(try dry.json["applied"].flag == false)
            #expect(
                try [0, 1].map { try dry.json["sessions"][$0]["session"].text } == sessions
            )
            for session in sessions { #expect(try await !isErased(session, world)) }

            let first = try await world.run(
                "retention",
                "--older-than",
                "0s",
                "--apply",
                "--limit",
                "1",
                "--json"
            )
            try await SchemaCheck.expect(first.output, fits: "cli/retention", in: world)
            #expect(try first.json["erased"].number == 1)
            #expect(try await isErased(sessions[0], world))
            #expect(try await !isErased(sessions[1], world))
            let second = try await world.run("retention", "--older-than", "0s", "--apply")
            #expect(second.status == 0, "\(second.diagnostics)")
            #expect(second.output.contains(sessions[1]))
            #expect(!second.output.contains(sessions[0]))
            #expect(!second.output.contains(open))
            #expect(try await isErased(sessions[1], world))
            #expect(try await !isErased(open, world))
            let log = try await world.run("log", sessions[1], "--type", "operatorActed", "--json")
            #expect(log.output.contains("retention"))
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test func `the configuration sets the retention period for each outcome`() async throws {
        try await World.with { world in
            let session = try await ended(world)
            let keeps = try world.write(
                #"{"retention":{"period":"1ms","canceled":"30d","failed":"30d"}}"#,
                to: "keeps.json"
            )
            let kept = try await world.run("retention", "--apply", "--json", "--config", keeps)
            #expect(try kept.json["erased"].number == 0)
            let erases = try world.write(
                #"{"retention":{"canceled":"1ms","failed":"1ms"}}"#,
                to: "erases.json"
            )
            let erased = try await world.run("retention", "--apply", "--json", "--config", erases)
            #expect(try erased.json["erased"].number == 1, "\(erased.diagnostics)")
            #expect(try await isErased(session, world))
            let without = try await world.run("retention")
            #expect(without.status == 64)
            #expect(without.diagnostics.contains("[usage.retention]"))
            for text in [#"{"period":90}"#, #"{"period":"0d"}"#, #"{"paid":"90d"}"#, "[]"] {
                let path = try world.write(#"{"retention":\#(text)}"#, to: "wrong.json")
                #expect(try await world.run("retention", "--config", path).status == 78, "\(text)")
            }
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: Tier.isThorough ? [2, 5, 9] : [5])
    func `a killed retention run can be repeated, and each session is erased exactly once`(
        kill count: Int
    ) async throws {
        try await World.with { world in
            var sessions: [String] = []
            for _ in 0..<10 { sessions.append(try await ended(world)) }
            let keys = try await wrappedKeys(world)
            #expect(keys.count == sessions.count)
            let running = try world.tool.start(
                Tool.path,
                ["retention", "--older-than", "0s", "--apply"],
                input: nil
            )
            // Killed when a number of erasures was recorded, wherever it is by then; by a dedicated
            // program, since erasing takes only milliseconds.
            let killer = try world.write(
                """
                import os, signal, sqlite3, sys, time
                store = sqlite3.connect("file:payments.db?mode=ro", uri=True, timeout=5)
                acted = "SELECT count(*) FROM events WHERE type = 'operatorActed'"
                end = time.monotonic() + 30
                while store.execute(acted).fetchone()[0] < int(sys.argv[2]) and time.monotonic() < end:
                    pass
                try:
                    os.kill(int(sys.argv[1]), signal.SIGKILL)
                except ProcessLookupError:
                    pass
                """,
                to: "killer.py"
            )
            let killed = try await world.tool.shell("python3 \(killer) \(running.id) \(count)")
            try #require(killed.status == 0, "\(killed.diagnostics)")
            _ = try await world.tool.finish(running)
            #expect(try await world.run("verify").status == 0)
            let after = try await recorded(world)
            #expect(after >= count)
            var erased = 0
            for session in sessions where try await isErased(session, world) { erased += 1 }
            // The record comes first, so at most one session is recorded whose key still exists.
            #expect(erased <= after && erased >= after - 1)
            let again = try await world.run("retention", "--older-than", "0s", "--apply", "--json")
            #expect(again.status == 0, "\(again.diagnostics)")
            #expect(try await recorded(world) == sessions.count, "each is recorded once")
            for session in sessions { #expect(try await isErased(session, world)) }
            #expect(try await world.run("verify").status == 0)
            for name in try FileManager.default.contentsOfDirectory(atPath: world.folder) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: world.folder + "/" + name))
                for key in keys { #expect(bytes.range(of: key.suffix(24)) == nil, "\(name)") }
            }
        }
    }

    /// Returns the number of erasures that are recorded in the store.
    private func recorded(_ world: World) async throws -> Int {
        let rows = try await query(
            "SELECT count(*) FROM events WHERE type = 'operatorActed'",
            world
        )
        return Int(rows.first ?? "") ?? 0
    }

    private func wrappedKeys(_ world: World) async throws -> [Data] {
        try await query("SELECT hex(wrapped) FROM session_keys", world).map { row in
            let digits = Array(row)
            return Data(
                stride(from: 0, to: digits.count, by: 2).compactMap {
                    UInt8(String(digits[$0...($0 + 1)]), radix: 16)
                }
            )
        }
    }

    private func query(_ sql: String, _ world: World) async throws -> [String] {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect("file:payments.db?mode=ro", uri=True, timeout=5)
            for row in store.execute(sys.argv[1]): print(row[0])
            """
        let path = try world.write(script, to: "query.py")
        let result = try await world.tool.shell("python3 \(path) \"\(sql)\"")
        try #require(result.status == 0, "\(result.diagnostics)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func `revealing values after the end does not extend the retention period`() async throws
    {
        try await World.with { world in
            let session = try await ended(world)
            let path = try world.write(#"{"audit":{"recordReveal":true}}"#, to: "audit.json")
            let before = try await world.run("retention", "--older-than", "0s", "--json")
            let end = try before.json["sessions"][0]["endedAt"].text
            #expect(try await world.run("show", session, "--reveal", "--config", path).status == 0)
            let after = try await world.run("retention", "--older-than", "0s", "--json")
            #expect(try after.json["sessions"][0]["endedAt"].text == end)
            #expect(end != nil)
        }
    }
}
