extension PaymentOrder {
    /// Records the money of a paid attempt, and the tokens requested by the merchant.
    mutating func book(_ attempt: Attempt, at moment: Moment) {
        let kind: FinancialTransaction.Kind =
            request.purpose == .verify
            ? .verification : MethodName.isSale(attempt.method) ? .sale : .authorization
        transactions.append(
            FinancialTransaction(
                kind: kind,
                number: attempt.transaction,
                amount: attempt.amount,
                vatAmount: attempt.vatAmount,
                description: request.description,
                payeeReference: request.payeeReference,
                orderItems: request.details.orderItems,
                created: moment.date
            )
        )
        note("PaymentPaid", by: .gateway, instrument: attempt.method, at: moment)
        guard attempt.method == MethodName.creditCard || attempt.method == MethodName.trustly
        else { return }
        generatedTokens = request.details.tokens.map { kind in
            let known =
                kind == .payment
                ? cards.first { $0.card == attempt.card }?.paymentToken : nil
            return GeneratedToken(
                kind: kind,
                token: known ?? OpaqueToken.identifier(),
                method: attempt.method,
                card: attempt.card
            )
        }
    }

    /// Records in the history that an attempt failed, and notifies the merchant.
    mutating func recordFailure(of attempt: Attempt, at moment: Moment) {
        note("PaymentAttemptFailed", by: .gateway, instrument: attempt.method, at: moment)
        addNotice(of: attempt.transaction, by: attempt.method)
    }

    /// Completes a reversal that a bank was processing.
    mutating func settleReversal(at moment: Moment) {
        guard let pending = pendingReversal, pending.endsAt <= moment.now else { return }
        pendingReversal = nil
        finish(.reversal, pending.transaction, at: moment)
        addNotice(of: pending.transaction.number, by: paidAttempt?.method ?? "")
    }

    /// Reverses everything on the payment method's own initiative when that is due.
    mutating func settleMethodReversal(at moment: Moment) {
        guard let due = methodReversesAt, due <= moment.now else { return }
        methodReversesAt = nil
        try? reverseByMethod(nil, at: moment)
    }

    /// Records a completed capture, cancellation or reversal.
    mutating func finish(
        _ kind: TransactionKind,
        _ transaction: FinancialTransaction,
        by initiator: HistoryEntry.Initiator = .payee,
        at moment: Moment
    ) {
        transactions.append(transaction)
        consecutiveFailures[kind] = 0
        let balance = balance
        let name: String =
            switch kind {
            case .capture: balance.capturable > 0 ? "PaymentPartiallyCaptured" : "PaymentCaptured"
            case .cancellation:
                balance.captured > 0 ? "PaymentPartiallyCancelled" : "PaymentCancelled"
            case .reversal: balance.reversible > 0 ? "PaymentPartiallyReversed" : "PaymentReversed"
            }
        note(name, by: initiator, amount: transaction.amount, at: moment)
        updated = moment.date
    }
}
