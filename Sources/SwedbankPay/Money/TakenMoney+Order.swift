extension TakenMoney {
    /// Reads the taken money from an order; `nil` while the order does not contain any.
    ///
    /// - Parameters:
    ///   - order: The order, with the newest value of each part.
    ///   - newest: The newest response as received; its amounts take precedence over earlier ones.
    ///
    /// - Note: Source: payment order API, status model and sub-resources.
    init?(_ order: OrderSnapshot, newest: OrderSnapshot?) {
        switch order.status {
        case .paid?, .reversed?: break
        case .cancelled? where order.paid != nil: break
        default: return nil
        }
        let amount = order.paid?.amount ?? order.amount
        self.init(evidence: .order, amount: amount, net: amount)
        guard let amount else { return }
        let hasRemaining = newest?.remainingCapture != nil || newest?.remainingReversal != nil
        if let list = newest?.transactions ?? (hasRemaining ? nil : order.transactions) {
            apply(list, of: amount, isSale: order.isSale)
        } else {
            applyRemaining(of: order, amount)
        }
        applyEnd(order.status, amount)
    }

    /// Applies the list of all transactions.
    private mutating func apply(
        _ list: [FinancialTransaction],
        of amount: Amount,
        isSale: Bool
    ) {
        func sum(_ type: String) -> Amount { list.sum(of: \.amount, type: type) }
        let captured = isSale ? amount : sum("capture")
        // A cancellation releases everything that was not captured, even if it names no amount.
        let isCanceled = list.contains { $0.type.lowercased() == "cancellation" }
        let canceled = isCanceled ? max(sum("cancellation"), 0) : 0
        self.captured = captured
        self.canceled = isCanceled && canceled == 0 ? amount - captured : canceled
        reversed = sum("reversal")
        capturable = isCanceled || isSale ? 0 : max(0, amount - captured)
        reversible = max(0, captured - sum("reversal"))
        net = amount - (self.canceled ?? 0) - sum("reversal")
    }

    /// Applies the remaining amounts when no transactions are listed; releases and reversals then
    /// can't be distinguished.
    private mutating func applyRemaining(of order: OrderSnapshot, _ amount: Amount) {
        capturable = order.remainingCapture
        reversible = order.remainingReversal
        if order.isSale {
            captured = amount
            canceled = 0
            reversed = order.remainingReversal.map { amount - $0 }
            net = order.remainingReversal ?? amount
        } else if let capturable, capturable == amount {
            (captured, canceled, reversed) = (0, 0, 0)
        } else if let capturable, let reversible {
            net = capturable.adding(exactly: reversible)
            if net == amount { (captured, canceled, reversed) = (amount - capturable, 0, 0) }
        }
    }

    private mutating func applyEnd(_ status: OrderStatus?, _ amount: Amount) {
        switch status {
        case .reversed?:
            let released = canceled ?? 0
            captured = amount - released
            reversed = amount - released
            (capturable, reversible, net) = (0, 0, 0)
        case .cancelled?:
            (captured, canceled, reversed) = (0, amount, 0)
            (capturable, reversible, net) = (0, 0, 0)
        default: break
        }
    }
}

extension OrderSnapshot {
    /// Whether the money was captured immediately, so that no capture remains.
    fileprivate var isSale: Bool {
        paid?.transactionType?.lowercased() == "sale"
            || transactions?.contains { $0.type.lowercased() == "sale" } == true
    }
}
