package import EventLog
package import SwedbankPay

/// The captures, sales and reversals that the PSP settled: a transaction list.
///
/// It contains neither fees nor what was paid out: those are in the balance report of the same
/// number.
///
/// - Note: Source: settlement and reconciliation, transaction list.
package struct TransactionList: Hashable, Sendable {
    /// The form of a file.
    package enum Format: String, CaseIterable, Sendable {
        /// XML of version 1.
        case firstXML = "xml-1"
        /// XML of version 2.
        case xml = "xml-2"
        /// A workbook of version 1.
        case firstWorkbook = "xlsx-1"
        /// A workbook of version 2.
        case workbook = "xlsx-2"

        /// Whether it is a workbook, in which numbers lose their leading zeros.
        var isWorkbook: Bool { self == .workbook || self == .firstWorkbook }
    }

    /// The form of the file.
    package var format: Format
    /// SHA-256 of the file.
    package var digest = Digest256.zero
    /// The report's number, for example `R9001-0012`.
    package var number: String
    /// The report's date; version 1 has none.
    package var date: ReportDay?
    /// The PSP's company that is party to the contract.
    package var company: String?
    /// The number of rows that the file states.
    package var statedCount: Int?
    /// The totals of services that the file states.
    package var services: [ServiceTotal] = []
    /// The sums that the file states, in its order; workbooks state none.
    package var sums: [CurrencySum] = []
    /// The rows.
    package var rows: [ReportRow] = []
    /// The names of elements, attributes and columns that were ignored, sorted.
    package var ignored: [String] = []

    /// The currencies of the rows, sorted.
    package var currencies: [String] { Set(rows.map(\.currency)).sorted() }

    /// The first and last day on which a row was settled; `nil` without rows.
    package var period: ClosedRange<ReportDay>? {
        guard let first = rows.map(\.modified).min(), let last = rows.map(\.modified).max() else {
            return nil
        }
        return first...last
    }

    /// The sum of the rows of a currency.
    package func sum(of currency: String) -> Amount {
        rows.reduce(0) { $1.currency == currency ? $0 + $1.amount : $0 }
    }
}

/// What a list states as the sum of the rows of a currency.
package struct CurrencySum: Hashable, Sendable {
    /// The currency, as an ISO 4217 code.
    package var currency: String
    /// Debits minus credits, in minor units.
    package var sum: Amount
}

/// What a list states as the totals of a service.
package struct ServiceTotal: Hashable, Sendable {
    /// The subsite; empty without one.
    package var subsite: String
    /// The currency; `nil` where a workbook leaves it out.
    package var currency: String?
    /// The service's name, for example `Swish`: an open set.
    package var name: String
    /// The number of debits.
    package var debits: Int
    /// The number of credits.
    package var credits: Int
    /// Debits minus credits, in minor units.
    package var amount: Amount
}

/// One settled transaction in a list.
package struct ReportRow: Hashable, Sendable {
    /// Where it is in the file: `line 12`, `row 14`.
    package var place: String
    /// The PSP's number of the transaction.
    package var number: Int64
    /// The amount with VAT in minor units; negative for a credit.
    package var amount: Amount
    /// The currency, as an ISO 4217 code.
    package var currency: String
    /// The tax included in the amount, in minor units, where it is stated.
    package var vatAmount: Amount?
    /// The day on which it was made.
    package var created: ReportDay
    /// The day on which it was settled.
    package var modified: ReportDay
    /// All fields as text, without the empty ones.
    package var texts: [ReportField: String]

    /// Whether money goes back to the payer.
    package var isCredit: Bool { amount < 0 }

    /// The number of the authorization of a debit, or of the debit of a credit.
    package var referenced: Int64? { texts[.referenced].flatMap { Int64($0) } }
}
