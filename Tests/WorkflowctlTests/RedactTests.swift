import Foundation
import Testing

@testable import Sandbox

/// Logs that are shown to others: nothing secret is left in their text, and they say the same.
@Suite struct RedactTests {
    private static let card = "4111 1111 1111 1111"
    private static let telephone = "+46739000001"
    private static let email = "anna@example.se"
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN"
    private static let link = "https://shop.example/c?key=hunter2"

    /// A payment that failed and was given up, with secrets in all that its host can write.
    private func payment(_ world: World) async throws -> String {
        let (session, _) = try await world.open(
            SandboxOrder(payerReference: "payer-1"),
            "--reference",
            "Lamp \(Self.card)",
            "--metadata",
            "contact=\(Self.email), \(Self.telephone)",
            "--metadata",
            "cart=\(Self.link)",
            "--metadata",
            "\(Self.telephone)=\(Self.jwt)"
        )
        _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
        _ = try await world.run("abort", session)
        return session
    }

    @Test func `nothing secret is left in a redacted log, and it verifies and replays as before`()
        async throws
    {
        try await World.with { world in
            let session = try await payment(world)
            let full = try await world.run("export", session)
            let redacted = try await world.run("export", session, "--redact")
            #expect(redacted.status == 0)
            for secret in [
                Self.card, "4111111111111111", Self.telephone, "739000001", Self.email, Self.jwt,
                "hunter2",
            ] {
                #expect(full.output.contains(secret) || secret.allSatisfy(\.isNumber))
                #expect(!redacted.output.contains(secret) && !redacted.diagnostics.contains(secret))
            }
            let first = try JSON(parsing: String(redacted.output.prefix { $0 != "\n" }))
            #expect(first["masked"].list.compactMap(\.text) == ["data.metadata", "data.reference"])
            #expect(first["record"]["data"]["reference"].text == "Lamp [card number]")
            let cart = first["record"]["data"]["metadata"]["cart"].text
            #expect(cart == "https://shop.example/c?key=(value)")
            let contact = first["record"]["data"]["metadata"]["contact"].text
            #expect(contact == "[e-mail address], [telephone number]")
            #expect(first["record"]["data"]["metadata"]["[telephone number]"].text == "[token]")
            try await SchemaCheck.expect(redacted.output, fits: "log-line", in: world)

            let path = try world.write(redacted.output, to: "case.ndjson")
            let verified = try await world.run("verify", path)
            #expect(verified.status == 0)
            #expect((verified.output + verified.diagnostics).contains("masked"))
            let refused = try await world.run("verify", path, "--no-masked")
            #expect(refused.status == 1 && refused.output == verified.output)
            #expect(refused.diagnostics.contains("[log.masked]"))
            #expect(try await world.run("verify", session, "--no-masked").status == 0)
            #expect(try await world.run("replay", path, "--check").status == 0)
            for place in 1...redacted.output.split(separator: "\n").count {
                let here = try await world.run("replay", session, "--at", "\(place)", "--json")
                let there = try await world.run("replay", path, "--at", "\(place)", "--json")
                for member in ["phase", "settled", "outcome", "lastSeq", "attempt", "methods"] {
                    #expect(try there.json[member] == here.json[member], "\(member) at \(place)")
                }
            }
        }
    }

    @Test func `a file is redacted to the same bytes as an export, and again to the same`()
        async throws
    {
        try await World.with { world in
            let session = try await payment(world)
            _ = try await world.open()
            let full = try await world.run("export")
            let redacted = try await world.run("export", "--redact")
            let path = try world.write(full.output, to: "logs.ndjson")
            let made = try await world.run("redact", path, "-o", "case.ndjson")
            #expect(made.status == 0 && made.output.isEmpty)
            #expect(made.diagnostics.contains("data.metadata, data.reference"))
            #expect(try world.mode(of: world.folder + "/case.ndjson") == 0o600)
            let file = try String(contentsOfFile: world.folder + "/case.ndjson", encoding: .utf8)
            #expect(file == redacted.output)
            let again = try await world.run("redact", "case.ndjson")
            #expect(again.output == file)
            let piped = try await world.run("redact", "-", input: full.output)
            #expect(piped.output == file)
            #expect(try await world.run("redact", path, "--reveal").status == 64)
            #expect(file.contains(session))
        }
    }

