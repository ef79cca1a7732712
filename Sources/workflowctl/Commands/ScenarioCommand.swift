internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `scenario`: manages scenarios of the sandbox.
struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Create scenarios for the sandbox.",
        discussion: """
            Examples:
              workflowctl scenario record SESSION -o case.json
            """,
        subcommands: [ScenarioRecordCommand.self]
    )
}

/// `scenario record`: converts a session's log to a scenario.
struct ScenarioRecordCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Convert a session's log into a sandbox scenario.",
        discussion: """
            With the scenario, the sandbox repeats the responses, delays and failures of that \
            session's PSP, so a failed payment becomes a test case. The scenario contains no \
            secrets.

            Examples:
              workflowctl scenario record SESSION -o case.json
              workflowctl scenario record SESSION --name "order 4711"
            """
    )

    @OptionGroup var given: SessionArgument
    @OptionGroup var output: OutputOption

    @Option(help: ArgumentHelp("The name of the scenario.", valueName: "text"))
    var name: String?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            let log = try await SessionLog.read(session, from: reader.store)
            let scenario = ScenarioRecorder.scenario(
                of: log,
                called: name ?? "recorded from \(session)"
            )
            let text = JSONDocument.text(scenario, indented: true) + "\n"
            try output.write(Array(text.utf8), isJSON: true, in: invocation)
            if output.isFile {
                invocation.note(
                    "scenario written; run it with 'workflowctl sandbox --scenario FILE'"
                )
            }
            return .done
        }
    }
}
