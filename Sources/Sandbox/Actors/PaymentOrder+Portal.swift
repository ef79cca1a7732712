extension PaymentOrder {
    /// Somebody in the portal aborts the order.
    mutating func abortInPortal(at moment: Moment) throws(ProblemDetail) {
        guard outcome == nil else { throw .forbidden("The order is over.") }
        close(as: .aborted(reason: "Aborted in the portal"), at: moment)
    }

    /// Somebody in the portal changes what is to be paid; the order's lines, whose sum it was, go.
    mutating func changeAmountInPortal(to amount: Int, at moment: Moment) throws(ProblemDetail) {
        guard outcome == nil, request.purpose == .purchase else {
            throw .forbidden("The amount cannot be changed any more.")
        }
        request.amount = amount
        request.vatAmount = min(request.vatAmount, amount)
        request.details.orderItems = nil
        updated = moment.date
    }

    /// The payment method takes back what was paid.
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
        tell(number, of: attempt.method)
    }
}
