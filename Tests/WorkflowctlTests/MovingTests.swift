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
            let note = "note: session \(session) was imported; it can be read"
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
