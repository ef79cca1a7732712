import Foundation
import Testing

@testable import Sandbox

/// Every command accepts a session's identifier, a part of it, or its reference.
@Suite struct SessionNameTests {
    @Test func `a session is found by its reference and by either end of its id`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            _ = try await world.open(SandboxOrder(), "--reference", "order-4712")
            for name in [
                "order-4711", String(session.suffix(8)), String(session.suffix(6)).uppercased(),
                String(session.suffix(20)), String(session.prefix(35)),
            ] {
                let shown = try await world.run("show", name, "--json")
                #expect(shown.status == 0, "\(name): \(shown.diagnostics)")
                #expect(try shown.json["session"].text == session)
            }
            // The two identifiers begin with nearly the same time.
            let both = try await world.run("show", String(session.prefix(6)))
            #expect(both.status == 64 && both.diagnostics.contains("[usage.session-ambiguous]"))
        }
    }

    @Test func `a session is found by its reference as a table shortens it`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(
                SandboxOrder(),
                "--reference",
                "order-2026-11-4711-a"
            )
            for name in ["orde\u{2026}11-a", "order-2..4711-a"] {
                let shown = try await world.run("show", name, "--json")
                #expect(try shown.json["session"].text == session, "\(name): \(shown.diagnostics)")
            }
            let unknown = try await world.run("show", "orde\u{2026}12-a")
            #expect(unknown.status == 66, "\(unknown.diagnostics)")
        }
    }

    @Test func `a reference may look like a session's id`() async throws {
        try await World.with { world in
            let name = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            let (session, _) = try await world.open(SandboxOrder(), "--reference", name)
            let shown = try await world.run("show", name, "--json")
            #expect(shown.status == 0, "\(shown.diagnostics)")
            #expect(try shown.json["session"].text == session)
            #expect(try await world.run("abort", name).status == 0)
            // The session with the id comes first.
            let (other, _) = try await world.open(SandboxOrder(), "--reference", session)
            let first = try await world.run("show", session, "--json")
            #expect(try first.json["session"].text == session)
            let found = try await world.run("find", session, "--json")
            #expect(try found.json.list.compactMap { $0["session"].text } == [other, session])
        }
    }

    @Test func `the beginning of references lists the sessions, and does nothing to them`()
        async throws
    {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "order-4712")
            let several = try await world.run("abort", "order-47")
            #expect(several.status == 64, "\(several.diagnostics)")
            #expect(several.diagnostics.contains("[usage.session-ambiguous]"))
            for session in [first, second] {
                #expect(several.diagnostics.contains("  \(session.suffix(8))  order-471"))
            }
            let (third, _) = try await world.open(SandboxOrder(), "--reference", "shop-10")
            let only = try await world.run("abort", "shop-1")
            #expect(only.status == 66, "\(only.diagnostics)")
            #expect(only.diagnostics.contains("  \(third.suffix(8))  shop-10"))
            let open = try await world.run("list", "--phase", "ready", "--json")
            #expect(try open.json.list.count == 3)
        }
    }

    @Test func `a reference is found in both spellings of its letters`() async throws {
        try await World.with { world in
            let composed = "café-1"
            let decomposed = "cafe\u{301}-2"
            let (first, _) = try await world.open(SandboxOrder(), "--reference", composed)
            let (second, _) = try await world.open(SandboxOrder(), "--reference", decomposed)
            for (session, names) in [
                (first, [composed, "cafe\u{301}-1"]), (second, [decomposed, "café-2"]),
            ] {
                for name in names {
                    let shown = try await world.run("show", name, "--json")
                    #expect(try shown.json["session"].text == session, "\(shown.diagnostics)")
                    let listed = try await world.run("list", "--reference", name, "--json")
                    #expect(try listed.json.list.compactMap { $0["session"].text } == [session])
                }
            }
            for beginning in ["CAFÉ", "CAFE\u{301}"] {
                let folded = beginning.lowercased()
                let listed = try await world.run("list", "--reference", folded + "*", "--json")
                #expect(try listed.json.list.count == 2, "\(listed.output)")
                let found = try await world.run("find", beginning, "--json", "--limit", "9")
                #expect(try found.json.list.count == 2, "\(found.output)")
            }
            // The index has both spellings under one term; without it, logs would be read.
            let terms = try await world.tool.shell(
                "sqlite3 payments.db \"SELECT DISTINCT term FROM search_terms WHERE term LIKE 'tcaf%-_'\""
            )
            #expect(terms.output == "tcafé-1\ntcafé-2\n".precomposedStringWithCanonicalMapping)
        }
    }

    @Test func `the end of a reference names a session, as find shows it`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-10456")
            let (other, _) = try await world.open(SandboxOrder(), "--reference", "shop-2-10457")
            let shown = try await world.run("show", "0456", "--json")
            #expect(try shown.json["session"].text == session, "\(shown.diagnostics)")
            let last = try await world.run("show", "2-10457", "--json")
            #expect(try last.json["session"].text == other)
            #expect(try await world.run("show", "456").status == 64)
            #expect(try await world.run("show", "9456").status == 64)
            _ = try await world.open(SandboxOrder(), "--reference", "order-20456")
            let ambiguous = try await world.run("show", "0456")
            #expect(ambiguous.status == 64 && ambiguous.diagnostics.contains("order-20456"))
        }
    }

    @Test func `commands about a session accept its reference`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            for arguments in [
                ["log"], ["explain"], ["timeline"], ["diagram"], ["report-html"], ["verify"],
                ["replay"], ["replay", "--check"], ["bisect"], ["export"], ["scenario", "record"],
                ["tail", "--for", "1s"], ["resume"],
            ] {
                let run = try await world.tool.run(
                    ["--allow-insecure-loopback"] + arguments + ["order-4711"]
                )
                #expect(run.status == 0, "\(arguments): \(run.diagnostics)")
            }
            for (command, more) in [
                ("note", ["the payer called"]), ("attempt", ["swish"]), ("abort", []),
                ("erase", ["--reason", "asked for"]),
            ] {
                let run = try await world.tool.run(
                    ["--allow-insecure-loopback", command, "order-4711"] + more
                )
                #expect(run.status == 0, "\(command): \(run.diagnostics)")
            }
            let shown = try await world.run("show", session, "--json")
            #expect(try shown.json["outcome"].text == "canceled")
            let unknown = try await world.run("order", "show", "order-4712")
            #expect(unknown.status == 66, "\(unknown.diagnostics)")
        }
    }

    @Test func `a name that fits several sessions is refused with the candidates`() async throws {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "order-1")
            _ = try await world.run("abort", first)
            let refused = try await world.run("retry", "order-1", "--json")
            #expect(refused.status == 64 && refused.output.isEmpty)
            let lines = refused.diagnostics.split(separator: "\n")
            try #require(lines.count == 5, "\(refused.diagnostics)")
            #expect(lines[0].contains("2 sessions match [usage.session-ambiguous]"))
            #expect(lines[1].hasPrefix("  \(second.suffix(8))  order-1  to be paid 100.00 SEK  20"))
            #expect(lines[2].hasPrefix("  \(first.suffix(8))  order-1  nothing paid  20"))
            #expect(lines[3].hasPrefix("hint: "))
            let document = String(lines[4])
            let error = try JSON(parsing: document)["error"]
            #expect(error["code"].text == "usage.session-ambiguous")
            #expect(error["candidates"].list.compactMap { $0["session"].text } == [second, first])
            try await SchemaCheck.expect(document, fits: "cli/error", in: world)
        }
    }

    @Test func `a name that matches no session is refused with one error and one hint`()
        async throws
    {
        try await World.with { world in
            let lost = try await world.run("show", "order-4711")
            #expect(lost.status == 66 && lost.diagnostics.contains("does not exist"))
            #expect(!FileManager.default.fileExists(atPath: world.storePath))
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "4711")
            #expect(try await world.run("show", "4711").status == 0)
            for (name, status) in [
                ("4712", 64), (String(session.suffix(5)), 64), ("", 64), ("a\nb", 64),
                ("0192f0c1-7c1e-4d3a-9b1e-0a1b2c3d4e5f", 64), ("order-4712", 66),
                ("0000000", 66), ("0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f", 66),
                ("secret'; DROP TABLE sessions", 66), ("%%%%%%", 66),
            ] as [(String, Int32)] {
                let refused = try await world.run("show", name)
                #expect(refused.status == status, "\(name): \(refused.diagnostics)")
                #expect(refused.diagnostics.split(separator: "\n").count == 2)
                #expect(!refused.diagnostics.contains("secret"))
            }
            let file = try await world.run("explain", "order-4712")
            #expect(file.status == 66 && file.diagnostics.split(separator: "\n").count == 2)
        }
    }

    @Test func `a file takes precedence over a reference, and an imported session is found`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "kept")
            let exported = try await world.run("export", "kept")
            let other = world.folder + "/other.db"
            let imported = try await world.run(
                "import",
                "-",
                input: exported.output,
                store: other
            )
            #expect(imported.status == 0, "\(imported.diagnostics)")
            let told = try await world.run("explain", "kept", store: other)
            #expect(told.status == 0 && told.output.contains(session), "\(told.diagnostics)")
            #expect(told.diagnostics.contains("was imported"))
            _ = try world.write("no log", to: "kept")
            let file = try await world.run("explain", "kept")
            #expect(file.status == 65, "\(file.diagnostics)")
            #expect(try await world.run("show", "kept").status == 0)
        }
    }
}
