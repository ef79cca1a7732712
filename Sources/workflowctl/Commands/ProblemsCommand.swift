internal import ArgumentParser
internal import SwedbankPay

/// `problems`: shows the problem catalogue, which is the retry policy.
struct ProblemsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "problems",
        abstract: "Read and check the problem catalogue, which is the retry policy.",
        discussion: """
            Every kind of problem that the PSP documents, by its type: who has to act, whether the request is \
            repeated, when and how often, whether another try to pay makes sense, and what the payer may be told. A \
            file may change rows; the configuration names it (problemsFile).

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
            "A file with changed rows, instead of the configuration's.",
            valueName: "file"
        )
    )
    var file: String?

    /// Returns the catalogue in effect.
    func catalogue(
        _ global: GlobalOptions,
        _ invocation: Invocation
    ) throws(Failure) -> ProblemCatalogue {
        if let file { return try ProblemsFile.read(file).catalogue }
        return try Configuration.read(global, environment: invocation.environment).catalogue
    }
}
