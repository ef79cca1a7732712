internal import EventLog
internal import Workflow

/// What was under way before an event, as far as money is concerned.
struct MoneyMark {
    /// The number of the attempt that had begun.
    var attempt: Int?
    /// Whether the PSP's page was on the client's screen, or had been left without a result.
    var hasPage: Bool
    /// The request that changes something.
    var running: (effect: EffectID, at: Instant)?

    init(_ state: SessionState) {
        attempt = state.attempt.flatMap { $0.isStarted ? $0.number : nil }
        hasPage = state.page != nil
        running = state.running.map { ($0.start.effect, $0.at) }
    }
}

/// Money: what each event says of it.
extension SessionState {
    /// What is known of the money, as of the PSP's newest answer.
    public var money: Money {
        let taken = takenMoney
        return Money(
            standing: book.standing,
            asOf: book.answer?.at,
            since: book.since,
            sequence: book.sequence,
            doubts: book.doubts,
            taken: taken,
            amount: book.amount,
            currency: book.currency,
            isVerification: isVerification
        )
    }

    /// Keeps the book on money, after an event was folded.
    mutating func noteMoney(_ event: SessionEvent, since before: MoneyMark) {
        switch event {
        case .operationStarted(let started): noteRequest(started)
        case .operationSucceeded(let succeeded):
            if succeeded.rel == .paymentOrders, succeeded.content != .snapshot, chargesAtCreation {
                doubt(.request(.paymentOrders), sentAt: before.running?.at)
            }
        case .operationFailed(let failed): noteFailure(failed, since: before)
        case .fetched(let fetched): noteAnswer(fetched)
        case .checkout(.orderFetched(let fetched)): noteAnswer(fetched)
        case .checkout(.transactionSettled): book.doubts.removeAll(where: \.isTransaction)
        case .checkout(.orderConfirmed(let confirmed)):
            book.amount = confirmed.amount ?? book.amount
            book.currency = confirmed.currency ?? book.currency
            book.doubts.removeAll { !$0.isTransaction }
        case .problem(let problem) where leavesPageUnheard(problem):
            let isDone = problem.kind == .notConfirmed || checkout?.left == .completed
            let cause: MoneyDoubt.Cause = isDone ? .clientsWord : .attempt
            if !book.doubts.contains(where: { $0.cause == cause }) { doubt(cause) }
        case .operatorActed(let acted):
            guard let resolution = acted.resolution else { break }
            book.doubts = []
            book.finding = MoneyBook.Finding(resolution: resolution, sequence: sequence, at: lastAt)
        case .completed(let completed):
            if completed.evidence == .completeURLReached { doubt(.clientsWord) }
        case .canceled, .expired, .failed: noteUnpaidEnd(event, since: before)
        default: if event.mayTellOfMoney { book.activity = sequence }
        }
        noteAbandoned(by: event, since: before)
        if let terms = checkout?.opening.terms, book.amount == nil {
            (book.amount, book.currency) = (terms.amount, terms.currency ?? book.currency)
        }
        let newest = currentStanding
        guard newest != book.standing || book.since == nil else { return }
        (book.standing, book.since, book.sequence) = (newest, lastAt, sequence)
    }

    private mutating func doubt(
        _ cause: MoneyDoubt.Cause,
        attempt: Int? = nil,
        sentAt: Instant? = nil
    ) {
        book.doubt(cause, attempt: attempt, sentAt: sentAt, sequence, at: lastAt)
    }

    /// Whether the payer left the page, by the client's account, and the engine stops finding out what came of it.
    private func leavesPageUnheard(_ problem: Problem) -> Bool {
        guard let checkout else { return false }
        switch problem.kind {
        case .notConfirmed: return true
        case .requestFailed: return checkout.left != nil && problem.rel == .order
        default: return false
        }
    }

    private mutating func noteRequest(_ started: OperationStarted) {
        book.requestLeftAt = lastAt
        if movesMoney(started.rel) { book.activity = sequence }
    }

