internal import EventLog

extension TakenMoney {
    /// Reads the taken money from an order; `nil` while the order does not contain any.
    ///
    /// Amounts come from the list of transactions and the remaining amounts. The word of the status
    /// fills in only what neither of them shows: `Reversed` is defined in two ways.
    ///
    /// - Parameters:
    ///   - order: The order, with the newest value of each part.
    ///   - newest: The newest response as received; its amounts take precedence over earlier ones.
    ///
    /// - Note: Source: payment order API, status model and sub-resources.
    init?(_ order: OrderSnapshot, newest: OrderSnapshot?) {
        let answer = order.answer(newest)
        guard order.isSaidPaid || answer.listsMoney else { return nil }
        let amount = order.paid?.amount ?? order.amount
        self.init(evidence: .order, amount: amount, net: amount)
        submitted = order.paid?.submitted
        fee = order.paid?.feeAmount
        discount = order.paid?.discount
        guard let amount else { return }
        let isSale = order.isSale
        if let list = answer.transactions ?? (answer.hasRemaining ? nil : order.transactions) {
            apply(list, of: amount, isSale: isSale, answer)
        } else {
            applyRemaining(of: answer, amount, isSale: isSale)
        }
        if !order.isSaidPaid, net == 0 { return nil }
    }

    /// Applies the list of all transactions, and what remains according to the PSP.
    private mutating func apply(
        _ list: [FinancialTransaction],
        of amount: Amount,
        isSale: Bool,
        _ answer: OrderSnapshot
    ) {
        func sum(_ type: String) -> Amount { list.sum(of: \.amount, type: type) }
        func lists(_ type: String) -> Bool { list.contains { $0.type.lowercased() == type } }
        let captured = isSale ? amount : sum("capture")
        let (capturable, reversible) = (answer.remainingCapture, answer.remainingReversal)
        // A cancellation without an amount releases everything that the PSP no longer offers.
        let isReleased =
            lists("cancellation") || answer.status == .cancelled && capturable == nil
        let named = max(sum("cancellation"), 0)
        let canceled =
            named > 0 || !isReleased ? named : max(0, amount - captured - (capturable ?? 0))
        let isRefunded =
            answer.status == .reversed && reversible == nil && !lists("reversal")
        let reversed = isRefunded ? captured : sum("reversal")
        (self.captured, self.canceled, self.reversed) = (captured, canceled, reversed)
        self.capturable = capturable ?? (isSale ? 0 : max(0, amount - captured - canceled))
        self.reversible = reversible ?? max(0, captured - reversed)
        net = amount - canceled - reversed
        if let capturable, let reversible {
            net = capturable.adding(exactly: reversible) ?? net
        }
    }

    /// Applies the remaining amounts when no transactions are listed; releases and reversals then
    /// can't be distinguished.
    private mutating func applyRemaining(
        of answer: OrderSnapshot,
        _ amount: Amount,
        isSale: Bool
    ) {
        // What an order that is over does not offer is 0.
        let isOver = answer.status == .reversed || answer.status == .cancelled
        func remaining(_ stated: Amount?, _ kind: TransactionKind) -> Amount? {
            stated ?? (isOver && answer.operation(Rel.names(of: kind)) == nil ? 0 : nil)
        }
        capturable = isSale ? 0 : remaining(answer.remainingCapture, .capture)
        reversible = remaining(answer.remainingReversal, .reversal)
        if isSale {
            captured = amount
            canceled = 0
            reversed = reversible.map { amount - $0 }
            net = reversible ?? amount
        } else if let capturable, capturable == amount {
            (captured, canceled, reversed) = (0, 0, 0)
        } else if let capturable, let reversible {
            net = capturable.adding(exactly: reversible)
            if net == amount { (captured, canceled, reversed) = (amount - capturable, 0, 0) }
        }
        guard answer.status == .cancelled, capturable == 0, reversible == 0 else { return }
        (captured, canceled, reversed) = (0, amount, 0)
    }
}

extension OrderSnapshot {
    /// Whether the status says that it was paid, whatever became of the money.
    package var isSaidPaid: Bool {
        switch status {
        case .paid?, .reversed?: true
        case .cancelled?: paid != nil
        default: false
        }
    }

