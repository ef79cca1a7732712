import Foundation
import LogFixtures
import TestSupport
import Testing

@testable import Sandbox

/// Redacted logs contain no secrets in their texts and have the same meaning.
@Suite(.threat("T-24"), .duty("C-31")) struct RedactTests {
    private static let card = "4111 1111 1111 1111"
    private static let telephone = "+46739000001"
    private static let email = "anna@example.se"
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN"
    private static let link = "https://shop.example/c?key=hunter2"

    /// A failed and aborted payment with secrets in all texts that its host can write.
    private func payment(_ world: World) async throws -> String {
        var order = SandboxOrder(payerReference: "payer-1")
        order.urls.paymentURL = "https://shop.example/pay?key=hunter2"
        let (session, _) = try await world.open(
            order,
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

    @Test func `a redacted log contains no secret, and verifies and replays like the original`()
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
                #expect(!full.output.contains(secret) && !redacted.output.contains(secret))
                #expect(!redacted.diagnostics.contains(secret))
            }
            let first = try JSON(parsing: String(redacted.output.prefix { $0 != "\n" }))
            let data = first["record"]["data"]
            for sealed in [
                data["reference"], data["metadata"]["cart"], data["metadata"]["contact"],
                data["metadata"]["sealed-1"],
            ] {
                #expect(sealed["fp"].text?.count == 64)
            }
            #expect(redacted.output.contains(#""payment":{"$sealed":"#))
            try await SchemaCheck.expect(redacted.output, fits: "log-line", in: world)

            let path = try world.write(redacted.output, to: "case.ndjson")
            #expect(try await world.run("verify", path).status == 0)
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

    @Test
    func `redacting a file gives the same bytes as export --redact, and so does repeating it`()
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
    func `redact reads and writes compressed files according to their extensions`(
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
            #expect(verified.status == 0)
            _ = try await world.run("export", "--redact", "-o", "direct.\(to)")
            let direct = try await world.tool.shell("\(tool) -dc direct.\(to)")
            #expect(direct.output == redacted.output)
            // A truncated file produces no output, not even a partial one.
            _ = try await world.tool.shell("head -c -9 logs.ndjson.\(from) > cut.\(from)")
            let cut = try await world.run("redact", "cut.\(from)", "-o", "half.\(to)")
            #expect(cut.status == 65 && cut.diagnostics.contains("[file.compression]"))
            let left = try FileManager.default.contentsOfDirectory(atPath: world.folder)
            #expect(!left.contains { $0.hasPrefix("half") }, "\(left)")
        }
    }

    @Test func `a redacted log is imported, and exported as events`() async throws {
        try await World.with { world in
            let session = try await payment(world)
            let redacted = try await world.run("export", session, "--redact")
            let path = try world.write(redacted.output, to: "case.ndjson")
            let imported = try await world.run("import", path, store: "other.db")
            #expect(imported.status == 0, "\(imported.diagnostics)")
            #expect(try await world.run("verify", session, store: "other.db").status == 0)
            let format = ["--format", "cloudevents"]
            let here = try await world.tool.run(["export", session, "--redact"] + format)
            #expect(here.status == 0, "\(here.diagnostics)")
            let there = try await world.tool.run(
                ["--store", "sqlite:other.db", "export", session] + format
            )
            #expect(there.output == here.output && here.output.contains(session))
        }
    }

    @Test func `redact refuses an altered log and writes no file`()
        async throws
    {
        try await World.with { world in
            let session = try await payment(world)
            let full = try await world.run("export", session)
            let altered = full.output.replacing("\"host\":\"127", with: "\"host\":\"128")
            let path = try world.write(altered, to: "altered.ndjson")
            let refused = try await world.run("redact", path, "-o", "case.ndjson")
            #expect(refused.status == 65)
            #expect(refused.diagnostics.contains("[log.wrong-hash]"))
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/case.ndjson"))
        }
    }

    @Test func `the payments of demo replay to the same state after redaction`() async throws {
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
