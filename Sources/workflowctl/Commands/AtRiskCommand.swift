internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `at-risk`: money that was begun and of which nobody knows what came of it.
struct AtRiskCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "at-risk",
        abstract: "Show money whose outcome nobody knows, and what is intended and confirmed.",
        discussion: """
            Exact, from the logs, as of the PSP's newest answers: for each host and currency what is unknown (a request \
            left, or an attempt or session ended, without the PSP's word), underWay (a payment is going on), intended \
            (nothing is under way, and the payer may still pay) and confirmed (paid, less what was released and given \
            back), with the age of the oldest; then each unknown payment. Amounts are minor units, of those payments whose \
            log names one. Verifications charge nothing and are counted apart. Exits 65 when a log could not be read and is not counted.

            Examples:
              workflowctl at-risk
              workflowctl at-risk --since 24h --json
            """
    )

    @Option(help: ArgumentHelp("Of sessions opened at this time or later.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Of sessions opened before this time.", valueName: "time"))
    var until: TimeArgument?

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let now = invocation.now()
        let query = SessionQuery(
            since: since?.instant(from: now),
            until: until?.instant(from: now),
            origin: imported.origin
        )
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var totals = MoneyTotals()
            var scan = StoreScan()
            try await scan.read(query, in: reader, "adding up", soundOnly: true) { _, log in
                totals.take(log.state)
            }
            tell(
                MoneyAtRisk(
                    totals,
                    unreadable: scan.unreadable,
                    imported: scan.imported,
                    at: now
                ),
                scan,
                invocation
            )
            return scan.status
        }
    }

    private func tell(_ money: MoneyAtRisk, _ scan: StoreScan, _ invocation: Invocation) {
        guard !global.json else { return invocation.print(money.json) }
        let output = invocation.output
        defer { scan.noteImported(invocation) }
        output.write(money.totals(for: output.form))
        if let note = money.note { invocation.note("note: " + note) }
        guard let first = money.unknown.first else { return }
        output.write("\n" + money.list(for: output.form))
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(first.session)' tells what is known and what to do"
        )
    }
}
