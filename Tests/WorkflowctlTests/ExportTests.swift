import Foundation
import Testing

@testable import Sandbox

/// Exports without sealed values, and as events for other systems.
@Suite struct ExportTests {
    @Test func `a redacted log verifies, replays and imports, but cannot be revealed or driven`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
            _ = try await world.run("abort", session)
            let full = try await world.run("export", session)
            let redacted = try await world.run("export", session, "--redact")
            #expect(redacted.status == 0)
            try await SchemaCheck.expect(redacted.output, fits: "log-line", in: world)
            let pairs = zip(
                full.output.split(separator: "\n"),
                redacted.output.split(separator: "\n")
            )
            var sealed = 0
            for (before, after) in pairs {
                let (before, after) = (
                    try JSON(parsing: String(before)), try JSON(parsing: String(after))
                )
                sealed += before["seals"].list.count
                #expect(after["seals"].list.isEmpty)
                #expect(after["record"] == before["record"] && after["hash"] == before["hash"])
            }
            #expect(sealed > 0)

            let path = try world.write(redacted.output, to: "case.ndjson")
            #expect(try await world.run("verify", path).status == 0)
            #expect(try await world.run("replay", path, "--check").status == 0)
            let replayed = try await world.run("replay", path, "--json")
            #expect(try await world.run("replay", session, "--json").output == replayed.output)

