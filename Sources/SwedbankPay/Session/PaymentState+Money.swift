internal import EventLog
internal import Workflow

/// The effects of a payment session's events on the money.
extension PaymentState {
    var begunNumber: Int? { attempt.flatMap { $0.isStarted ? $0.number : nil } }
    var hasPage: Bool { page != nil }

    /// Whether nothing that may pay was ever started here: what the PSP reports as failed is of
    /// another device.
    package var isOnlyPaidElsewhere: Bool {
        begunAttempt == 0
            && !progress.actions.contains { if case .showMenu = $0.kind { true } else { false } }
    }
    var isSaidUnpaid: Bool { progress.book.shown == .unpaid }
    var reportedDigest: Digest256? { reported?.digest }

    /// The order knows more of its money than the session that paid it.
    var paidMoney: TakenMoney? {
        guard let order = reported?.order else { return sessionsMoney }
        return TakenMoney(order, newest: order)
    }

    /// The PSP never showed the session and says that there is none, and no attempt or page was
    /// chosen: nothing could be paid with it.
    var isNothingBegun: Bool {
        snapshot == nil && attemptCount == 0 && page == nil
            && progress.requests.readFailures?.last.status == 404
    }

    var isOrderedVerification: Bool {
        // A session does not name the purpose of its order; only a verification has an amount of
        // zero.
        opening?.purpose == .verify || progress.confirmation?.amount == 0
            || progress.book.amount == 0
    }

    var isPaying: Bool {
        if let rel = running?.start.rel, movesMoney(rel) { return true }
        return contender != nil
    }

    mutating func recordMoney(of event: SessionEvent, since before: MoneyMark) {
        let isDoubted = !progress.book.doubts.isEmpty
        switch event {
        case .fetched(let fetched): recordResponse(fetched)
        case .checkout(.orderFetched(let fetched)):
            guard let order = fetched.order else { break }
            let readAt = min(fetched.readAt ?? progress.lastAt, progress.lastAt)
            progress.book.record(progress.sequence, at: readAt, spent: .zero)
            recordOrder(order, order, isSame: false)
        default: break
        }
        recordAbandoned(by: event, since: before)
        recordContenders(of: event, since: before, isDoubted: isDoubted)
    }

    private mutating func recordResponse(_ fetched: Fetched) {
        let (sequence, now) = (progress.sequence, progress.lastAt)
        let spent = Duration.milliseconds(fetched.durationMilliseconds ?? 0)
        progress.book.record(sequence, at: now, spent: fetched.cause.onlyReads ? spent : nil)
        if let newest = fetched.snapshot {
            let shown = MoneyBook.Shown(newest)
            // Someone started to pay, which is polled from here on.
            if shown == .running, progress.book.shown != .running, attempt == nil {
                progress.requests.restartPolling(at: now)
            }
            progress.book.shown = shown
            let amount = newest.amount(of: lastChoice?.method)
            progress.book.amount = amount ?? progress.book.amount
            progress.book.currency = newest.particulars.currency ?? progress.book.currency
        }
        switch progress.book.shown {
        case .nothing: break
        case .idle: progress.book.resolve(by: progress.book.response?.sentAt ?? now)
        case .running: progress.book.finding = nil
        case .paid, .unpaid:
            // The order's own word is newer than what its session shows.
            let hasOrder = reported != nil
            progress.book.doubts.removeAll { !hasOrder || !$0.concernsResponse }
            progress.book.finding = nil
        }
        guard reported == nil else { return }
        recordConfirmation(progress.book.shown == .paid)
        let isOpenAgain = progress.book.shown == .idle || progress.book.shown == .running
        guard isOpenAgain, fetched.snapshot != nil, progress.book.confirmedAt != nil else { return }
        progress.book.doubts.removeAll(where: \.concernsResponse)
        doubt(.contradiction)
    }

    /// Records a doubt for an attempt or page that was left without a result from the PSP.
    private mutating func recordAbandoned(by event: SessionEvent, since before: MoneyMark) {
        guard progress.outcome == nil, before.attempt != nil || before.hasPage else { return }
        switch event {
        case .fetched: return
        case .problem(let problem) where problem.origin == .session: return
        default: break
        }
        let isLeft = before.attempt.map { $0 != attempt?.number } ?? (page == nil)
        if isLeft { doubt(.attempt, attempt: before.attempt) }
    }
}

extension Snapshot {
    /// The amount with a method, or otherwise with the first that has one; asked by index, since a
    /// method is large and its iteration would copy it.
    fileprivate func amount(of name: PaymentMethodName?) -> Amount? {
        let chosen = methods.indices.first { methods[$0].name == name }
        if let chosen, let amount = methods[chosen].amount { return amount }
        return methods.indices.first { methods[$0].amount != nil }.flatMap { methods[$0].amount }
    }
}
