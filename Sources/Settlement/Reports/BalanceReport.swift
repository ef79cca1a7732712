package import EventLog
package import SwedbankPay

/// What the PSP paid out or invoiced for a period: a balance report.
///
/// Only it contains fees, their VAT, and the amount that arrives at the bank.
///
/// - Note: Source: settlement and reconciliation, balance report.
package struct BalanceReport: Hashable, Sendable {
    /// How the money reaches the merchant.
    package enum Payment: Hashable, Sendable {
        /// The PSP pays the amount without fees and VAT to a bank account.
        case paidOut(amount: Amount, transferred: Amount, account: String)
        /// The acquirer pays the sales, and the PSP sends an invoice for fees and VAT.
        case invoiced(Amount)
    }

    /// The sales of a service in one direction.
    package struct Sales: Hashable, Sendable {
        /// The service's name, which may differ from the one in the list.
        package var service: String
        /// Whether they are credits.
        package var isCredit: Bool
        /// The number of transactions.
        package var quantity: Int
        /// Their sum in minor units; negative for credits.
        package var amount: Amount
        /// The part of it that the PSP pays out, in minor units.
        package var payout: Amount
    }

    /// A fee.
    package struct Fee: Hashable, Sendable {
        /// The service, or the name of a recurrent fee.
        package var name: String
        /// The fee without VAT, in minor units.
        package var amount: Amount
    }

    /// SHA-256 of the file: of the PDF, if its text was extracted.
    package var digest = Digest256.zero
    /// The report's number.
    package var number: String
    /// The report's date.
    package var date: ReportDay
    /// The merchant's number and name, as the report prints them.
    package var merchant: String?
    /// The currency, as an ISO 4217 code.
    package var currency: String
    /// How the money reaches the merchant.
    package var payment: Payment
    /// The fees without VAT, in minor units.
    package var fees: Amount
    /// The VAT on the fees, in minor units.
    package var vat: Amount
    /// The days of the sales.
    package var period: ClosedRange<ReportDay>?
    /// The sales by service.
    package var sales: [Sales] = []
    /// The fees by service, and the recurrent ones.
    package var feeLines: [Fee] = []

    /// The sum of the sales.
    package var salesTotal: Amount { sales.reduce(0) { $0 + $1.amount } }

    /// The part of the sales that the PSP pays out.
    package var payoutTotal: Amount { sales.reduce(0) { $0 + $1.payout } }

    /// What arrives at the bank; `nil` for an invoice.
    package var paidOut: Amount? {
        if case .paidOut(_, let transferred, _) = payment { transferred } else { nil }
    }

    /// What the PSP invoices; `nil` for a payout.
    package var invoiced: Amount? {
        if case .invoiced(let amount) = payment { amount } else { nil }
    }
}
