internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// `problems show`: shows one kind of problem, and what happens next.
struct ProblemsShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract:
            "Show a problem type: who has to act, what the engine does, and what the payer may be told.",
        discussion: """
            TYPE can be a full type URL or the part after its prefix, as printed by other \
            commands. If a type has several rows, all are shown; --status and --instrument \
            select the row that the engine would use. For a type without a row, shows what the \
            engine does for its status, and exits 1. Problems that the engine itself raises, \
            such as requestFailed or "request failed", are explained too. For a name that is \
            neither, says so and exits 1.

            Examples:
              workflowctl problems show creditcard/carddeclined
              workflowctl problems show inputerror --instrument swish --status 400
              workflowctl problems show trustly/systemerror --json
              workflowctl problems show requestFailed
            """
    )

    @Argument(help: ArgumentHelp("The problem type.", valueName: "type"))
    var type: String

    @Option(help: ArgumentHelp("The HTTP status of the response.", valueName: "number"))
    var status: Int?

    @Option(help: ArgumentHelp("The instrument of the attempt.", valueName: "instrument"))
    var instrument: Instrument?

    @OptionGroup var problems: ProblemsOptions

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard status.map({ (100...999).contains($0) }) ?? true else {
            throw .usage("status", "--status must be from 100 to 999")
        }
        guard !type.isEmpty, type.utf8.count <= 256 else {
            throw .usage("type", "a type must have 1 to 256 bytes")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let catalogue = try problems.catalogue(global, invocation)
        let problem = NamedProblem(type, status: status, instrument: instrument, in: catalogue)
        if global.json || problem.source != .unknown {
            invocation.print(problem, asJSON: global.json)
        }
        switch problem.source {
        case .catalogue, .engine: return .done
        case .substitute:
            invocation.note(
                "the catalogue has no row for this type; the engine uses the rule for its family "
                    + "or status"
            )
        case .unknown: noteUnknown(in: catalogue, invocation)
        }
        return .refused
    }

    /// Says that no problem has this name, without a rule that may seem to be one of its own.
    private func noteUnknown(in catalogue: ProblemCatalogue, _ invocation: Invocation) {
        invocation.note(
            "note: no such problem: the catalogue has no type of this name, and the engine raises "
                + "no problem of this name"
        )
        let meant = catalogue.nearest(to: type).map { "did you mean '\($0)'? " } ?? ""
        invocation.note(
            "hint: \(meant)run 'workflowctl problems list' to see the types; for one that the "
                + "catalogue lacks, give the whole type or --status"
        )
    }
}
