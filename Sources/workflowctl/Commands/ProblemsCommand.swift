internal import ArgumentParser
internal import SwedbankPay

/// `problems`: shows the problem catalogue, which is the retry policy.
struct ProblemsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "problems",
        abstract: "Show and check the problem catalogue, which defines how the engine retries.",
        discussion: """
            The catalogue has a row for each problem type that the PSP documents: who has to \
            act, whether, when and how often the engine repeats the request, whether another \
            attempt makes sense, and what the payer may be told. To change rows, name a file \
            with --problems or with problemsFile in the configuration.

            Examples:
              workflowctl problems list --actor psp
              workflowctl problems show creditcard/carddeclined
              workflowctl problems lint
            """,
        subcommands: [
            ProblemsListCommand.self, ProblemsShowCommand.self, ProblemsLintCommand.self,
        ]
    )
}

/// The options of the commands that read the problem catalogue.
struct ProblemsOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("problems"),
        help: ArgumentHelp(
            "A file with changed rows. Default: the configuration's problemsFile.",
            valueName: "file"
        )
    )
    var file: String?

    /// Returns the catalogue in force.
    func catalogue(
        _ global: GlobalOptions,
        _ invocation: Invocation
    ) throws(Failure) -> ProblemCatalogue {
        if let file { return try ProblemsFile.read(file).catalogue }
        return try Configuration.read(global, environment: invocation.environment).catalogue
    }
}
