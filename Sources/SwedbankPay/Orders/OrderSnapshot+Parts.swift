extension OrderSnapshot {
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
        if amount == base.amount - before.amount { return max(0, base.tax - before.tax) }
        let (product, overflow) = amount.minorUnits.multipliedReportingOverflow(by: tax.minorUnits)
        guard !overflow else { return 0 }
        return min(Amount(product / whole.minorUnits), max(0, base.tax - before.tax))
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
