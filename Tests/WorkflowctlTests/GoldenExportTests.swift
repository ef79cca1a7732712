import Foundation
import Testing

@testable import Sandbox

/// Exports of earlier versions, which every later version reads.
@Suite struct GoldenExportTests {
    private static let folder = URL(fileURLWithPath: SchemaCheck.folder)
        .deletingLastPathComponent().appendingPathComponent("Tests/Fixtures/Exports").path

    private static let session = "01a22ae2-32c3-7000-95cc-c3afb2e69af2"
    private static let records = 29

    @Test(arguments: [
        "payments-0.1.ndjson", "payments-0.1.ndjson.gz", "payments-0.1.ndjson.zst",
        "redacted-0.1.ndjson", "events-0.1.json", "events-0.1.json.gz",
    ])
    func `an export of version 0.1 is verified, replayed and imported`(name: String) async throws {
        try await World.with { world in
            let path = "\(Self.folder)/\(name)"
            let verified = try await world.run("verify", path, "--json")
            #expect(verified.status == 0, "\(verified.diagnostics)")
            #expect(try verified.json["records"].number == Self.records)
            #expect(try verified.json["sessions"].number == 2)
            #expect(try verified.json["unknown"].list.isEmpty)
            let replayed = try await world.run(
                "replay",
                path,
                "--session",
                Self.session
            )
            #expect(replayed.status == 0, "\(replayed.diagnostics)")
            #expect(try await world.run("import", path, store: "golden.db").status == 0)
            #expect(try await world.run("import", path, store: "golden.db").status == 0)
            #expect(try await world.run("verify", store: "golden.db").status == 0)
            let shown = try await world.run("show", Self.session, "--json", store: "golden.db")
            #expect(try shown.json["outcome"].text == "completed")
        }
    }

    @Test func `this version exports logs of version 0.1 byte for byte as that version did`()
        async throws
    {
        try await World.with { world in
            func golden(_ name: String) throws -> String {
                try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
            }
            let plain = try golden("payments-0.1.ndjson")
            _ = try await world.run("import", "\(Self.folder)/payments-0.1.ndjson", store: "a.db")
            #expect(try await world.run("export", store: "a.db").output == plain)
            let events = try await world.run("export", "--format", "cloudevents", store: "a.db")
            #expect(events.output == (try golden("events-0.1.json")))
            for (ending, tool) in [("gz", "gzip"), ("zst", "zstd")] {
                let unfolded = try await world.tool.shell(
                    "\(tool) -dc \(Self.folder)/payments-0.1.ndjson.\(ending)"
                )
                #expect(unfolded.output == plain)
            }
        }
    }
}
