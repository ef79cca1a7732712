extension OrderSnapshot {
    /// The amount that is left to capture, or to reverse; `nil` when the PSP does not report it,
    /// and for a cancellation, which has no amount.
    func remaining(for kind: TransactionKind) -> Amount? {
        switch kind {
        case .capture: remainingCapture
        case .reversal: remainingReversal
        case .cancel: nil
        }
    }

    /// Whether the order shows that a transaction of a kind may succeed now although earlier ones
    /// were refused: another one was made, or it is offered again.
    ///
    /// - Parameters:
    ///   - kind: The kind of transaction.
    ///   - earlier: The order as it was known before.
    /// - Returns: Whether it shows that.
    func isReopened(for kind: TransactionKind, since earlier: OrderSnapshot?) -> Bool {
        guard let earlier else { return false }
        func count(_ order: OrderSnapshot) -> Int {
            (order.transactions ?? []).count { $0.type.lowercased() == kind.type }
        }
        func isOffered(_ order: OrderSnapshot) -> Bool {
            order.operation(Rel.names(of: kind)) != nil
        }
        return count(self) > count(earlier)
            || remaining(for: kind) != earlier.remaining(for: kind)
            || isOffered(self) && !isOffered(earlier)
    }

    /// The tax in a part of the order that is now captured or reversed, in minor units.
    ///
    /// It is proportional to the whole, rounded down. The last part gets the remainder, so that the
    /// parts add up to the whole.
    ///
    /// - Parameters:
    ///   - amount: The part, in minor units.
    ///   - kind: Whether it is captured or reversed.
    /// - Returns: The tax, in minor units.
    public func taxShare(of amount: Amount, for kind: TransactionKind) -> Amount {
        guard let whole = self.amount, let tax = vatAmount, whole > 0 else { return 0 }
        func done(_ type: String) -> (amount: Amount, tax: Amount) {
            let parts = transactions ?? []
            return (parts.sum(of: \.amount, type: type), parts.sum(of: \.vatAmount, type: type))
        }
        let captured = done("capture")
        let before = kind == .reversal ? done("reversal") : captured
        // A reversal is a part of what was captured, or of a sale, which is captured as a whole.
        let base = kind == .reversal && captured.amount > 0 ? captured : (amount: whole, tax: tax)
        // Transactions made elsewhere may have named no tax.
        let left = min(amount, max(0, base.tax - before.tax))
        if amount == base.amount - before.amount { return left }
        let (product, overflow) = amount.minorUnits.multipliedReportingOverflow(by: tax.minorUnits)
        return overflow ? 0 : min(left, Amount(product / whole.minorUnits))
    }
}

extension TransactionKind {
    /// The type of its entries in the order's list, in lower case.
    ///
    /// - Note: Source: payment order API, `financialTransactions`.
    var type: String {
        switch self {
        case .capture: "capture"
        case .cancel: "cancellation"
        case .reversal: "reversal"
        }
    }
}

extension [FinancialTransaction] {
    /// The sum of an amount over the transactions of a type.
    func sum(of amount: (FinancialTransaction) -> Amount?, type: String) -> Amount {
        reduce(0) { sum, part in
            part.type.lowercased() == type ? sum + (amount(part) ?? 0) : sum
        }
    }
}
