internal import SwedbankPay

/// The merchant's references of the transactions of one payment; the PSP accepts each only once.
struct TrainingReferences {
    /// The number of the payment.
    let number: Int
    private var used: Set<String> = []

    init(number: Int) { self.number = number }

    /// Returns a reference that no other transaction of the payment has.
    ///
    /// Captures and cancellations share a letter, and so draw from the same numbers.
    mutating func next(
        _ kind: TransactionKind,
        drawing random: (ClosedRange<Int>) -> Int
    ) -> String {
        while true {
            let reference = "T\(number)\(kind.rawValue.prefix(1))\(random(100...999))"
            if used.insert(reference).inserted { return reference }
        }
    }
}
