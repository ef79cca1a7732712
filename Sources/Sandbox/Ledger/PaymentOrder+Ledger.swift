extension PaymentOrder {
    /// The order's entry in the ledger.
    func ledgerPage() -> LedgerOrder {
        let balance = balance
        return LedgerOrder(
            order: id,
            status: status,
            currency: request.currency,
            orderedAmount: request.amount,
            attempts: attempts.map(\.ledgerAttempt),
            isAttemptRunning: runningIndex != nil,
            movements: transactions.map {
                LedgerMovement(
                    transaction: $0.number,
                    kind: $0.kind.rawValue,
                    amount: $0.amount,
                    at: Timestamp.text($0.created)
                )
            },
            authorizedAmount: balance.authorized + balance.sold,
            capturedAmount: balance.sold + balance.captured,
            cancelledAmount: balance.cancelled,
            reversedAmount: balance.reversed,
            netAmount: balance.authorized + balance.sold - balance.cancelled
                - balance.reversed,
            remainingCaptureAmount: balance.capturable,
            remainingReversalAmount: balance.reversible,
            captures: count(.capture),
            cancellations: count(.cancellation),
            reversals: count(.reversal),
            failedTransactions: failedTransactions.count,
            refusedDuplicates: refusedDuplicates,
            requests: requests,
            doubles: doubles()
        )
    }

    private func count(_ kind: FinancialTransaction.Kind) -> Int {
        transactions.count { $0.kind == kind }
    }

    /// The violations of a payment: events that must never happen.
    private func doubles() -> [String] {
        var found: [String] = []
        let paid = attempts.filter { $0.ledgerState == .paid }.count
        if paid > 1 { found.append("\(paid) attempts were paid") }
        if mostAttemptsAtOnce > 1 {
            found.append("\(mostAttemptsAtOnce) attempts were under way at once")
        }
        return found
    }
}

extension Attempt {
    var ledgerState: LedgerAttempt.State {
        switch stage {
        case .swish, .authentication, .challenge, .wallet, .acquirer: .running
        case .paid: .paid
        case .failed: .failed
        case .aborted: .aborted
        }
    }

    var ledgerAttempt: LedgerAttempt {
        var problem: String?
        if case .failed(let detail) = stage { problem = detail.type }
        return LedgerAttempt(
            number: number,
            startedBy: startedBy,
            amount: amount,
            transaction: transaction,
            method: method,
            card: card?.maskedNumber,
            started: Timestamp.text(started),
            state: ledgerState,
            problem: problem
        )
    }
}
