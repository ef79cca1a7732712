internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `at-risk`: lists payments that may have taken money without a known outcome.
struct AtRiskCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "at-risk",
        abstract: "Show payments whose outcome is unknown, and pending and confirmed amounts.",
        discussion: """
            Sums the money for each host and currency: unknown (a request was sent, or an \
            attempt or session ended, and the PSP has not confirmed the result), underWay (a \
            payment is in progress), intended (the payer has not paid yet but still can) and \
            confirmed (paid, less what was canceled and refunded). Also shows the age of the \
            oldest payment in each group, and lists every unknown payment. The sums include \
            only payments whose log has an amount; with --json they are in minor units. \
            A possible duplicate is an order number for which several payments were made, none of \
            them canceled or refunded altogether. \
            The column "resolved" counts the payments whose status is what a person found at the \
            PSP ('resolve'). Verifications charge nothing and are counted separately.

            Reads the store's index, and also reads and checks the logs of the unknown payments and \
            of possible duplicates. \
            With --from-logs, reads every log instead, which takes longer. Exits 65 if a log \
            could not be read; that log is not counted.

            Examples:
              workflowctl at-risk
              workflowctl at-risk --since 24h --json
              workflowctl at-risk --from-logs
            """
    )

    @OptionGroup var opened: OpeningTimeOptions

    @Flag(help: "Read every log instead of the index.")
    var fromLogs = false

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--server"] }
    static var mayReveal: Bool { false }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let now = invocation.now()
        let query = opened.query(at: now)
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var query = query
            query.origin = try await imported.origin(in: reader, for: global)
            let asOf = fromLogs ? now : await reader.sumsAsOf(now)
            var sums = MoneySums(of: reader.store, by: reader.decider)
            try await sums.add(query, fromLogs: fromLogs, showingTo: invocation)
            let money = MoneyAtRisk(
                sums.totals,
                duplicates: sums.duplicates,
                unreadable: sums.unreadable,
                imported: sums.imported,
                at: now,
                asOf: asOf
            )
            printResult(money, invocation)
            if !global.json { sums.imported.noteImported(invocation) }
            return sums.unreadable == 0 ? .done : .damaged
        }
    }

    private func printResult(_ money: MoneyAtRisk, _ invocation: Invocation) {
        guard !global.json else { return invocation.print(money.json) }
        let output = invocation.output
        output.write(money.totals(for: output.form))
        if let note = money.note { invocation.note("note: " + note) }
        if !money.duplicates.isEmpty {
            output.write("\n" + money.duplicateList(for: output.form))
        }
        if !money.unknown.isEmpty { output.write("\n" + money.list(for: output.form)) }
        guard let first = money.unknown.first ?? money.duplicates.first?.payments.first else {
            return
        }
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(first.session.short)' shows what is "
                + "known and what to do"
        )
    }
}