    private mutating func noteFailure(_ failed: OperationFailed, since before: MoneyMark) {
        guard !failed.rel.onlyReads, movesMoney(failed.rel), before.running?.effect == failed.effect
        else { return }
        book.activity = sequence
        let kind = TransactionKind.allCases.first { Rel.names(of: $0).contains(failed.rel) }
        if failed.mayHaveTakenEffect {
            let cause: MoneyDoubt.Cause = kind.map { .transaction($0) } ?? .request(failed.rel)
            doubt(cause, attempt: attempt?.number ?? before.attempt, sentAt: before.running?.at)
        } else if failed.status != nil, !failed.mayBeRepeatedAsItIs, kind == nil, checkout == nil {
            doubt(.refused(failed.rel), attempt: attempt?.number ?? before.attempt)
        }
    }

    private mutating func noteAnswer(_ fetched: Fetched) {
        book.answer = MoneyBook.Answer(sequence: sequence, at: lastAt)
        if let newest = fetched.snapshot {
            let shown = MoneyBook.Shown(newest)
            // Somebody began to pay: that is watched from here on.
            if shown == .running, book.shown != .running, attempt == nil {
                requests.pollAnew(at: lastAt)
            }
            book.shown = shown
            let chosen = newest.methods.first { $0.name == lastChoice?.method }?.amount
            let amount = chosen ?? newest.methods.lazy.compactMap(\.amount).first
            book.amount = amount ?? book.amount
            book.currency = newest.particulars.currency ?? book.currency
        }
        switch book.shown {
        case .nothing: break
        case .idle:
            let spent = Duration.milliseconds(fetched.durationMilliseconds ?? 0)
            let left = fetched.cause.onlyReads ? lastAt + (.zero - spent) : book.requestLeftAt
            book.resolve(by: left ?? lastAt)
        case .running: book.finding = nil
        case .paid, .unpaid: (book.doubts, book.finding) = ([], nil)
        }
    }

    private mutating func noteAnswer(_ fetched: OrderFetched) {
        book.answer = MoneyBook.Answer(sequence: sequence, at: lastAt)
        guard let order = checkout?.order else { return }
        book.amount = order.amount ?? book.amount
        book.currency = order.currency ?? book.currency
        switch order.status {
        case .paid?, .reversed?, .cancelled?, .aborted?, .failed?:
            book.doubts.removeAll { !$0.isTransaction }
            book.finding = nil
        default:
            guard fetched.cause.onlyReads else { return }
            let spent = Duration.milliseconds(fetched.durationMilliseconds ?? 0)
            let left = lastAt + (.zero - spent)
            book.resolve(by: left)
            book.doubts.removeAll { $0.cause == .end && left >= $0.at }
        }
    }

    /// The session is over, and not called paid: that is the PSP's word, or it leaves a doubt.
    private mutating func noteUnpaidEnd(_ event: SessionEvent, since before: MoneyMark) {
        if isSaidUnpaid {
            book.doubts = []
            return
        }
        if before.attempt != nil || before.hasPage || book.shown == .running {
            doubt(.attempt, attempt: before.attempt)
        }
        if case .failed(let failed) = event {
            // What nobody understands is no word on the money.
            let isUnknown =
                failed.money.map { $0 == .unknown } ?? (failed.reason == .endReached)
            if isUnknown, book.doubts.isEmpty { doubt(.end) }
        }
        let isNothingCreated = checkout.map { $0.order == nil && !chargesAtCreation } ?? false
        if book.doubts.isEmpty, !isNothingCreated, !book.isAnswered(at: lastAt) { doubt(.end) }
    }

    /// Whether the newest answer says that the session or order is over, and not paid.
    private var isSaidUnpaid: Bool {
        guard let checkout else { return book.shown == .unpaid }
        switch checkout.order?.status {
        case .aborted?, .failed?, .cancelled?: return true
        default: return false
        }
    }

