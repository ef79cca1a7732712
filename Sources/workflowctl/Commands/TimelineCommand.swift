internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `timeline`: who did what, and when.
struct TimelineCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Show who did what, and when, in lanes: payer, app, engine, PSP, bank.",
        discussion: """
            On a terminal it fits the width; in a pipe it is tab-separated values. Looks at the PSP that showed nothing \
            new are one line, unless --all is given.

            Examples:
              workflowctl timeline SESSION
              workflowctl timeline SESSION --all --json
              workflowctl log SESSION --json | workflowctl timeline -
            """
    )

    @OptionGroup var source: LogArguments

    @Flag(help: "A line for each look at the PSP.")
    var all = false

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func refuseBadArguments() throws(Failure) { _ = try source.chosen() }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (log, _, _) = try await ReadLog.one(source, for: self, in: invocation)
        try log.requireSound(upTo: .max)
        invocation.print(LaneChart(log, everyPoll: all), asJSON: global.json)
        return .done
    }
}
