import Adapters
import ArgumentParser
import EventLog
import Inspection
import SwedbankPay
import Testing

@testable import workflowctl

@Suite struct OutputTests {
    @Test func `messages are wrapped to the terminal's width, and commands stay whole`() {
        let message =
            "note: the PSP's response was lost; run 'workflowctl resume 00000002' soon"
        let narrow = FalseTerminal().sink(columns: 30, style: .plain)
        #expect(
            narrow.wrapped(message) == """
                note: the PSP's response was
                lost; run
                'workflowctl resume 00000002'
                soon
                """
        )
        let pipe = FalseTerminal().sink(columns: nil, style: .plain)
        #expect(pipe.wrapped(message) == message)
    }

    @Test(
        arguments: [
            (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
            (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
            (false, ["CLICOLOR_FORCE": "1"], true), (false, ["CLICOLOR_FORCE": "0"], false),
            (false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
        ] as [(Bool, [String: String], Bool)]
    )
    func `color follows the environment, then the terminal`(
        terminal: Bool,
        environment: [String: String],
        isColored: Bool
    ) {
        let style = Style.of(terminal: terminal, choice: .auto, environment: environment)
        #expect(style.isColored == isColored)
        #expect(Style.of(terminal: terminal, choice: .always, environment: environment).isColored)
        #expect(!Style.of(terminal: terminal, choice: .never, environment: environment).isColored)
    }

    @Test func `a command writes to the terminal that it is given`() async throws {
        let loop = try UVLoop(name: "test")
        let terminal = FalseTerminal()
        let command = try #require(
            try Workflowctl.parseAsRoot(["schema", "session-view"]) as? any Command
        )
        let status = try await command.perform(in: terminal.invocation(on: loop))
        #expect(status == .done)
        #expect(terminal.text.contains("The output of driving commands"))
        loop.shutdown()
    }
}
