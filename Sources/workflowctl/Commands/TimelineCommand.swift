internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `timeline`: shows who did what, and when.
struct TimelineCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Show who did what and when: payer, app, engine, PSP and bank.",
        discussion: """
            A terminal gets a timeline that fits its width; a pipe gets tab-separated values. \
            Polls of the PSP that returned nothing new are combined into one line unless --all \
            is given.

            Examples:
              workflowctl timeline SESSION
              workflowctl timeline SESSION --all --json
              workflowctl log SESSION --json | workflowctl timeline -
            """
    )

    @OptionGroup var source: LogArguments

    @Flag(help: "Show a line for each poll of the PSP.")
    var all = false

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }
    static var mayReveal: Bool { false }

    func refuseBadArguments() throws(Failure) { _ = try source.chosen() }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (log, _, _) = try await ReadLog.one(source, for: self, in: invocation)
        try log.requireSound(upTo: .max)
        invocation.print(LaneChart(log, everyPoll: all), asJSON: global.json)
        return .done
    }
}