    /// The newest response as received, with the status and payment that it omits.
    func answer(_ newest: OrderSnapshot?) -> OrderSnapshot {
        var answer = newest ?? self
        (answer.status, answer.paid) = (status, paid)
        return answer
    }

    /// Whether it shows how much can still be captured or reversed.
    var hasRemaining: Bool { remainingCapture != nil || remainingReversal != nil }

    /// Whether its list, or what remains, shows money, although its status says that the payment
    /// failed.
    fileprivate var listsMoney: Bool {
        guard status == .failed || status == .aborted else { return false }
        if remainingCapture ?? 0 > 0 || remainingReversal ?? 0 > 0 { return true }
        return transactions?.contains {
            ["authorization", "sale", "capture"].contains($0.type.lowercased())
        } ?? false
    }

    /// Whether the money was captured immediately, so that no capture remains.
    fileprivate var isSale: Bool {
        paid?.transactionType?.lowercased() == "sale"
            || transactions?.contains { $0.type.lowercased() == "sale" } == true
    }

    /// Whether its status says otherwise than its amounts, or these say two things at once.
    ///
    /// Such a response is no statement about the money: a later one may be, or a person finds out.
    func isContradictory(_ taken: TakenMoney?) -> Bool {
        guard let taken else { return false }
        guard isSaidPaid || status == .cancelled else { return true }
        if status == .cancelled, taken.net ?? 0 > 0 { return true }
        guard transactions != nil, let amount = taken.amount, let canceled = taken.canceled,
            let reversed = taken.reversed
        else { return false }
        if status == .reversed, reversed == 0, amount > 0 { return true }
        if let capturable = remainingCapture, remainingReversal != nil,
            let captured = taken.captured,
            captured + canceled + capturable != amount
        {
            return true
        }
        return taken.net != amount - canceled - reversed
    }

    /// Whether it shows an attempt in progress, whoever started it: that can be aborted, and the
    /// order can't.
    ///
    /// - Note: Source: payment order API, payment order operations: `abort-paymentattempt`.
    var isBeingPaid: Bool {
        !isOver && operation([.abortAttempt]) != nil
            && operation([.abortOrder, .updateAbort]) == nil
    }

    /// Whether its status says how it ended, paid or unpaid.
    var isOver: Bool {
        switch status {
        case .paid?, .reversed?, .cancelled?, .aborted?, .failed?: true
        default: false
        }
    }

    /// What cannot be understood in a response: the money is not confirmed beyond that.
    ///
    /// - Parameters:
    ///   - newest: The newest response, as received.
    ///   - taken: The money that it shows.
    ///   - confirmedAt: When an earlier response, or this one, said that it is paid.
    /// - Returns: A cause for each flaw, with the amount in doubt.
    func flaws(
        _ newest: OrderSnapshot,
        _ taken: TakenMoney?,
        after confirmedAt: Instant?
    ) -> [(cause: MoneyDoubt.Cause, amount: Amount?)] {
        // A payment that was taken back has only the transactions that are still listed.
        let listed = isSaidPaid ? self : newest
        var flaws: [(cause: MoneyDoubt.Cause, amount: Amount?)] = listed.unknownTransactions.map {
            (.unknownTransaction($0.type), $0.amount)
        }
        // An order that is open again is not documented.
        if isOver ? answer(newest).isContradictory(taken) : confirmedAt != nil {
            flaws.append((.contradiction, nil))
        }
        return flaws
    }

    /// The transactions whose type this build does not know, such as a chargeback.
    var unknownTransactions: [FinancialTransaction] {
        let known: Set<String> = [
            "authorization", "sale", "capture", "cancellation", "reversal", "verification",
        ]
        return transactions?.filter { !known.contains($0.type.lowercased()) } ?? []
    }
}

extension PaidDetails {
    /// The method's discount; its sign is not documented.
    var discount: Amount? { discountAmount.map { max($0, 0 - $0) } }

    /// Whether the method has a fee or discount.
    var hasExtras: Bool { feeAmount ?? 0 != 0 || discountAmount ?? 0 != 0 }

    /// The amount before the method's fee and discount.
    ///
    /// - Note: Source: payment order API, `paid`: the amount is what was submitted, plus the fee,
    ///   less the discount.
    var submitted: Amount? {
        submittedAmount ?? amount.map { $0 - (feeAmount ?? 0) + (discount ?? 0) }
    }
}
