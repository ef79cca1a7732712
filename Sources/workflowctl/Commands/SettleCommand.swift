internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import Settlement
internal import SwedbankPay

/// `settle`: compares the PSP's settlement reports with the logs.
struct SettleCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Compare the PSP's settlement reports with the captures and reversals in logs.",
        discussion: """
            Reads transaction lists (XML or XLSX, versions 1 and 2) and balance reports (PDF, \
            whose text pdftotext extracts, or that text). Files of the same report belong \
            together, in any order; the same file twice changes nothing. Each row is compared \
            with the transactions that the PSP confirmed in the logs: by the PSP's number, \
            otherwise by the merchant's reference. \
            A transaction that is in no report is missing when the newest report is so many days \
            younger (--missing-after), and waits for a later report before.

            With --format csv, or --format sie for Swedish ledgers, the result is for \
            bookkeeping. SIE needs the balance report of each list. \
            Exits 1 if anything differs, and 65 if a file is not a report or harmful: nothing of \
            such a file is used.

            Examples:
              workflowctl settle R9001-0012.xml
              workflowctl settle R9001-0012.xml R9001-0012.txt --json
              workflowctl settle R9001-0012.xml R9001-0012.txt --format sie -o out.si
              workflowctl settle R9001-0012.xlsx --format csv --missing-after 40
            """
    )

    @Argument(
        help: ArgumentHelp("The files of the reports.", valueName: "file"),
        completion: .file()
    )
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "After how many days a transaction that is in no report is missing.",
            valueName: "days"
        )
    )
    var missingAfter = Reconciliation.daysUntilMissing

    @Option(help: ArgumentHelp("The output format: table, csv or sie.", valueName: "format"))
    var format = SettlementFormat.table

    @OptionGroup var output: OutputOption

    @Option(
        help: ArgumentHelp(
            "An account of your ledger, such as bank=1940: bank, receivable, fees, vat, payable.",
            valueName: "account"
        )
    )
    var account: [String] = []

    @Option(
        help: ArgumentHelp("The company's name in the SIE file.", valueName: "name")
    )
    var company: String?

    @OptionGroup var opened: OpeningTimeOptions

    @OptionGroup var imported: ImportedOption

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--server"] }
    static var mayReveal: Bool { false }

    /// The longest time in which a transaction may wait for its report.
    private static let longestWait = 366

    func refuseBadArguments() throws(Failure) {
        guard (1...Self.longestWait).contains(missingAfter) else {
            throw .usage("missing-after", "--missing-after must be 1 to \(Self.longestWait) days")
        }
        guard !global.json || format == .table else {
            throw .usage("settlement-output", "--json cannot be combined with --format")
        }
        guard format != .table || !output.isFile else {
            throw .usage("settlement-output", "-o needs --format csv or --format sie")
        }
        _ = try accounts()
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let files = try SettlementInput(invocation: invocation).read(files)
        let now = invocation.now()
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var (query, ledger) = (opened.query(at: now), OwnLedger())
            query.origin = try await imported.origin(in: reader, for: global)
            var scan = StoreScan(of: reader.store)
            try await scan.read(query, showing: "comparing", to: invocation, soundOnly: true) {
                _,
                log in
                for own in OwnTransaction.all(in: log) { ledger.add(own) }
            }
            let result = Reconciliation(
                SettlementReport.joining(files),
                with: ledger,
                missingAfter: missingAfter
            )
            try printResult(result, unreadable: scan.unreadable, at: now, invocation)
            if !global.json { scan.noteImported(invocation) }
            guard scan.unreadable == 0 else { return .damaged }
            return result.isClean ? .done : .refused
        }
    }

    private func printResult(
        _ result: Reconciliation,
        unreadable: Int,
        at now: Instant,
        _ invocation: Invocation
    ) throws(Failure) {
        guard !global.json else { return invocation.print(result.json(unreadable: unreadable)) }
        let text = SettlementText(result: result, form: invocation.output.form)
        switch format {
        case .table:
            invocation.output.write(text.summary)
            if let differences = text.differences {
                invocation.output.write("\n" + differences)
            }
        case .csv:
            let bytes = Array(BookkeepingCSV.text(of: result).utf8)
            try output.write(bytes, in: invocation)
        case .sie:
            var sie = BookkeepingSIE(version: Build.version)
            sie.numbers = try accounts()
            sie.company = company
            let bytes: [UInt8]
            do throws(BookkeepingSIE.Obstacle) {
                bytes = try sie.bytes(of: result.reports, on: ReportDay(now))
            } catch {
                throw Failure(error)
            }
            try output.write(bytes, in: invocation)
        }
        for note in text.notes { invocation.note(note) }
        guard format == .table, let session = text.firstSession else { return }
        invocation.note(
            "hint: '\(global.call(invocation.program)) explain \(session.short)' shows the story "
                + "of a payment"
        )
    }

    /// Returns the accounts that differ from the standard.
    private func accounts() throws(Failure) -> [BookkeepingSIE.Account: String] {
        var numbers: [BookkeepingSIE.Account: String] = [:]
        for text in account {
            let parts = text.pieces(between: "=", maxSplits: 1)
            guard parts.count == 2,
                let account = BookkeepingSIE.Account(rawValue: String(parts[0])),
                (3...6).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(\.isASCIIDigit)
            else {
                throw .usage(
                    "account",
                    "an account is not in the form ROLE=NUMBER",
                    hint: "use bank, receivable, fees, vat or payable, such as --account bank=1940"
                )
            }
            numbers[account] = String(parts[1])
        }
        return numbers
    }
}

/// The forms in which the result of a settlement is printed.
enum SettlementFormat: String, ExpressibleByArgument, CaseIterable {
    /// Totals and differences.
    case table
    /// Each row, for spreadsheets and bookkeeping.
    case csv
    /// Verifications, for Swedish ledgers.
    case sie
}
