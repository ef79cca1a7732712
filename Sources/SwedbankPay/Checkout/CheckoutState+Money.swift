internal import EventLog

/// The effects of a checkout's events on the money.
extension CheckoutState {
    var doubtsRefusals: Bool { false }
    var reportedDigest: Digest256? { digest }
    var paidAmount: Amount? { order?.paid?.amount }
    var isNothingBegun: Bool {
        order == nil && (!chargesAtCreation || !creation.isUncertain && running == nil)
    }

    /// Whether the order has ended unpaid according to the newest response.
    var isSaidUnpaid: Bool {
        switch order?.status {
        case .aborted?, .failed?, .cancelled?: true
        // A backend that can't read orders shows no status, but passes on what the PSP accepted.
        default: isAbortAccepted && readsOrders == false
        }
    }

    var isOrderedVerification: Bool {
        (order?.purpose ?? opening.terms.purpose) == PaymentOrderPurpose.verify.rawValue
    }

    /// Whether the order shows an attempt in progress, of this payer or on another device.
    var hasPage: Bool { order?.isBeingPaid ?? false }

    var isPaying: Bool {
        if let rel = running?.start.rel, movesMoney(rel) { return true }
        if hasPage { return true }
        // The bank performs a charge by itself, and the order shows when it is done.
        if chargesAtCreation, newest != nil, progress.outcome == nil { return true }
        let isPageOpen = progress.actions.contains { action in
            guard action.isOpen, case .showMenu = action.kind else { return false }
            return true
        }
        let isLeftUnread = left != nil && reads == 0
        return nativeSession != nil || isPageOpen || isLeftUnread || left == .completed
    }

    var paidWith: PaidWith? {
        guard progress.book.statement == nil, !isVerification, paidMoney != nil else { return nil }
        let name = order?.paid?.instrument ?? progress.confirmation?.instrument
        return name.map { .named($0, attempt: nil) }
    }

    var paidMoney: TakenMoney? {
        // The newest response decides: a confirmation that it takes back is not told any more.
        if let order { return TakenMoney(order, newest: newest) }
        return progress.confirmation.map {
            TakenMoney(evidence: .order, amount: $0.amount, net: $0.amount)
        }
    }

    var requestedTransactions: [RequestedTransaction] {
        transactions.map { transaction in
            let state: RequestedTransaction.State =
                switch transaction.result {
                case .accepted?, nil: .pending
                case .done?: .done
                case .refused?, .notDone?: .refused
                }
            let request = transaction.request
            return RequestedTransaction(
                kind: request.kind,
                amount: request.amount,
                state: state,
                at: transaction.requestedAt
            )
        }
    }

    func amountUnderWay(_ kind: TransactionKind) -> Amount? {
        let request = transactions.last { $0.isUnderWay && $0.request.kind == kind }?.request
        // A cancellation names no amount: it releases what can still be captured.
        return request.flatMap { $0.kind == .cancel ? paidMoney?.capturable : $0.amount }
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
        case .operatorActed(let acted) where acted.finding != nil:
            examined.formUnion(lostTransactions.compactMap(\.payeeReference))
        case .checkout(.transactionSettled): progress.book.doubts.removeAll(where: \.isTransaction)
        case .problem(let problem) where leavesPageUnheard(problem):
            let isDone = problem.kind == .notConfirmed || left == .completed
            let cause: MoneyDoubt.Cause =
                chargesAtCreation ? .request(.paymentOrders) : isDone ? .clientsWord : .attempt
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
        let spent = Duration.milliseconds(fetched.durationMilliseconds ?? 0)
        progress.book.record(sequence, at: now, spent: fetched.cause.onlyReads ? spent : nil)
        guard let order else { return }
        if !order.isOver, !order.isBeingPaid, fetched.cause.onlyReads {
            let left = now + (.zero - spent)
            progress.book.resolve(by: left)
            progress.book.doubts.removeAll { $0.cause == .end && left >= $0.at }
        }
        recordOrder(order, newest ?? order, isSame: fetched.order == nil)
        guard fetched.order != nil else { return }
        for lost in lostTransactions { doubt(.lostTransaction(lost.type), amount: lost.amount) }
    }

    /// Whether the log lacks a transaction of this engine.
    var isSetBack: Bool { progress.book.doubts.contains(where: \.isOfLostTransaction) }

    /// The order's transactions that this engine requested, that the log does not contain, and that
    /// no person has looked at.
    ///
    /// Each is recorded before it is sent, so that only a log that was put back lacks it. Those of
    /// a copy were requested elsewhere.
    private var lostTransactions: [FinancialTransaction] {
        guard !progress.isForked else { return [] }
        return order?.transactions?.filter { listed in
            guard let reference = listed.payeeReference, !examined.contains(reference),
                OwnReference.isOwn(reference, of: progress.session)
            else { return false }
            return !transactions.contains { $0.request.payeeReference == reference }
        } ?? []
    }

    /// What the order shows about its money, for the native session that pays it; `nil` before it
    /// was paid.
    ///
    /// Nothing in it is sealed, since sealed values have the key of one session.
    var report: OrderFetched? {
        guard progress.book.confirmedAt != nil, let order, let newest else { return nil }
        let isListed =
            newest.transactions != nil || newest.hasRemaining || !order.isSaidPaid
        let shown = OrderSnapshot(
            id: order.id,
            number: order.number,
            status: order.status,
            purpose: order.purpose,
            currency: order.currency,
            amount: order.amount,
            remainingCapture: newest.remainingCapture,
            remainingReversal: newest.remainingReversal,
            paid: order.paid,
            transactions: isListed ? newest.transactions : order.transactions
        )
        return OrderFetched(
            cause: .order,
            digest: SnapshotCodec.digest(of: shown),
            order: shown,
            readAt: progress.book.response?.at
        )
    }
}
