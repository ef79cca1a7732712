internal import EventLog

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
    public func taxShare(of amount: Int64, for kind: TransactionKind) -> Int64 {
        guard let whole = self.amount, let tax = vatAmount, whole > 0 else { return 0 }
        func done(_ type: String) -> (amount: Int64, tax: Int64) {
            let parts = transactions ?? []
            return (parts.sum(of: \.amount, type: type), parts.sum(of: \.vatAmount, type: type))
        }
        let captured = done("capture")
        let before = kind == .reversal ? done("reversal") : captured
        // A reversal is a part of what was captured, or of a sale, which is captured as a whole.
        let base = kind == .reversal && captured.amount > 0 ? captured : (amount: whole, tax: tax)
        if amount == base.amount - before.amount { return max(0, base.tax - before.tax) }
        let (product, overflow) = amount.multipliedReportingOverflow(by: tax)
        return overflow ? 0 : min(product / whole, max(0, base.tax - before.tax))
    }
}

extension [FinancialTransaction] {
    /// The sum of a value over the transactions of a type, kept within the numbers that JSON can
    /// express: a hostile list may be so long that it would overflow.
    func sum(
        of value: (FinancialTransaction) -> Int64?,
        type: String
    ) -> Int64 {
        let bound = CanonicalWriter.greatestInteger
        return reduce(0) { sum, part in
            guard part.type.lowercased() == type else { return sum }
            return Swift.min(Swift.max(sum + (value(part) ?? 0), -bound), bound)
        }
    }
}
