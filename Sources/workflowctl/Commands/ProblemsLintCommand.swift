internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `problems lint`: checks whether the catalogue has a row for every recorded problem.
struct ProblemsLintCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract:
            "Check for problem types that the catalogue lacks, or check a file with changed rows.",
        discussion: """
            Without a file, reads all logs in the store and lists the problem types that have no \
            row; the engine handles these by HTTP status. Exits 1 if there are any. No keys are \
            needed. With a file, checks its changes to the catalogue; no store is needed. Exits \
            78 at the first invalid row, and 1 if a row changes nothing.

            Examples:
              workflowctl problems lint
              workflowctl problems lint problems.json
              workflowctl problems lint --problems problems.json --json
            """
    )

    @Argument(help: ArgumentHelp("A file with changed rows to check.", valueName: "file"))
    var file: String?

    @OptionGroup var problems: ProblemsOptions

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard file == nil || problems.file == nil else {
            throw .usage(
                "mode",
                "to check a file, name it without --problems; to check the store with it, use only --problems"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        if let file { return printResult(try ProblemsFile.read(file), invocation) }
        let catalogue = try problems.catalogue(global, invocation)
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var lint = ProblemLint(by: catalogue)
            for row in try await reader.store.allSessions() {
                lint.check(try await SessionLog.read(row.session, from: reader.store))
            }
            invocation.print(lint, asJSON: global.json)
            return lint.findings.isEmpty ? .done : .refused
        }
    }

    private func printResult(
        _ file: (catalogue: ProblemCatalogue, changes: [ProblemCatalogue.Change]),
        _ invocation: Invocation
    ) -> ExitStatus {
        let idle = file.changes.filter { $0.effect == .nothing }
        if global.json {
            invocation.print([
                "catalogue": .string(file.catalogue.version),
                "changes": .array(
                    file.changes.map {
                        [
                            "row": .integer(Int64($0.number)),
                            "slug": .string($0.slug),
                            "effect": .string($0.effect.rawValue),
                        ]
                    }
                ),
            ])
        } else {
            for change in file.changes {
                invocation.print(
                    Screen.safe("row \(change.number)  \(change.slug)  \(change.effect.rawValue)")
                )
            }
            invocation.print("catalogue  \(file.catalogue.version)")
        }
        return idle.isEmpty ? .done : .refused
    }
}
