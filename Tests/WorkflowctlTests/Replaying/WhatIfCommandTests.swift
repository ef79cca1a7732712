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

    @Test func `under the current rules, no payment would have ended differently`() async throws {
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

    @Test func `with a shorter session limit, payments would have been read at their limit`()
        async throws
    {
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
            // No log shows what the PSP would have responded at the earlier limit.
            #expect(try json.json["parted"].number == 6)
            #expect(try json.json["endedOtherwise"].number == 0)
        }
    }

    @Test
    func `with a single try, payments that a retry saved would be stuck, and the event is named`()
        async throws
    {
        try await World.with { world in
            let path = try Self.cases(in: world)
            let one = try await world.run("replay", path, "--what-if", "--json")
            #expect(one.status == 0)
            let few = try world.write(#"{"limits":{"tries":1}}"#, to: "once.json")
            let json = try await world.run("replay", path, "--what-if", "--config", few, "--json")
            #expect(try json.json["parted"].number == 2)
            #expect(try json.json["endedOtherwise"].number == 2)
            #expect(try json.json["unknown"].number == 0)
            let payments = try json.json["payments"].list
            #expect(
                payments.compactMap { $0["reference"].text }.sorted() == [
                    "order-4715", "order-4720",
                ]
            )
            for payment in payments {
                #expect(payment["divergence"]["seq"].number == 14)
                #expect(payment["recorded"].text == "completed")
                #expect(payment["whatIf"].text == "open")
                #expect(payment["reason"].text == "stuck after requestFailed")
            }
            let counted = try json.json["totals"].list.reduce(0) {
                $0 + ($1["payments"].number ?? 0)
            }
            #expect(counted == payments.count)
            // The same result as text, with the events at which they differ.
            let text = try await world.run("replay", path, "--what-if", "--config", few)
            #expect(text.output.contains("would have ended"))
            #expect(text.output.contains("differs at event"))
        }
    }

    @Test
    func `changed rows of the catalogue apply to one --what-if only; a malformed file is refused`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let log = try await world.run("log", session, "--json").output
            let known = try await world.run("problems", "list", "--json").output
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
            // The rows apply to this question only.
            let plain = try await world.run("replay", session, "--what-if", "--json")
            #expect(try plain.json["rules"].text?.contains("+") == false)
            #expect(try await world.run("problems", "list", "--json").output == known)
            #expect(known.contains("trustly/systemerror"))
            #expect(try await world.run("log", session, "--json").output == log)
            #expect(try await world.run("replay", session, "--check").status == 0)
            let wrong = try world.write("[", to: "wrong.json")
            let refused = try await world.run("replay", "--what-if", "--catalogue", wrong)
            #expect(refused.status == 78)
        }
    }
}