    /// An attempt or page that is left, but for the PSP's word, leaves a doubt.
    private mutating func noteAbandoned(by event: SessionEvent, since before: MoneyMark) {
        guard outcome == nil, checkout == nil, before.attempt != nil || before.hasPage else {
            return
        }
        switch event {
        case .fetched: return
        case .problem(let problem) where problem.origin == .session: return
        default: break
        }
        let isLeft = before.attempt.map { $0 != attempt?.number } ?? (page == nil)
        if isLeft { doubt(.attempt, attempt: before.attempt) }
    }

    // MARK: What it means

    private var currentStanding: Money.Standing {
        if let finding = book.finding {
            switch finding.resolution.verdict {
            case .paid, .refunded: return .confirmed
            case .notPaid: return outcome == nil ? .intended : .none
            }
        }
        if takenMoney != nil { return book.doubts.isEmpty ? .confirmed : .unknown }
        if outcome != nil { return book.doubts.isEmpty ? .none : .unknown }
        // An attempt that is seen to go on is the normal course, whatever is in doubt beside it.
        if book.shown == .running { return .underWay }
        guard book.doubts.isEmpty else { return .unknown }
        return isPaying ? .underWay : .intended
    }

    /// Whether something that this session began may take money.
    package var isPaying: Bool {
        if let rel = running?.start.rel, movesMoney(rel) { return true }
        if let attempt, attempt.isStarted || attempt.mayHaveStarted { return true }
        if page != nil { return true }
        guard let checkout else { return false }
        let isPageOpen = actions.contains { action in
            guard action.isOpen, case .showMenu = action.kind else { return false }
            return true
        }
        let isLeftUnread = checkout.left != nil && checkout.looks == 0
        return checkout.nativeSession != nil || isPageOpen || isLeftUnread
            || checkout.left == .completed
    }

    /// What the PSP says it took, or a person found out.
    private var takenMoney: TakenMoney? {
        guard let taken = takenMoneyOfPurchase, isVerification else { return takenMoneyOfPurchase }
        return .nothing(taken.evidence)
    }

    private var takenMoneyOfPurchase: TakenMoney? {
        if let finding = book.finding {
            let amount = finding.resolution.amount ?? book.amount
            switch finding.resolution.verdict {
            case .notPaid: return nil
            case .paid: return TakenMoney(evidence: .person, amount: amount, net: amount)
            case .refunded:
                return TakenMoney(
                    evidence: .person,
                    amount: book.amount ?? amount,
                    reversed: amount,
                    net: book.amount.flatMap { paid in amount.map { paid - $0 } }
                )
            }
        }
        if let checkout {
            if let order = checkout.order, let taken = TakenMoney(order, newest: checkout.newest) {
                return taken
            }
            guard let confirmation else { return nil }
            return TakenMoney(
                evidence: .order,
                amount: confirmation.amount,
                net: confirmation.amount
            )
        }
        if let confirmation {
            let amount = confirmation.amount ?? book.amount
            return TakenMoney(evidence: .order, amount: amount, net: amount)
        }
        guard book.shown == .paid || outcome == .completed else { return nil }
        // Where the payer is sent says that it is paid, and not how much.
        return TakenMoney(evidence: .redirect)
    }

    private var chargesAtCreation: Bool { checkout?.chargesAtCreation ?? false }

    /// Whether a request may take money, give it back or release it.
    private func movesMoney(_ rel: Rel) -> Bool {
        switch rel {
        case .startPaymentAttempt, .createAuthentication, .completeAuthentication, .attemptPayload:
            true
        case .paymentOrders: chargesAtCreation
        default: rel.isTransaction
        }
    }
}

extension MoneyDoubt {
    fileprivate var isTransaction: Bool {
        if case .transaction = cause { true } else { false }
    }
}

extension SessionEvent {
    /// Whether it says that the client, the payer or the PSP did something that may have to do with money.
    fileprivate var mayTellOfMoney: Bool {
        switch self {
        case .externalAppLaunched, .returned, .threeDSCompleted, .walletAuthorized, .menuRequested,
            .menuClosed, .callbackReceived:
            true
        default: false
        }
    }
}
