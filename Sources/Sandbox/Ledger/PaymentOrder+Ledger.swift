extension PaymentOrder {
    /// The order's page in the ledger.
    func ledgerPage() -> LedgerOrder {
        let paid = attempts.filter { $0.ledgerState == .paid }
        return LedgerOrder(
            order: id,
            status: status,
            attempts: attempts.map(\.ledgerAttempt),
            authorizedAmount: paid.count * request.amount,
            capturedAmount: paid.filter { $0.method == MethodName.swish }.count * request.amount,
            requests: calls,
            doubles: doubles()
        )
    }

    /// What should never happen to a payment.
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
            transaction: transaction,
            method: method,
            started: Timestamp.text(started),
            state: ledgerState,
            problem: problem
        )
    }
}
