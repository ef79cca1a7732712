internal import ArgumentParser
internal import Workflow

/// `report-html`: a session as one page that is read without a network.
struct ReportPageCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "report-html",
        abstract: "Write a session as one page: time line, states, diagram, events.",
        discussion: """
            The page needs nothing but itself: it is read without a network, printed, and attached to a ticket. Its \
            Content-Security-Policy lets no other script run and nothing leave. Sealed values are not in it, and \
            secrets in text are masked.

            Examples:
              workflowctl report-html SESSION -o case.html
              workflowctl log SESSION --json | workflowctl report-html - -o case.html
            """
    )

    @Argument(
        help: ArgumentHelp("A session, a file, or - for standard input.", valueName: "id|file"),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String

    @Option(help: ArgumentHelp("In a file with several sessions: which.", valueName: "id"))
    var session: String?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file")
    )
    var output = "-"

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        if let session { _ = try SessionArgument.session(session) }
        try LogToShow.refuse(global)
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(global, environment: invocation.environment)
        let decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        let log = try await LogToShow.read(source, session: session, for: self, in: invocation)
        let page = ReportPage(log, by: decider)
        if output == "-" {
            invocation.output.take(Array(page.html.utf8))
        } else {
            try FileBytes.replace(output, with: Array(page.html.utf8))
        }
        return .done
    }
}