    @Test(arguments: [("gz", "zst"), ("zst", "gz")])
    func `compressed files are redacted from and to, by their names`(
        from: String,
        to: String
    ) async throws {
        try await World.with { world in
            _ = try await payment(world)
            let redacted = try await world.run("export", "--redact")
            _ = try await world.run("export", "-o", "logs.ndjson.\(from)")
            let made = try await world.run("redact", "logs.ndjson.\(from)", "-o", "case.\(to)")
            #expect(made.status == 0, "\(made.diagnostics)")
            #expect(try world.mode(of: world.folder + "/case.\(to)") == 0o600)
            let tool = to == "gz" ? "gzip" : "zstd"
            let unfolded = try await world.tool.shell("\(tool) -dc case.\(to)")
            #expect(unfolded.status == 0 && unfolded.output == redacted.output)
            let verified = try await world.run("verify", "case.\(to)", "--json")
            #expect(try verified.json["masked"]["records"].number == 1)
            _ = try await world.run("export", "--redact", "-o", "direct.\(to)")
            let direct = try await world.tool.shell("\(tool) -dc direct.\(to)")
            #expect(direct.output == redacted.output)
            // A file that is cut gives no result, not even a part of one.
            _ = try await world.tool.shell("head -c -9 logs.ndjson.\(from) > cut.\(from)")
            let cut = try await world.run("redact", "cut.\(from)", "-o", "half.\(to)")
            #expect(cut.status == 65 && cut.diagnostics.contains("[file.compression]"))
            let left = try FileManager.default.contentsOfDirectory(atPath: world.folder)
            #expect(!left.contains { $0.hasPrefix("half") }, "\(left)")
        }
    }

    @Test func `masked text cannot be told in events, so such an export is refused as a whole`()
        async throws
    {
        try await World.with { world in
            let session = try await payment(world)
            let (plain, _) = try await world.open()
            let events = ["export", "--redact", "--format", "cloudevents"]
            let refused = try await world.tool.run(events + [session, "-o", "events.json"])
            #expect(refused.status == 64)
            #expect(refused.diagnostics.contains("[usage.masked-event]"))
            #expect(!refused.diagnostics.contains("4111"))
            let left = try FileManager.default.contentsOfDirectory(atPath: world.folder)
            #expect(!left.contains { $0.hasPrefix("events") }, "\(left)")
            let one = try await world.tool.run(events + [plain])
            #expect(one.status == 0, "\(one.diagnostics)")
            let same = try await world.run("export", plain, "--format", "cloudevents")
            #expect(one.output == same.output)
        }
    }

    @Test func `a log with masked text is not imported, one without is`() async throws {
        try await World.with { world in
            let session = try await payment(world)
            let redacted = try await world.run("export", session, "--redact")
            let path = try world.write(redacted.output, to: "case.ndjson")
            let refused = try await world.run("import", path, store: "other.db")
            #expect(refused.status == 1)
            #expect(refused.diagnostics.contains("[import.masked]"))
            let (other, _) = try await world.open()
            _ = try await world.run("export", other, "--redact", "-o", "plain.ndjson")
            #expect(try await world.run("import", "plain.ndjson", store: "other.db").status == 0)
        }
    }

    @Test func `an altered log is not redacted, since its masks would hide what was altered`()
        async throws
    {
        try await World.with { world in
            let session = try await payment(world)
            let full = try await world.run("export", session)
            let altered = full.output.replacing("Lamp 4111", with: "Lamb 4111")
            let path = try world.write(altered, to: "altered.ndjson")
            let refused = try await world.run("redact", path, "-o", "case.ndjson")
            #expect(refused.status == 65)
            #expect(refused.diagnostics.contains("[log.wrong-hash]"))
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/case.ndjson"))
        }
    }

    @Test
    func `who claims a mask where none is, is found out by every command that reads the file`()
        async throws
    {
        try await World.with { world in
            let session = try await payment(world)
            let redacted = try await world.run("export", session, "--redact").output
            let forged = redacted.replacing("Lamp [card number]", with: "Chandelier")
            let path = try world.write(forged, to: "forged.ndjson")
            for command in ["verify", "replay", "redact", "import"] {
                let result = try await world.run(command, path)
                #expect(result.status == 65, "\(command)")
                #expect(result.diagnostics.contains("[log.wrong-mask]"), "\(command)")
            }
        }
    }

    @Test func `the payments of a demonstration replay alike after redaction`() async throws {
        try await World.with { world in
            let demo = try await world.run("demo", store: "demo.db")
            try #require(demo.status == 0, "\(demo.diagnostics)")
            let listed = try await world.run("list", "--json", store: "demo.db")
            let sessions = try listed.json.list.compactMap { $0["session"].text }
            try #require(!sessions.isEmpty)
            let all = try await world.run(
                "export",
                "--redact",
                "-o",
                "all.ndjson",
                store: "demo.db"
            )
            #expect(all.status == 0)
            #expect(try await world.run("verify", "all.ndjson").status == 0)
            for session in sessions {
                let checked = try await world.run(
                    "replay",
                    "all.ndjson",
                    "--session",
                    session,
                    "--check"
                )
                #expect(checked.status == 0, "\(checked.output)")
                let here = try await world.run("replay", session, "--json", store: "demo.db")
                let there = try await world.run(
                    "replay",
                    "all.ndjson",
                    "--session",
                    session,
                    "--json"
                )
                for member in ["phase", "settled", "outcome", "lastSeq"] {
                    #expect(try there.json[member] == here.json[member])
                }
            }
        }
    }
}
