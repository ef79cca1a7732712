internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `report-html`: writes a session as one HTML page that needs no network.
struct ReportPageCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "report-html",
        abstract: "Write an HTML report of a session: story, timeline, states, diagram and events.",
        discussion: """
            The report begins with what happened, what the payer may be told and what to do. It \
            is a single file that can be viewed offline, printed and attached to a ticket; its \
            Content-Security-Policy blocks external scripts and all network requests. Sealed \
            values are left out.

            Examples:
              workflowctl report-html SESSION -o case.html
              workflowctl log SESSION --json | workflowctl report-html - -o case.html
            """
    )

    @OptionGroup var source: LogArguments

    @OptionGroup var output: OutputOption

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        _ = try source.chosen()
        try LogToShow.refuse(global)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        let log = try await LogToShow.read(source, for: self, in: invocation)
        let page = ReportPage(
            log,
            by: decider,
            madeBy: "workflowctl \(Build.version)",
            clock: DisplayClock(offset: LocalTime.offset)
        )
        try output.write(Array(page.html.utf8), in: invocation)
        return .done
    }
}
