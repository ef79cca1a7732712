import Foundation
import LogFixtures
import Testing

@testable import Sandbox

@Suite struct MovingTests {
    @Test func `logs imported into another store can be read but not driven`() async throws {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            _ = try await world.open()
            let exported = try await world.run("export", "-o", "logs.ndjson")
            #expect(exported.status == 0)
            #expect(try world.mode(of: world.folder + "/logs.ndjson") == 0o600)
            let imported = try await world.run(
                "import",
                "logs.ndjson",
                "--json",
                store: "other.db"
            )
            #expect(imported.status == 0)
            try await SchemaCheck.expect(imported.output, fits: "cli/import", in: world)
            #expect(try imported.json.list.allSatisfy { $0["written"].number == 6 })
            let here = try await world.run("show", first, "--json")
            let there = try await world.run("show", first, "--json", store: "other.db")
            #expect(here.output == there.output)
            #expect(try await world.run("verify", store: "other.db").status == 0)
            let again = try await world.run("import", "logs.ndjson", "--json", store: "other.db")
            #expect(again.status == 0)
            #expect(try again.json.list.allSatisfy { $0["skipped"].number == 6 })
            let driven = try await world.run("abort", first, store: "other.db")
            #expect(driven.status == 1)
            let order = try await world.sandbox.createOrder()
            #expect(try await world.run("open", order.sessionURL, store: "other.db").status == 0)
            #expect(try await world.run("abort", first, store: "other.db").status == 1)
        }
    }

    @Test func `reading an imported session prints a note, and reading the store's own does not`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("export", "-o", "logs.ndjson")
            #expect(try await world.run("import", "logs.ndjson", store: "other.db").status == 0)
            let note = "note: session \(session.suffix(8)) was imported; it can be read"
            for command in [
                ["show"], ["explain"], ["explain", "--json"], ["timeline"], ["replay"],
                ["replay", "--json"], ["replay", "--at", "2"], ["replay", "--check"],
                ["replay", "--what-if"],
            ] {
                let arguments = [command[0], session] + command.dropFirst()
                let there = try await world.tool.run(
                    arguments + ["--store", "sqlite:other.db"]
                )
                #expect(there.diagnostics.contains(note), "\(command): \(there.diagnostics)")
                let here = try await world.tool.run(arguments)
                #expect(here.status == there.status, "\(command)")
                #expect(!here.diagnostics.contains("imported"), "\(command)")
            }
        }
    }

    @Test func `nothing printed about an imported session proposes to drive it`() async throws {
        try await World.with { world in
            let config = try world.write(
                #"{"limits":{"retries":"1ms","cardRetries":"1ms","tries":1}}"#,
                to: "config.json"
            )
            let (session, _) = try await world.open()
            await world.sandbox.injectFaults(
                with: [Fault(rel: "*", requests: .every, kind: .status(503))]
            )
            let failed = try await world.run(
                "--config",
                config,
                "attempt",
                session,
                "swish",
                "--msisdn",
                "+46739000001"
            )
            try #require(failed.status == 69, "\(failed.diagnostics)")
            let own = try await world.run("show", session)
            #expect(own.output.contains("'retry' is possible"), "\(own.output)")
            _ = try await world.run("export", "-o", "logs.ndjson")
            // A store that has keys of its own, but not the session's.
            let other = try await world.sandbox.createOrder()
            _ = try await world.run("open", other.sessionURL, "--wait", "0s", store: "other.db")
            #expect(try await world.run("import", "logs.ndjson", store: "other.db").status == 0)
            let noted = try await world.run("note", session, "hello", store: "other.db")
            #expect(noted.status == 1 && noted.diagnostics.contains("[session.imported]"))
            #expect(!noted.diagnostics.contains("--reveal"), "\(noted.diagnostics)")
            let store = "--store sqlite:other.db"
            var told = noted.diagnostics
            for command in ["show", "explain"] {
                told += try await world.tool.lines("\(command) \(session) \(store)")
                    .joined(separator: "\n")
            }
            for driving in ["retry", "abort", "close", "attempt", "resume", "resolve", "note"] {
                #expect(!told.contains(" \(driving) \(session)"), "\(told)")
            }
            #expect(!told.contains("'retry' is possible"), "\(told)")
            let erased = try await world.run("erase", session, "--reason", "x", store: "other.db")
            #expect(erased.status == 1 && !erased.diagnostics.contains("abort"))
        }
    }

    @Test func `importing a longer log appends the missing records`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("export", "-o", "early.ndjson")
            _ = try await world.run("abort", session)
            _ = try await world.run("export", "-o", "late.ndjson")
            _ = try await world.run("import", "early.ndjson", store: "other.db")
            let late = try await world.run("import", "late.ndjson", "--json", store: "other.db")
            #expect(try late.json[0]["skipped"].number == 6)
            #expect(try late.json[0]["written"].number == 5)
            let early = try await world.run("import", "early.ndjson", "--json", store: "other.db")
            #expect(try early.json[0]["written"].number == 0)
            #expect(try await world.run("verify", store: "other.db").status == 0)
            let list = try await world.run("list", "--imported", "--json", store: "other.db")
            #expect(try list.json[0]["outcome"].text == "canceled")
            // A store that has only imported sessions does not look empty.
            for command in [["list"], ["find", String(session.suffix(8))], ["at-risk"], ["stats"]] {
                let plain = try await world.tool.run(
                    ["--store", "sqlite:other.db"] + command
                )
                #expect(plain.status == 0, "\(command)")
                #expect(plain.diagnostics.contains("only imported sessions"), "\(command)")
                #expect(!plain.diagnostics.contains("vault.missing"), "\(command)")
            }
            // Programs get what they asked for.
            let shown = try await world.run("list", "--json", store: "other.db")
            #expect(try shown.json.list.isEmpty)
            let counted = try await world.run("stats", "--counts", "--json", store: "other.db")
            #expect(try counted.json["sessions"].number == 0)
            // Beside sessions of its own, they are left out.
            let (own, _) = try await world.open()
            _ = try await world.run("import", "late.ndjson")
            let mixed = try await world.run("list", "--json")
            #expect(try Set(mixed.json.list.map { $0["session"].text }) == [session, own])
        }
    }

    @Test func `importing a different history of a session is refused and changes nothing`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let log = try await world.run("log", session, "--json").output
            let forged = try Forge.rechained(log, without: "operationStarted")
            let path = try world.write(forged, to: "forged.ndjson")
            let refused = try await world.run("import", path, "--json")
            #expect(refused.status == 1)
            #expect(try refused.json[0]["refused"].flag == true)
            #expect(try await world.run("log", session, "--json").output == log)
        }
    }

    @Test func `an export that cannot be written leaves no draft behind`() async throws {
        try await World.with { world in
            _ = try await world.open()
            _ = try await world.tool.shell("mkdir target")
            let refused = try await world.run("export", "-o", "target")
            #expect(refused.status == 69)
            #expect(try await world.tool.shell("ls -A | grep draft").output.isEmpty)
        }
    }
}
