internal import EventLog

extension TransactionRequest {
    /// The fields that the PSP would refuse; of a sealed description and of sealed items nothing is
    /// known.
    ///
    /// - Note: Source: payment order API, capture, cancel, reversal; payeeReference.
    package func problems(limits: OrderLimits = OrderLimits()) -> [FieldProblem] {
        var check = OrderCheck(OrderRules(limits: limits))
        if case .plain(let text) = description { check.transactionDescription(text) }
        check.alphanumeric(payeeReference, at: "payeeReference", upTo: limits.payeeReference)
        guard kind != .cancel else { return check.problems }
        check.optionalText(
            receiptReference,
            at: "receiptReference",
            upTo: limits.receiptReference
        )
        check.require(
            amount.map { (1...limits.amount).contains($0) } ?? false,
            "amount",
            "must be 1 to \(limits.amount) minor units"
        )
        check.require(
            vatAmount.map { (0...max(amount ?? 0, 0)).contains($0) } ?? false,
            "vatAmount",
            "must be 0 to amount, which includes it"
        )
        return check.problems
    }
}

extension FieldProblem {
    /// The problems of a transaction's description, which rules can't check once it is sealed.
    static func ofDescription(
        _ text: String,
        limits: OrderLimits = OrderLimits()
    ) -> [FieldProblem] {
        var check = OrderCheck(OrderRules(limits: limits))
        check.transactionDescription(text)
        return check.problems
    }
}

extension OrderCheck {
    fileprivate mutating func transactionDescription(_ text: String) {
        self.text(text, at: "description", upTo: limits.description)
    }
}