            let other = "other.db"
            #expect(try await world.run("import", path, store: other).status == 0)
            #expect(try await world.run("verify", store: other).status == 0)
            let here = try await world.run("show", session, "--json")
            let there = try await world.run("show", session, "--json", store: other)
            #expect(there.output == here.output)
            let again = try await world.run("export", "--redact", store: other)
            #expect(again.output == redacted.output)
            let driven = try await world.run("abort", session, store: other)
            #expect(driven.status == 1)
            #expect(!driven.diagnostics.contains(order.sessionURL))
            #expect(try await world.run("log", session, "--reveal", store: other).status != 0)
        }
    }

    @Test func `importing a redacted log removes no seals from the store that has them`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            let full = try await world.run("export", session)
            _ = try await world.run("export", session, "--redact", "-o", "case.ndjson")
            let imported = try await world.run("import", "case.ndjson", "--json")
            #expect(try imported.json[0]["written"].number == 0)
            #expect(try await world.run("export", session).output == full.output)
            #expect(try await world.run("abort", session).status == 0)
        }
    }

    /// Verifies the chain of events with Python's standard library, as a consumer would.
    private static let chain = """
        import hashlib, json, sys
        before = "00" * 32
        for event in json.load(sys.stdin):
            assert event["chainprevious"] == before
            form = json.dumps(event["data"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            before = hashlib.sha256(bytes.fromhex(before) + form.encode()).hexdigest()
            assert event["chainhash"] == before
            assert all(name.isalnum() and name.islower() and len(name) <= 20 for name in event)
        """

    /// The attributes that CloudEvents 1.0 requires of every event.
    private static func expectAttributes(_ event: JSON) throws {
        for name in ["id", "source", "specversion", "type"] {
            #expect(event[name].text?.isEmpty == false, "\(name)")
        }
        #expect(event["specversion"].text == "1.0")
        for name in ["source", "dataschema"] {
            let address = try #require(event[name].text.flatMap { URL(string: $0) })
            #expect(address.scheme != nil)
        }
        let time = try #require(event["time"].text)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil)
        for name in event.names {
            #expect(name.wholeMatch(of: /[a-z0-9]{1,20}/) != nil, "\(name)")
            #expect(name == "data" || event[name].text != nil)
        }
        #expect(!event.names.contains("data_base64"))
    }

    @Test func `CloudEvents contain the records and their hash chain, but no sealed values`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
            let exported = try await world.run("export", session, "--format", "cloudevents")
            #expect(exported.status == 0)
            let batch = exported.output.replacing("\n", with: "")
            try await SchemaCheck.expect(batch, fits: "cloudevents", in: world)
            let events = try JSON(parsing: batch).list
            for event in events { try Self.expectAttributes(event) }
            let script = try world.write(Self.chain, to: "chain.py")
            let checked = try await world.tool.shell("python3 \(script)", input: exported.output)
            #expect(checked.status == 0, "\(checked.diagnostics)")

            let log = try await world.run("log", session, "--json").output
            let lines = log.split(separator: "\n")
            #expect(events.count == lines.count)
            for (number, (event, line)) in zip(events, lines).enumerated() {
                let line = try JSON(parsing: String(line))
                #expect(event["data"] == line["record"])
                #expect(event["id"].text == "\(session)/\(number + 1)")
                #expect(event["subject"].text == session)
                #expect(
                    event["type"].text
                        == "internal.payment-workflow." + (line["record"]["type"].text ?? "")
                )
                for seal in line["seals"].list.compactMap(\.text) {
                    #expect(!exported.output.contains(seal))
                }
            }
            #expect(!exported.output.contains(order.sessionURL))
            #expect(!exported.output.contains("46739000001"))
            // Equal records produce equal events, and the file is written like any other.
            let again = try await world.run(
                "export",
                "--format=cloudevents",
                "--redact",
                "-o",
                "events.json"
            )
            #expect(again.status == 0)
            #expect(
                try String(contentsOfFile: world.folder + "/events.json", encoding: .utf8)
                    == exported.output
            )
            // The hash chain is in the events, so that they can be read as a log without seals.
            #expect(try await world.run("verify", "events.json").status == 0)
            #expect(try await world.run("replay", "events.json", "--check").status == 0)
            let imported = try await world.run("import", "events.json", store: "other.db")
            #expect(imported.status == 0)
            // Events have no member for the MACs of records.
            let redacted = try await world.run("export", "--redact").output
            #expect(
                try await world.run("export", store: "other.db").output
                    == redacted.replacing(/"mac":"[0-9a-f]{64}",/, with: "")
            )
            for (bad, code) in [
                (exported.output.dropLast(2), "log.cut-line"),
                (exported.output.replacing("/3\"", with: "/4\"")[...], "log.unreadable"),
                ((exported.output + "{}\n")[...], "log.unreadable"),
            ] {
                let told = try await world.run("verify", "-", input: String(bad))
                #expect(told.status == 65 && told.diagnostics.contains("[\(code)]"), "\(told)")
            }
        }
    }

    /// A Python with the package `cloudevents`, which `scripts/test` finds.
    private static let reader = ProcessInfo.processInfo.environment["CLOUDEVENTS_PYTHON"]

    @Test(
        .enabled(if: reader != nil, "no Python with the package 'cloudevents': CLOUDEVENTS_PYTHON")
    )
    func `the official CloudEvents library reads the exported events`() async throws {
        let python = try #require(Self.reader)
        try await World.with { world in
            let (session, _) = try await world.open()
            _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
            _ = try await world.open()
            let done = try await world.run("export", "--format", "cloudevents", "-o", "events.json")
            #expect(done.status == 0)
            let script =
                URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent().path
                + "/Tests/Tools/read_events.py"
            let read = try await world.tool.shell("'\(python)' '\(script)' events.json")
            #expect(read.status == 0, "\(read.diagnostics)")
            let records = try await world.run("export").output.split(separator: "\n")
            let lines = read.output.split(separator: "\n")
            try #require(lines.count == records.count && lines.count > 10)
            for (line, record) in zip(lines, records) {
                let record = try JSON(parsing: String(record))["record"]
                let stream = try #require(record["stream"].text)
                let type = try #require(record["type"].text)
                #expect(line.hasPrefix("\(stream)/"))
                #expect(line.contains(" internal.payment-workflow.\(type) "))
            }
        }
    }

    @Test(arguments: [["--redact"], ["--format", "cloudevents"]])
    func `an export without seals refuses --reveal`(options: [String]) async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let refused = try await world.tool.run(["export", session, "--reveal"] + options)
            #expect(refused.status == 64)
            #expect(refused.output.isEmpty)
            #expect(refused.diagnostics.contains("usage.reveal"))
            #expect(try await world.run("export", session, "--format", "xml").status == 64)
        }
    }

    @Test func `a log with an unreadable record is not exported as CloudEvents`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let script = try world.write(
                """
                import sqlite3
                store = sqlite3.connect("payments.db")
                store.execute("UPDATE events SET record = ? WHERE seq = 2", (b"{nonsense",))
                store.commit()
                """,
                to: "damage.py"
            )
            let damage = try await world.tool.shell("python3 \(script)")
            #expect(damage.status == 0, "\(damage.diagnostics)")
            let refused = try await world.run("export", session, "--format", "cloudevents")
            #expect(refused.status == 65)
            #expect(refused.output.isEmpty)
            #expect(refused.diagnostics.contains("record 2"))
        }
    }
}
