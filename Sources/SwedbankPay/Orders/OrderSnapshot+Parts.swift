extension OrderSnapshot {
    /// The tax in a part of the order that is captured or given back now, in minor units.
    ///
    /// In proportion to the whole, rounded down; the last part takes what the parts before it left, so that the parts come
    /// to the whole.
    ///
    /// - Parameters:
    ///   - amount: The part, in minor units.
    ///   - kind: Whether it is captured or given back.
    public func taxShare(of amount: Int64, for kind: TransactionKind) -> Int64 {
        guard let whole = self.amount, let tax = vatAmount, whole > 0 else { return 0 }
        func done(_ type: String) -> (amount: Int64, tax: Int64) {
            let parts = (transactions ?? []).filter { $0.type.lowercased() == type }
            return (
                parts.reduce(0) { $0 + ($1.amount ?? 0) },
                parts.reduce(0) { $0 + ($1.vatAmount ?? 0) }
            )
        }
        let captured = done("capture")
        let before = kind == .reversal ? done("reversal") : captured
        // What is given back is a part of what was captured, or of a sale, which is captured as a whole.
        let base = kind == .reversal && captured.amount > 0 ? captured : (amount: whole, tax: tax)
        if before.amount + amount == base.amount { return max(0, base.tax - before.tax) }
        let (product, overflow) = amount.multipliedReportingOverflow(by: tax)
        return overflow ? 0 : min(product / whole, max(0, base.tax - before.tax))
    }
}
