internal import EventLog

/// The effects of a checkout's events on the money.
extension CheckoutState {
    var doubtsRefusals: Bool { false }
    var paidAmount: Amount? { order?.paid?.amount }
    var isNothingBegun: Bool { order == nil && !chargesAtCreation }

    /// Whether the order has ended unpaid according to the newest response.
    var isSaidUnpaid: Bool {
        switch order?.status {
        case .aborted?, .failed?, .cancelled?: true
        default: false
        }
    }

    var isOrderedVerification: Bool {
        (order?.purpose ?? opening.terms.purpose) == PaymentOrderPurpose.verify.rawValue
    }

    var isPaying: Bool {
        if let rel = running?.start.rel, movesMoney(rel) { return true }
        let isPageOpen = progress.actions.contains { action in
            guard action.isOpen, case .showMenu = action.kind else { return false }
            return true
        }
        let isLeftUnread = left != nil && reads == 0
        return nativeSession != nil || isPageOpen || isLeftUnread || left == .completed
    }

    var paidMoney: TakenMoney? {
        if let order, let taken = TakenMoney(order, newest: newest) { return taken }
        return progress.confirmation.map {
            TakenMoney(evidence: .order, amount: $0.amount, net: $0.amount)
        }
    }

    func movesMoney(_ rel: Rel) -> Bool {
        rel == .paymentOrders ? chargesAtCreation : rel.isTransaction
    }

    mutating func recordMoney(of event: SessionEvent, since before: MoneyMark) {
        switch event {
        case .operationSucceeded(let succeeded):
            if succeeded.rel == .paymentOrders, succeeded.content != .snapshot, chargesAtCreation {
                doubt(.request(.paymentOrders), sentAt: before.running?.at)
            }
        case .checkout(.orderFetched(let fetched)): recordResponse(fetched)
        case .checkout(.transactionSettled): progress.book.doubts.removeAll(where: \.isTransaction)
        case .problem(let problem) where leavesPageUnheard(problem):
            let isDone = problem.kind == .notConfirmed || left == .completed
            let cause: MoneyDoubt.Cause = isDone ? .clientsWord : .attempt
            if !progress.book.doubts.contains(where: { $0.cause == cause }) { doubt(cause) }
        default: break
        }
        if endedWithUnreadPayment { doubt(.end) }
        guard progress.book.amount == nil else { return }
        progress.book.amount = opening.terms.amount
        progress.book.currency = opening.terms.currency ?? progress.book.currency
    }

    /// Whether the checkout has ended, no response showed its order, and something else tells of a
    /// payment.
    ///
    /// The order alone could show what became of that payment, so its money is unknown.
    private var endedWithUnreadPayment: Bool {
        guard let outcome = progress.outcome, order == nil, paidMoney == nil,
            progress.book.doubts.isEmpty, progress.book.finding == nil
        else { return false }
        return outcome == .completed || mayHaveBeenPaid || !endedSessions.isEmpty
            || !transactions.isEmpty || isMismatchTold || callbacks > 0 && mayHaveOrder
    }

    /// Whether there may be an order that no response has shown.
    ///
    /// Anybody may send a callback. One that is received before an order can exist tells of no
    /// payment.
    private var mayHaveOrder: Bool { creation.isUncertain || lastReadAt != nil }

    /// Whether the payer reportedly left the page and the engine stops trying to learn the result.
    ///
    /// A read that fails after the PSP has reported the order paid leaves nothing open.
    private func leavesPageUnheard(_ problem: Problem) -> Bool {
        guard paidMoney == nil else { return false }
        return switch problem.kind {
        case .notConfirmed: true
        case .requestFailed: left != nil && problem.rel == .order
        default: false
        }
    }

    private mutating func recordResponse(_ fetched: OrderFetched) {
        let (sequence, now) = (progress.sequence, progress.lastAt)
        progress.book.response = MoneyBook.Response(sequence: sequence, at: now)
        guard let order else { return }
        progress.book.amount = order.amount ?? progress.book.amount
        progress.book.currency = order.currency ?? progress.book.currency
        switch order.status {
        case .paid?, .reversed?, .cancelled?, .aborted?, .failed?:
            progress.book.doubts.removeAll { !$0.isTransaction }
            progress.book.finding = nil
        default:
            guard fetched.cause.onlyReads else { return }
            let spent = Duration.milliseconds(fetched.durationMilliseconds ?? 0)
            let left = now + (.zero - spent)
            progress.book.resolve(by: left)
            progress.book.doubts.removeAll { $0.cause == .end && left >= $0.at }
        }
    }
}
