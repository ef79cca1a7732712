package import SwedbankPay

extension NewTransaction {
    /// Creates a capture or reversal of an order: of the given amount, otherwise of the items',
    /// otherwise of what remains.
    ///
    /// - Parameters:
    ///   - kind: Whether an amount is captured or reversed.
    ///   - amount: The amount in minor units, if it was given.
    ///   - vatAmount: The tax included, if it was given; by default that of the items, or the share
    ///     of the order's.
    ///   - items: The items that it covers, whose sums are the amount and the tax.
    ///   - description: The description that the payer may read.
    ///   - order: What is known of the order.
    /// - Throws: ``NewTransactionError``; nothing was requested.
    package init(
        _ kind: TransactionKind,
        amount: Amount?,
        vatAmount: Amount?,
        items: [OrderItem]?,
        description: String,
        of order: OrderSnapshot?
    ) throws(NewTransactionError) {
        let totals = items.flatMap { OrderTotals(of: $0) }
        let left = kind == .capture ? order?.remainingCapture : order?.remainingReversal
        guard let amount = amount ?? totals?.amount ?? left, amount > 0 else {
            throw .nothingLeft(kind)
        }
        let vatAmount =
            vatAmount ?? totals?.vatAmount ?? order?.taxShare(of: amount, for: kind) ?? 0
        if let items { try Self.check(items, comeTo: amount, vatAmount) }
        self.init(kind: kind, amount: amount, vatAmount: vatAmount, description: description)
        orderItems = items.map { PaymentOrderDocument.text(of: $0) }
    }

    /// Refuses items that the PSP would refuse, and items that add up to another amount or tax than
    /// the requested one: that would be another transaction.
    private static func check(
        _ items: [OrderItem],
        comeTo amount: Amount,
        _ vatAmount: Amount
    ) throws(NewTransactionError) {
        let problems = items.problems(amount: nil, vatAmount: nil)
        guard problems.isEmpty, let totals = OrderTotals(of: items) else {
            throw .items(.invalid(problems))
        }
        if totals.amount != amount { throw .otherAmount(sum: totals.amount, requested: amount) }
        if totals.vatAmount != vatAmount {
            throw .otherTax(sum: totals.vatAmount, requested: vatAmount)
        }
    }
}

/// Why a capture or reversal was not requested.
package enum NewTransactionError: Error, Hashable, Sendable {
    /// No amount was given, and as far as is known nothing is left.
    case nothingLeft(TransactionKind)
    /// The PSP would refuse the items.
    case items(PaymentOrderError)
    /// The items add up to another amount.
    case otherAmount(sum: Amount, requested: Amount)
    /// The items add up to another tax.
    case otherTax(sum: Amount, requested: Amount)
}
