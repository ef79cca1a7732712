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
                payeeReference: "method\(number)",
                created: moment.date
            ),
            by: .gateway,
            at: moment
        )
        addNotice(of: number, by: attempt.method)
    }

    /// Fails the reversal that waits for a bank.
    ///
    /// - Note: Source: payment order API, reversal: a failed one is found in
    ///   `postPurchaseFailedAttempts`.
    mutating func refuseByBank(at moment: Moment) throws(ProblemDetail) {
        guard let pending = pendingReversal else { throw .forbidden("No reversal is under way.") }
        pendingReversal = nil
        failedTransactions.append(
            FailedTransaction(
                kind: .reversal,
                number: pending.transaction.number,
                payeeReference: pending.transaction.payeeReference,
                created: pending.transaction.created,
                problem: .forbidden("The bank refused the reversal.")
            )
        )
        consecutiveFailures[.reversal, default: 0] += 1
        note(
            "PaymentReversalFailed",
            by: .gateway,
            amount: pending.transaction.amount,
            at: moment
        )
        addNotice(of: pending.transaction.number, by: paidAttempt?.method ?? "")
    }

    /// Fails a payment after it was reported as paid.
    ///
    /// - Note: Source: payment order API, payouts: in rare cases a paid order fails later.
    mutating func failPayment(at moment: Moment) throws(ProblemDetail) {
        guard case .paid? = outcome, let attempt = paidAttempt else {
            throw .forbidden("The order is not paid.")
        }
        outcome = .failed
        transactions = []
        pendingReversal = nil
        note("PaymentFailed", by: .gateway, instrument: attempt.method, at: moment)
        addNotice(of: attempt.transaction, by: attempt.method)
        updated = moment.date
    }
}
