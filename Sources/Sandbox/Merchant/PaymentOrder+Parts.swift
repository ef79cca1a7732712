extension PaymentOrder {
    /// The content of a part of the order; `nil` while the order has no such part.
    func content(of part: OrderPart) -> JSON? {
        let members: [String: JSON]? =
            switch part {
            case .orderItems: request.details.orderItems.map { ["orderItemList": $0] }
            case .urls: object(request.urls.document)
            case .payeeInfo: payeeInfo
            case .payer: request.details.payer.map { object($0) }
            case .metadata: request.details.metadata.map { object($0) }
            case .history: ["historyList": .array(history.map(\.document))]
            case .failed: failed
            case .aborted: aborted
            case .paid: paidAttempt.map(paid)
            case .cancelled: balance.cancelled > 0 ? sum(.cancellation) : nil
            case .reversed: balance.reversed > 0 ? sum(.reversal) : nil
            case .financialTransactions: financialTransactions
            case .failedAttempts: ["failedAttemptList": .array(failedAttempts())]
            case .postPurchaseFailedAttempts:
                ["postpurchaseFailedAttemptList": .array(failedTransactions.map(\.document))]
            }
        guard var members else { return nil }
        members["id"] = .string(address(of: part))
        return .object(members)
    }

    private func object(_ value: JSON) -> [String: JSON] {
        guard case .object(let members) = value else { return [:] }
        return members
    }

    private var payeeInfo: [String: JSON] {
        object(request.details.payeeInfo).merging([
            "payeeReference": .string(request.payeeReference),
            "payeeName": .optional(request.payeeName),
        ]) { _, known in known }
    }

    private var failed: [String: JSON]? {
        guard outcome == .failed else { return nil }
        let problem = attempts.last { $0.problem != nil }?.problem
        return ["problem": problem?.document ?? .null]
    }

    private var aborted: [String: JSON]? {
        guard case .aborted(let reason)? = outcome else { return nil }
        return ["abortReason": .string(reason)]
    }

    private var financialTransactions: [String: JSON]? {
        [
            "financialTransactionsList": .array(
                transactions.filter { $0.kind != .verification }.map { $0.document(in: self) }
            )
        ]
    }

    private func paid(_ attempt: Attempt) -> [String: JSON] {
        let kind = transactions.first { $0.number == attempt.transaction }?.kind
        return [
            "instrument": .string(attempt.method), "number": .integer(attempt.transaction),
            "payeeReference": .string(request.payeeReference),
            "orderReference": .optional(request.details.orderReference),
            "transactionType": .string((kind ?? .authorization).rawValue),
            "amount": .integer(attempt.amount), "submittedAmount": .integer(attempt.amount),
            "feeAmount": 0, "discountAmount": 0,
            "paymentTokenGenerated": .bool(generatedTokens.contains { $0.kind == .payment }),
            "tokens": .array(generatedTokens.map(\.document)),
            "details": details(of: attempt.card),
        ]
    }

    private func details(of card: TestCard?) -> JSON {
        guard let card else { return [:] }
        return ["cardBrand": .string(card.brand), "maskedPan": .string(card.maskedNumber)]
    }

    private func sum(_ kind: FinancialTransaction.Kind) -> [String: JSON]? {
        let found = transactions.filter { $0.kind == kind }
        guard let last = found.last, let attempt = paidAttempt else { return nil }
        return [
            "instrument": .string(attempt.method), "number": .integer(last.number),
            "payeeReference": .string(last.payeeReference),
            "orderReference": .optional(request.details.orderReference),
            "transactionType": .string(kind.rawValue),
            "amount": .integer(found.reduce(0) { $0 + $1.amount }),
            "submittedAmount": .integer(attempt.amount), "feeAmount": 0, "discountAmount": 0,
        ]
    }

    private func failedAttempts() -> [JSON] {
        attempts.compactMap { attempt in
            var members: [String: JSON] = [
                "created": .string(Timestamp.text(attempt.started)),
                "instrument": .string(attempt.method), "number": .integer(attempt.transaction),
            ]
            switch attempt.stage {
            case .failed(let problem):
                members["status"] = "Failed"
                members["problem"] = problem.document
            case .aborted:
                members["status"] = "Aborted"
            case .swish, .authentication, .challenge, .wallet, .acquirer, .paid:
                return nil
            }
            return .object(members)
        }
    }
}

/// An entry in the history of an order, for display.
///
/// - Note: Source: payment order API, `history`; no logic may depend on it.
struct HistoryEntry: Sendable {
    /// The party that caused it.
    enum Initiator: String, Sendable {
        case payer = "Payer"
        case payee = "Payee"
        case gateway = "PaymentGateway"
    }

    /// The maximum number of entries of an order.
    static let limit = 1_000

    let name: String
    let initiator: Initiator
    let at: String
    let instrument: String?
    let amount: Int?

    var document: JSON {
        var members: [String: JSON] = [
            "created": .string(at), "name": .string(name),
            "initiatedBy": .string(initiator.rawValue),
        ]
        if let instrument { members["instrument"] = .string(instrument) }
        if let amount { members["amount"] = .integer(amount) }
        return .object(members)
    }
}

extension PaymentOrder {
    /// Adds an entry to the history.
    mutating func note(
        _ name: String,
        by initiator: HistoryEntry.Initiator,
        instrument: String? = nil,
        amount: Int? = nil,
        at moment: Moment
    ) {
        guard history.count < HistoryEntry.limit else { return }
        history.append(
            HistoryEntry(
                name: name,
                initiator: initiator,
                at: Timestamp.text(moment.date),
                instrument: instrument,
                amount: amount
            )
        )
    }
}
