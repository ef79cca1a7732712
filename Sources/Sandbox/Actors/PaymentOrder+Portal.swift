extension PaymentOrder {
    /// Aborts the order in the portal.
    mutating func abortInPortal(at moment: Moment) throws(ProblemDetail) {
        guard outcome == nil else { throw .forbidden("The order is over.") }
        close(as: .aborted(reason: "Aborted in the portal"), at: moment)
    }

    /// Changes the amount in the portal; the order's items, whose sum it was, are removed.
    mutating func changeAmountInPortal(to amount: Int, at moment: Moment) throws(ProblemDetail) {
        guard outcome == nil, request.purpose == .purchase else {
            throw .forbidden("The amount cannot be changed any more.")
        }
        request.amount = amount
        request.vatAmount = min(request.vatAmount, amount)
        request.details.orderItems = nil
        updated = moment.date
    }

    /// Reverses what was paid, on the payment method's own initiative.
    mutating func reverseByMethod(_ amount: Int?, at moment: Moment) throws(ProblemDetail) {
        let limit = balance.reversible
        let amount = amount ?? limit
        guard let attempt = paidAttempt, amount > 0, amount <= limit else {
            throw .forbidden("Less than that was taken.")
        }
        let number = nextTransaction
        finish(
            .reversal,
            FinancialTransaction(
                kind: .reversal,
                number: number,
                amount: amount,
                vatAmount: 0,
                description: "Reversed by the payment method",
                payeeReference: "method-\(number)",
                created: moment.date
            ),
            by: .gateway,
            at: moment
        )
        addNotice(of: number, by: attempt.method)
    }
}
