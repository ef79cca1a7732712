/// A row of a report, and what our logs say about it.
package struct SettledLine: Hashable, Sendable {
    /// The report's number.
    package var report: String
    /// The row.
    package var row: ReportRow
    /// The result.
    package var result: LineResult
    /// Our transaction: the one that matches, or for ``LineResult/unknown`` the likely payment.
    package var own: OwnTransaction?
}

/// What became of a row when it was joined with our logs.
///
/// - Note: Source: settlement and reconciliation; merchants' reports about settlement files.
package enum LineResult: Hashable, Sendable {
    /// It is one of our transactions, with the same amount and currency.
    ///
    /// - Parameters:
    ///   - key: What identified it.
    ///   - lateDays: The days from our transaction to its settlement, when they are too many.
    case matched(by: MatchKey, lateDays: Int?)
    /// It is one of our transactions, with another amount.
    case amountDiffers
    /// It is one of our transactions, with another tax.
    case vatDiffers
    /// It is one of our transactions, in another currency.
    case wrongCurrency
    /// Its keys name two of our transactions.
    case keysDisagree
    /// No log of ours has it.
    case unknown
    /// No log of ours has this credit, nor the debit that it refers to.
    case creditWithoutDebit
    /// The same transaction was settled before, in this report or in another one.
    case twice(report: String, place: String)

    /// The kinds, in the order in which summaries list them.
    package static let names = [
        "matched", "amountDiffers", "vatDiffers", "wrongCurrency", "keysDisagree", "unknown",
        "creditWithoutDebit", "twice",
    ]

    /// The kind in one word, as JSON and CSV have it.
    package var name: String {
        switch self {
        case .matched: "matched"
        case .amountDiffers: "amountDiffers"
        case .vatDiffers: "vatDiffers"
        case .wrongCurrency: "wrongCurrency"
        case .keysDisagree: "keysDisagree"
        case .unknown: "unknown"
        case .creditWithoutDebit: "creditWithoutDebit"
        case .twice: "twice"
        }
    }

    /// Whether somebody has to look at it.
    package var isDifference: Bool { if case .matched = self { false } else { true } }
}

/// What identified a row as a transaction of ours.
package enum MatchKey: String, CaseIterable, Sendable {
    /// The PSP's number of the transaction.
    case number
    /// Our reference of the transaction, as the identity of the order.
    case orderIdentity
    /// Our reference of the transaction, as the identity of the transaction.
    case transactionIdentity
}
