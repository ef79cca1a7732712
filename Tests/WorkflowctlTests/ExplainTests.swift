import Foundation
import Testing

@testable import Sandbox

/// `explain` and `timeline` of payments in a store.
@Suite struct ExplainTests {
    private static let cases = URL(fileURLWithPath: SchemaCheck.folder)
        .deletingLastPathComponent().appendingPathComponent("Tests/Fixtures/Cases").path

    @Test
    func `explain gives the same result for a session of the store and for its log from a pipe`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(
                SandboxOrder(payerReference: "payer-1"),
                "--reference",
                "order-4711"
            )
            let told = try await world.run("explain", session, "--why")
            #expect(told.status == 0)
            #expect(told.output.contains("order-4711"))
            #expect(told.output.contains("The payer could choose Swish"))
            #expect(told.output.contains("workflowctl --allow-insecure-loopback show \(session)"))
            // Its commands work at a sandbox, even if the option was not given.
            let plain = try await world.tool.run(["explain", session])
            #expect(plain.output.contains("workflowctl --allow-insecure-loopback show \(session)"))
            let revealed = try await world.run("explain", session, "--reveal")
            #expect(revealed.status == 64 && revealed.diagnostics.contains("[usage.reveal]"))
            let json = try await world.run("explain", session, "--json")
            try await SchemaCheck.expect(json.output, fits: "cli/explain", in: world)
            #expect(try json.json["nextMove"]["who"].text == "payer")
            let piped = try await world.tool.shell(
                "workflowctl log \(session) --json | workflowctl --allow-insecure-loopback explain - --json"
            )
            // Identical except for the program's name, which is the one under which it was called.
            for member in ["story", "summary", "money", "nextMove", "outcome", "lastSeq"] {
                #expect(try piped.json[member] == json.json[member], "\(member)")
            }
            // The commands that it proposes do not work on a file.
            #expect(piped.diagnostics.contains("need the store in which the session was opened"))
            #expect(!told.diagnostics.contains("--store") && !json.diagnostics.contains("--store"))
            let chart = try await world.run("timeline", session, "--json", "--all")
            try await SchemaCheck.expect(chart.output, fits: "cli/timeline", in: world)
            let rows = try await world.run("timeline", session)
            #expect(rows.output.hasPrefix("seq\ttime\tafter\tfrom\tto\ttype\twhat\n"))
        }
    }

    @Test func `explain and timeline of every case match their schemas`() async throws {
        try await World.with { world in
            let names = try FileManager.default.contentsOfDirectory(atPath: Self.cases)
                .filter { $0.hasSuffix(".ndjson") }.sorted()
            #expect(names.count == 13)
            var stories = ""
            var charts = ""
            for name in names {
                stories += try await world.run("explain", Self.cases + "/" + name, "--json").output
                charts += try await world.run("timeline", Self.cases + "/" + name, "--json").output
            }
            try await SchemaCheck.expect(stories, fits: "cli/explain", in: world)
            try await SchemaCheck.expect(charts, fits: "cli/timeline", in: world)
        }
    }

    @Test func `explain and timeline refuse unreadable input with its exit code`() async throws {
        try await World.with { world in
            let empty = try world.write("", to: "empty.ndjson")
            #expect(try await world.run("explain", empty).status == 65)
            #expect(try await world.run("timeline", world.folder + "/missing").status == 66)
            let byReference = try await world.run("explain", "order-4711")
            #expect(byReference.status == 66)
            #expect(byReference.diagnostics.contains("'workflowctl find TEXT'"))
            let unknown = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            #expect(try await world.run("explain", unknown).status == 66)
            let revealed = try await world.run("explain", empty, "--reveal")
            #expect(revealed.status == 64 && revealed.diagnostics.contains("[usage.reveal]"))
        }
    }

    @Test func `times are shown in the reader's time zone with the UTC offset, and in JSON in UTC`()
        async throws
    {
        try await World.with { world in
            let file =
                URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent().path
                + "/Tests/Fixtures/Cases/expired.ndjson"
            let here = try await world.run("explain", file, "--time-zone", "Asia/Kolkata")
            #expect(here.output.contains("Started     2026-12-02 06:17:43 +05:30\n"))
            let there = try await world.run("explain", file, "--time-zone", "UTC")
            #expect(there.output.contains("Started     2026-12-02 00:47:43 UTC\n"))
            // JSON has times in UTC.
            let json = try await world.run("explain", file, "--time-zone", "Asia/Kolkata", "--json")
            #expect(try json.json["openedAt"].text == "2026-12-02T00:47:43.000000Z")
            let page = try await world.run("report-html", file, "--time-zone", "Asia/Kolkata")
            #expect(page.output.contains("<dd>2026-12-02 06:17:43 +05:30</dd>"))
            let drawing = try await world.run(
                "diagram",
                file,
                "--format",
                "svg",
                "--time-zone",
                "America/New_York"
            )
            #expect(drawing.output.contains("since 2026-12-01"))
            #expect(drawing.output.contains("19:47:43 -05:00"))
        }
    }
}
