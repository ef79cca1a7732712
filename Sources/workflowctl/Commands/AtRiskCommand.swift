internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `at-risk`: lists money that may have been taken without anybody here knowing.
struct AtRiskCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "at-risk",
        abstract: "Show money whose outcome nobody knows, and what is intended and confirmed.",
        discussion: """
            As of the PSP's newest answers: for each host and currency what is unknown (a request \
            left, or an attempt or session ended, without the PSP's word), underWay (a payment is going on), intended \
            (nothing is under way, and the payer may still pay) and confirmed (paid, less what was released and given \
            back), with the age of the oldest; then each unknown payment. Amounts are minor units, of those payments whose \
            log names one. Verifications charge nothing and are counted apart.

            The store's index answers, which is written with each record; the logs of payments whose outcome is unknown are \
            read and checked. With --from-logs every log is, which takes as long as that does. Exits 65 when a log could not \
            be read and is not counted.

            Examples:
              workflowctl at-risk
              workflowctl at-risk --since 24h --json
              workflowctl at-risk --from-logs
            """
    )

    @Option(help: ArgumentHelp("Of sessions opened at this time or later.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("Of sessions opened before this time.", valueName: "time"))
    var until: TimeArgument?

    @Flag(help: "Read every log instead of the store's index.")
    var fromLogs = false

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
            var sums = MoneySums()
            if fromLogs {
                try await sums.addLogs(query, in: reader)
            } else {
                try await sums.addIndex(query, in: reader)
            }
            let money = MoneyAtRisk(
                sums.totals,
                unreadable: sums.unreadable,
                imported: sums.imported,
                at: now
            )
            tell(money, invocation)
            if !global.json { sums.imported.noteImported(invocation) }
            return sums.unreadable == 0 ? .done : .damaged
        }
    }

    private func tell(_ money: MoneyAtRisk, _ invocation: Invocation) {
        guard !global.json else { return invocation.print(money.json) }
        let output = invocation.output
        output.write(money.totals(for: output.form))
        if let note = money.note { invocation.note("note: " + note) }
        guard let first = money.unknown.first else { return }
        output.write("\n" + money.list(for: output.form))
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(first.session)' tells what is known and what to do"
        )
    }
}
