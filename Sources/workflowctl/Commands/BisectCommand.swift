internal import ArgumentParser
internal import Workflow

/// `bisect`: the first event at which two builds part.
struct BisectCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "bisect",
        abstract: "Find the first event at which two builds part, and name the builds.",
        discussion: """
            Every record names the build and the problem catalogue that decided it. This build takes all decisions of \
            a log anew: where it first decides otherwise, it parts from the build that is named there. --with asks \
            another workflowctl instead of the records: the log is given to that program as a redacted export, which \
            needs no keys and tells it no secret. Exits 1 when they part. Past that place the log has no answer.

            Examples:
              workflowctl bisect SESSION
              workflowctl bisect SESSION --with /usr/bin/workflowctl
              workflowctl log SESSION --json | workflowctl bisect -
            """
    )

    @OptionGroup var source: LogArguments

    @Option(
        help: ArgumentHelp(
            "Another workflowctl, whose decisions are compared with this build's.",
            valueName: "program"
        ),
        completion: .file()
    )
    var with: String?

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        _ = try source.chosen()
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (log, decider) = try await ReadLog.one(source, for: self, in: invocation)
        try log.requireSound(upTo: .max)
        let own = CheckReport(log, by: decider)
        let other = try with.map { (program) throws(Failure) in
            try OtherBuild.ask(
                program,
                about: log,
                config: global.config ?? invocation.environment["WORKFLOWCTL_CONFIG"].nonEmpty,
                invocation.environment
            )
        }
        let report = BisectReport(log, own, catalogue: decider.catalogue.version, other)
        if global.json {
            invocation.print(report.json)
        } else {
            report.lines(invocation.output).forEach { invocation.print($0) }
        }
        return report.place == nil ? .done : .refused
    }
}
