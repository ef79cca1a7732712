internal import EventLog
internal import SwedbankPay

/// Writes payouts and fee invoices as verifications for Swedish ledgers: SIE, type 4 (import).
///
/// A payout moves the sales from the receivable to the bank, the fees and their VAT to their
/// accounts. What a report does not contain stays on the receivable.
///
/// - Note: Source: SIE file format, version 4B (SIE-gruppen): records, character set PC8 (CP437).
package struct BookkeepingSIE: Sendable {
    /// The accounts that a verification uses, with the numbers of the chart of accounts BAS.
    package enum Account: String, CaseIterable, Sendable {
        /// The account at the bank that receives payouts.
        case bank
        /// The sales that the PSP has not paid out yet.
        case receivable
        /// The fees.
        case fees
        /// The VAT on the fees.
        case vat
        /// The debts of invoices.
        case payable

        /// The number in the chart of accounts BAS.
        package var standardNumber: String {
            switch self {
            case .bank: "1930"
            case .receivable: "1580"
            case .fees: "6040"
            case .vat: "2641"
            case .payable: "2440"
            }
        }

        /// The name in the chart of accounts BAS.
        fileprivate var name: String {
            switch self {
            case .bank: "Företagskonto"
            case .receivable: "Fordringar för kontokort och kuponger"
            case .fees: "Kontokortsavgifter"
            case .vat: "Debiterad ingående moms"
            case .payable: "Leverantörsskulder"
            }
        }
    }

    /// Why a report cannot be booked.
    package enum Obstacle: Error, Hashable, Sendable {
        /// Fees are only in its balance report, which was not read.
        case noBalance(report: String)
        /// It is not in kronor, in which Swedish ledgers are kept.
        case foreignCurrency(report: String)
        /// Its own numbers contradict each other.
        case faulty(report: String)
    }

    /// The numbers of accounts that differ from the standard.
    package var numbers: [Account: String] = [:]
    /// The company; by default the merchant that the first report names.
    package var company: String?
    /// The program's version.
    package var version: String

    /// Creates an export by a version of the program.
    package init(version: String) { self.version = version }

    /// Writes the verifications.
    ///
    /// - Parameters:
    ///   - reports: The reports; each becomes a verification of its date.
    ///   - day: The day on which the file is made.
    /// - Returns: The file, in the character set of SIE.
    /// - Throws: ``Obstacle`` for the first report that cannot be booked.
    package func bytes(
        of reports: [SettlementReport],
        on day: ReportDay
    ) throws(Obstacle) -> [UInt8] {
        let balances = try reports.map { report throws(Obstacle) in try booked(report) }
        let company = company ?? balances.first?.merchant ?? ""
        var lines = [
            "#FLAGGA 0", "#PROGRAM \"workflowctl\" \(version)", "#FORMAT PC8",
            "#GEN \(day.compact)", "#SIETYP 4", "#FNAMN \(Self.quoted(company))",
        ]
        let used = Account.allCases.filter { account in
            balances.contains { balance in entries(of: balance).contains { $0.account == account } }
        }
        lines += used.map { "#KONTO \(number(of: $0)) \(Self.quoted($0.name))" }
        for balance in balances {
            let text = "Swedbank Pay \(balance.number)"
            lines.append("#VER \"\" \"\" \(balance.date.compact) \(Self.quoted(text))")
            lines.append("{")
            lines += entries(of: balance).map { account, amount in
                let decimal = MinorUnits.text(amount, of: balance.currency) ?? "\(amount)"
                return "#TRANS \(number(of: account)) {} \(decimal)"
            }
            lines.append("}")
        }
        return lines.flatMap { Self.encoded($0) + [0x0D, 0x0A] }
    }

    private func booked(_ report: SettlementReport) throws(Obstacle) -> BalanceReport {
        guard let balance = report.balance else { throw .noBalance(report: report.number) }
        guard balance.currency == "SEK" else { throw .foreignCurrency(report: report.number) }
        let own = report.faults.filter { if case .missing = $0 { false } else { true } }
        guard own.isEmpty else { throw .faulty(report: report.number) }
        return balance
    }

    /// The entries of a verification without those of 0; debits are positive, and the sum is 0.
    private func entries(of balance: BalanceReport) -> [(account: Account, amount: Amount)] {
        let fees = [(Account.fees, balance.fees), (.vat, balance.vat)]
        let entries: [(Account, Amount)] =
            switch balance.payment {
            case .paidOut(let amount, let transferred, _):
                [(.bank, transferred)] + fees + [(.receivable, -amount)]
            case .invoiced(let amount): fees + [(.payable, -amount)]
            }
        return entries.filter { $0.1 != 0 }
    }

    private func number(of account: Account) -> String {
        numbers[account] ?? account.standardNumber
    }

    /// A text in quotation marks; a backslash would take the meaning of the mark that follows it.
    private static func quoted(_ text: String) -> String {
        "\"" + text.rewriting("\\", as: "/").rewriting("\"", as: "\\\"") + "\""
    }

    /// The letters that Swedish names have, in code page 437.
    private static let letters: [UnicodeScalar: UInt8] = [
        "å": 0x86, "ä": 0x84, "ö": 0x94, "Å": 0x8F, "Ä": 0x8E, "Ö": 0x99, "é": 0x82, "É": 0x90,
        "ü": 0x81, "Ü": 0x9A,
    ]

    private static func encoded(_ line: String) -> [UInt8] {
        line.composed.unicodeScalars.map { scalar in
            if let byte = letters[scalar] { return byte }
            return (0x20..<0x7F).contains(scalar.value) ? UInt8(scalar.value) : UInt8(ascii: "?")
        }
    }
}
