internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `problems list`: lists the rows of the problem catalogue.
struct ProblemsListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the problem types in the catalogue.",
        discussion: """
            With --json, prints rows in the format that a file with changed rows uses. A terminal \
            shows as many columns as fit; 'problems show TYPE' shows everything about one type.

            Examples:
              workflowctl problems list
              workflowctl problems list --family creditcard --class otherInstrument
              workflowctl problems list --actor merchant --json
            """
    )

    @Option(
        help: ArgumentHelp(
            "Only this family: common, creditcard, swish …",
            valueName: "name"
        )
    )
    var family: String?

    @Option(
        help: ArgumentHelp(
            "Only problems that require this party to act: payer, merchant or psp.",
            valueName: "actor"
        )
    )
    var actor: SwedbankPay.Actor?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            "Only this retry class: sameRequest, askFirst, newAttempt, otherInstrument or never.",
            valueName: "class"
        )
    )
    var retryClass: RetryClass?

    @OptionGroup var problems: ProblemsOptions

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let catalogue = try problems.catalogue(global, invocation)
        let families = Set(catalogue.rows.map(\.family))
        if let family, !families.contains(family) {
            throw .usage(
                "family",
                "no such family",
                hint: "choose from: " + families.sorted().joined(separator: ", ")
            )
        }
        let rows = catalogue.rows.filter {
            (family == nil || $0.family == family)
                && (actor == nil || $0.advice.actor == actor)
                && (retryClass == nil || $0.advice.retryClass == retryClass)
        }
        guard global.json else {
            let output = invocation.output
            let shown = output.isTerminal ? shortTable(rows, for: output.form) : table(rows)
            output.write(shown.text(for: output))
            return .done
        }
        invocation.print([
            "catalogue": .string(catalogue.version),
            "rows": .array(rows.map(\.json)),
        ])
        return .done
    }

    private func table(_ rows: [ProblemCatalogue.Row]) -> Table {
        Table(
            columns: [
                "problem", "status", "family", "actor", "class", "delay", "tries", "payer sees",
            ],
            rows: rows.map { row in
                [
                    row.slug, row.status.map { "\($0)" } ?? "", row.family,
                    row.advice.actor.rawValue, row.advice.retryClass.rawValue,
                    ProblemWords.words(row.advice.delay),
                    row.advice.effectiveCap.tries.map { "\($0)" } ?? "",
                    row.advice.payerMessage,
                ]
            }
        )
    }

    /// The width that suffices for the payer's message on a terminal.
    private static let narrowestMessage = 24
    /// The number of columns that are shown on a terminal of any width.
    private static let kept = 4

    /// Returns the table for people, with as many columns as fit.
    ///
    /// The family is named beside a type that does not begin with it, as `problems show` names it.
    private func shortTable(_ rows: [ProblemCatalogue.Row], for form: TextForm) -> Table {
        Table(
            columns: ["problem", "status", "actor", "class", "delay", "tries", "payer sees"],
            rows: rows.map { row in
                let isNamed = row.slug.hasPrefix(row.family + "/")
                return [
                    isNamed ? row.slug : "\(row.slug) (\(row.family))",
                    row.status.map { "\($0)" } ?? "", row.advice.actor.rawValue,
                    row.advice.retryClass.rawValue, ProblemWords.words(row.advice.delay),
                    row.advice.effectiveCap.tries.map { "\($0)" } ?? "",
                    row.advice.payerMessage,
                ]
            }
        ).droppingColumns(for: form, keeping: Self.kept, least: Self.narrowestMessage)
    }
}
