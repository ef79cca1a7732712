import EventLog
import Inspection
import Logging
import TestSupport
import Testing

@testable import Sandbox
@testable import workflowctl

/// Messages on standard error as JSON, for collectors of logs.
@Suite(.feature("S-12")) struct LogFormatTests {
    private static let names: Set = ["time", "level", "message", "logger", "metadata"]

    /// Returns the objects on standard error, one per line.
    private static func objects(_ text: String) throws -> [JSON] {
        try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    @Test func `a logger's message is one line with its time, level, label and metadata`() throws {
        let terminal = FalseTerminal()
        let sink = terminal.sink(columns: 80, style: .plain).asJSON()
        var logger = Logger(label: "payment-workflow.test") { label in
            JSONLogHandler(label: label, sink: sink, logLevel: .warning)
        }
        logger[metadataKey: "node"] = "a"
        logger.info("not written")
        logger.warning(
            "first\nsecond \u{1B}[31m",
            metadata: ["node": "b", "list": ["x", "\(7)"]]
        )
        let objects = try Self.objects(terminal.text)
        try #require(objects.count == 1, "\(terminal.text)")
        let told = objects[0]
        #expect(told.names == Self.names)
        #expect(told["level"].text == "warning")
        #expect(told["logger"].text == "payment-workflow.test")
        #expect(told["message"].text == "first\nsecond \u{1B}[31m")
        #expect(told["metadata"]["node"].text == "b")
        #expect(told["metadata"]["list"].list.map(\.text) == ["x", "7"])
        #expect(Instant(told["time"].text ?? "") != nil)
        // The reader may be a terminal.
        #expect(!terminal.text.contains("\u{1B}"))
    }

    @Test func `lines of a command have the level that their first word says`() throws {
        let terminal = FalseTerminal()
        let sink = terminal.sink(columns: 80, style: .plain).asJSON()
        sink.write("note: one\nhint: two\n")
        sink.write(Style(isColored: true, isUnicode: true).paint("error:", .bad) + " three\n")
        let told = try Self.objects(terminal.text)
        #expect(told.map { $0["level"].text } == ["notice", "info", "error"])
        #expect(told.map { $0["message"].text } == ["one", "hint: two", "three"])
    }

    @Test func `with the variable, each line on standard error is a JSON object`() async throws {
        try await World.with { world in
            var tool = world.tool
            tool.environment["WORKFLOWCTL_LOG_FORMAT"] = "json"
            let failed = try await tool.run(["list"])
            let told = try Self.objects(failed.diagnostics)
            try #require(failed.status == 66 && told.count == 1, "\(failed.diagnostics)")
            #expect(told[0].names == Self.names)
            #expect(told[0]["level"].text == "error" && told[0]["logger"].text == "workflowctl")
            #expect(told[0]["message"].text?.contains("does not exist") == true)
            #expect(told[0]["metadata"]["code"].text == "store.no-database")
            #expect(told[0]["metadata"]["status"].number == 66)
            #expect(told[0]["metadata"]["hint"].text?.contains("store init") == true)
            // The document for scripts is still the last line.
            let both = try Self.objects(try await tool.run(["list", "--json"]).diagnostics)
            #expect(both.count == 2)
            #expect(both.last?["error"]["code"].text == "store.no-database")
            let wrong = try Self.objects(try await tool.run(["list", "--bogus"]).diagnostics)
            #expect(wrong.map { $0["metadata"]["code"].text } == ["usage.arguments"])
            let order = try await world.sandbox.createOrder(SandboxOrder())
            let opened = try await tool.run(
                ["--allow-insecure-loopback", "-v", "open", order.sessionURL]
            )
            #expect(opened.status == 0)
            let events = try Self.objects(opened.diagnostics)
            #expect(events.count > 2 && events.allSatisfy { $0.names == Self.names })
        }
    }

    @Test func `an unknown log format is refused, and text is the default`() async throws {
        try await World.with { world in
            var tool = world.tool
            for format in ["text", ""] {
                tool.environment["WORKFLOWCTL_LOG_FORMAT"] = format
                let failed = try await tool.run(["list"])
                #expect(failed.status == 66 && failed.diagnostics.hasPrefix("error: "))
            }
            tool.environment["WORKFLOWCTL_LOG_FORMAT"] = "xml"
            let refused = try await tool.run(["list"])
            #expect(refused.status == 64)
            #expect(refused.diagnostics.contains("WORKFLOWCTL_LOG_FORMAT [usage.log-format]"))
            #expect(refused.diagnostics.contains("hint: set it to text or json"))
            #expect(try await tool.run(["--help"]).status == 0)
        }
    }
}
