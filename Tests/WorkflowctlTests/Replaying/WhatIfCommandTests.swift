import Foundation
import Testing

@testable import Sandbox

/// Which payments would have ended differently.
@Suite struct WhatIfCommandTests {
    /// The logs of all cases: payments with unexpected courses, in one file.
    static func cases(in world: World) throws -> String {
        let folder = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent()
            .appendingPathComponent("Tests/Fixtures/Cases").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".ndjson") }.sorted()
        try #require(names.count == 13)
        let text = try names.map {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        return try world.write(text.joined(), to: "cases.ndjson")
    }

    @Test func `under the rules in force nothing would have ended otherwise`() async throws {
        try await World.with { world in
            let path = try Self.cases(in: world)
            let same = try await world.run("replay", path, "--what-if", "--json")
            #expect(same.status == 0, "\(same.diagnostics)")
            try await SchemaCheck.expect(same.output, fits: "cli/replay-what-if", in: world)
            #expect(try same.json["sessions"].number == 13)
            #expect(try same.json["parted"].number == 0)
            #expect(try same.json["endedOtherwise"].number == 0)
            #expect(try same.json["payments"].list.isEmpty)
        }
    }

    @Test func `other limits: a payment that waited too long would have expired`() async throws {
        try await World.with { world in
            let path = try Self.cases(in: world)
            let config = try world.write(#"{"limits":{"session":"20s"}}"#, to: "short.json")
            let json = try await world.run(
                "replay",
                path,
                "--what-if",
                "--config",
                config,
                "--json"
            )
            #expect(json.status == 0, "\(json.diagnostics)")
            try await SchemaCheck.expect(json.output, fits: "cli/replay-what-if", in: world)
            let other = try json.json["endedOtherwise"].number ?? 0
            #expect(other > 0)
            let sums = try json.json["totals"].list.filter { $0["whatIf"].text == "expired" }
            #expect(!sums.isEmpty)
            let counted = try json.json["totals"].list.reduce(0) {
                $0 + ($1["payments"].number ?? 0)
            }
            #expect(try counted == json.json["payments"].list.count)
            // The same result as text, with the events at which they differ.
            let text = try await world.run("replay", path, "--what-if", "--config", config)
            #expect(text.output.contains("would have ended"))
            #expect(text.output.contains("differs at event"))
        }
    }

    @Test func `another catalogue: what was asked again and then paid would have stood still`()
        async throws
    {
        try await World.with { world in
            let path = try Self.cases(in: world)
            let one = try await world.run("replay", path, "--what-if", "--json")
            #expect(one.status == 0)
            let few = try world.write(#"{"limits":{"tries":1}}"#, to: "once.json")
            let json = try await world.run("replay", path, "--what-if", "--config", few, "--json")
            #expect(try (json.json["parted"].number ?? 0) > 0)
            for payment in try json.json["payments"].list {
                #expect(payment["divergence"]["seq"].number != nil)
                #expect(payment["whatIf"].text != payment["recorded"].text)
                if payment["whatIf"].text == "unknown" {
                    #expect(payment["reason"].text != nil && payment["toldUpTo"].number != nil)
                }
            }
        }
    }

    @Test func `changed rows of the catalogue are asked about without being in force`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let row = #"[{"slug":"trustly/systemerror","delaySeconds":9}]"#
            let file = try world.write(row, to: "problems.json")
            let asked = try await world.run(
                "replay",
                session,
                "--what-if",
                "--catalogue",
                file,
                "--json"
            )
            #expect(asked.status == 0, "\(asked.diagnostics)")
            #expect(try asked.json["rules"].text?.contains("+") == true)
            #expect(try asked.json["sessions"].number == 1)
            let wrong = try world.write("[", to: "wrong.json")
            let refused = try await world.run("replay", "--what-if", "--catalogue", wrong)
            #expect(refused.status == 78)
        }
    }
}
