internal import EventLog
internal import Workflow

/// The work in progress before an event, as far as it concerns money.
struct MoneyMark {
    /// The number of the attempt that had started.
    var attempt: Int?
    /// Whether the client showed the PSP's page, or it had been left without a result.
    var hasPage: Bool
    /// What may have been paid with.
    var contender: Contender?
    /// The request in flight that changes something, if the event ends it.
    var running: (effect: EffectID, at: Instant)?

    init(_ state: borrowing some SessionPart, before event: SessionEvent) {
        attempt = state.begunNumber
        hasPage = state.hasPage
        contender = state.contender
        guard event.moneyRole == .requestEnd else { return }
        running = state.progress.requests.inFlight.map { ($0.start.effect, $0.at) }
    }
}

/// The effects of each event on the money, for every kind of session.
extension SessionPart {
    /// The state of the money as of the PSP's newest response.
    var money: MoneyState {
        let book = progress.book
        return MoneyState(
            standing: book.standing,
            asOf: book.response?.at,
            since: book.since,
            sequence: book.sequence,
            doubts: book.doubts,
            taken: takenMoney,
            amount: book.amount,
            currency: book.currency,
            isVerification: isVerification,
            finding: book.statement?.resolution.verdict,
            requested: requestedTransactions,
            paidWith: paidWith
        )
    }

    /// Updates the money book after an event was folded.
    mutating func foldMoney(_ event: SessionEvent, since before: MoneyMark) {
        switch event {
        case .operationStarted(let started):
            progress.book.requestLeftAt = progress.lastAt
            if movesMoney(started.rel) { progress.book.activity = progress.sequence }
        case .operationFailed(let failed): recordFailure(failed, since: before)
        case .checkout(.orderConfirmed(let confirmed)):
            // The amount paid may differ from the amount to be paid.
            progress.book.amount = progress.book.amount ?? confirmed.amount
            progress.book.currency = confirmed.currency ?? progress.book.currency
            progress.book.doubts.removeAll { !$0.isTransaction && !$0.concernsResponse }
        case .operatorActed(let acted):
            if acted.action == OperatorActed.proposingResolution { progress.book.proposal = acted }
            guard let resolution = acted.finding else { break }
            progress.book.proposal = nil
            let doubts = progress.book.doubts
            // Without a doubt it corrects the finding before, about the same.
            let isOfTransactions =
                doubts.isEmpty
                ? progress.book.finding?.isOfTransactions == true
                : doubts.allSatisfy { $0.isTransaction || $0.isOfLostTransaction }
            progress.book.doubts = []
            progress.book.finding = MoneyBook.Finding(
                resolution: resolution,
                sequence: progress.sequence,
                at: progress.lastAt,
                isOfTransactions: isOfTransactions && paidMoney != nil
            )
        case .refetchRequested(let asked):
            // The payer could pay until now: an earlier response does not show how it ended.
            if asked.by == SessionDecider.lastLook { progress.book.activity = progress.sequence }
        case .completed(let completed):
            if completed.evidence == .completeURLReached { doubt(.clientsWord) }
        case .canceled, .expired, .failed: recordUnpaidEnd(event, since: before)
        default: if event.moneyRole == .activity { progress.book.activity = progress.sequence }
        }
        recordMoney(of: event, since: before)
        progress.book.check(at: progress.sequence, progress.lastAt)
        let newest = currentStanding
        guard newest != progress.book.standing || progress.book.since == nil else { return }
        progress.book.standing = newest
        progress.book.proposal = nil
        (progress.book.since, progress.book.sequence) = (progress.lastAt, progress.sequence)
    }

    mutating func doubt(
        _ cause: MoneyDoubt.Cause,
        attempt: Int? = nil,
        sentAt: Instant? = nil,
        amount: Amount? = nil
    ) {
        let (sequence, now) = (progress.sequence, progress.lastAt)
        progress.book.doubt(
            cause,
            attempt: attempt,
            sentAt: sentAt,
            amount: amount,
            sequence,
            at: now
        )
    }

    /// Records a response that shows the order, on which the money depends.
    ///
    /// - Parameters:
    ///   - order: The order, with the newest value of each part.
    ///   - newest: The newest response, as received.
    ///   - isSame: Whether it is the same as the response before.
    mutating func recordOrder(_ order: OrderSnapshot, _ newest: OrderSnapshot, isSame: Bool) {
        let ordered = order.paid.flatMap { $0.hasExtras ? $0.submitted : nil } ?? order.amount
        progress.book.amount = ordered ?? progress.book.amount
        progress.book.currency = order.currency ?? progress.book.currency
        let flaws = order.flaws(newest, paidMoney, after: progress.book.confirmedAt)
        if order.isOver {
            progress.book.doubts.removeAll { !$0.isTransaction && !$0.concernsResponse }
            // What a person found out about a response is not undone by the same response.
            if !isSame || flaws.isEmpty { progress.book.finding = nil }
        }
        recordConfirmation(order.isSaidPaid)
        guard !isSame else { return }
        progress.book.doubts.removeAll(where: \.concernsResponse)
        for flaw in flaws { doubt(flaw.cause, amount: flaw.amount) }
    }

    /// Records whether the newest response says that it is paid.
    ///
    /// What is told follows that response, also where it takes back what an earlier one said.
    mutating func recordConfirmation(_ isPaid: Bool) {
        guard isPaid else { return }
        progress.book.confirmedAt = progress.lastAt
        progress.book.isWithdrawalTold = false
        if progress.problem?.problem.kind == .paymentWithdrawn { progress.problem = nil }
    }

    /// The problem that the newest response takes back what an earlier one said, once.
    ///
    /// - Parameter newest: What the newest response says instead.
    /// - Returns: The problem; `nil` when nothing was taken back, or it was reported.
    func withdrawal(_ newest: String) -> SessionEvent? {
        guard progress.book.confirmedAt != nil, progress.book.response != nil,
            !progress.book.isWithdrawalTold
        else { return nil }
        return .problem(
            Problem(
                origin: .engine,
                kind: .paymentWithdrawn,
                subject: newest,
                isRetryable: false,
                actor: .merchant
            )
        )
    }

    private mutating func recordFailure(_ failed: OperationFailed, since before: MoneyMark) {
        guard !failed.rel.onlyReads, movesMoney(failed.rel), before.running?.effect == failed.effect
        else { return }
        progress.book.activity = progress.sequence
        let kind = TransactionKind.allCases.first { Rel.names(of: $0).contains(failed.rel) }
        if failed.mayHaveTakenEffect {
            let cause: MoneyDoubt.Cause = kind.map { .transaction($0) } ?? .request(failed.rel)
            doubt(
                cause,
                attempt: attemptNumber ?? before.attempt,
                sentAt: before.running?.at,
                amount: kind.flatMap { amountUnderWay($0) }
            )
        } else if failed.status != nil, !failed.isSafeToResend, kind == nil, doubtsRefusals {
            doubt(.refused(failed.rel), attempt: attemptNumber ?? before.attempt)
        }
    }

    /// Records an ending other than a completed payment: either the PSP reports it, or a doubt
    /// remains.
    private mutating func recordUnpaidEnd(_ event: SessionEvent, since before: MoneyMark) {
        if isSaidUnpaid {
            progress.book.doubts.removeAll { !$0.concernsResponse }
            return
        }
        // An operator's finding of a payment remains valid, unless money may have moved since.
        if let finding = progress.book.statement, finding.resolution.verdict != .notPaid,
            finding.sequence > progress.book.activity
        {
            return
        }
        if before.attempt != nil || before.hasPage || progress.book.shown == .running {
            doubt(.attempt, attempt: before.attempt)
        }
        if case .failed(let failed) = event {
            // A state that the rules cannot interpret gives no information about the money.
            let isUnknown = failed.money.map { $0 == .unknown } ?? (failed.reason == .endReached)
            if isUnknown, progress.book.doubts.isEmpty { doubt(.end) }
        }
        let isAnswered = progress.book.isAnswered(at: progress.lastAt)
        if progress.book.doubts.isEmpty, !isNothingBegun, !isAnswered { doubt(.end) }
    }

    // MARK: Derived values

    private var currentStanding: MoneyState.Standing {
        let (book, isOver) = (progress.book, progress.outcome != nil)
        if let finding = book.statement {
            switch finding.resolution.verdict {
            case .paid, .refunded: return .confirmed
            case .notPaid: return isOver ? .none : .intended
            }
        }
        if foundMoney != nil { return book.doubts.isEmpty ? .confirmed : .unknown }
        if isOver { return book.doubts.isEmpty ? .none : .unknown }
        // An attempt that is seen to continue is the normal course, whatever else is in doubt.
        if book.shown == .running { return .underWay }
        guard book.doubts.isEmpty else { return .unknown }
        return isPaying ? .underWay : .intended
    }

    /// Whether the order only verifies the payer's details, without a charge, according to the PSP
    /// or otherwise the order itself.
    var isVerification: Bool {
        // Whatever the purpose, money that was taken nevertheless is reported.
        let paid = progress.book.statement?.resolution.amount ?? paidAmount
        if let paid, paid > 0 { return false }
        return isOrderedVerification
    }

    /// The money that was taken according to the PSP, or to an operator.
    private var takenMoney: TakenMoney? {
        guard let taken = foundMoney, isVerification else { return foundMoney }
        return .nothing(taken.evidence)
    }

    private var foundMoney: TakenMoney? {
        guard let finding = progress.book.statement else { return paidMoney }
        let ordered = progress.book.amount
        let amount = finding.resolution.amount ?? ordered
        switch finding.resolution.verdict {
        case .notPaid: return nil
        case .paid: return TakenMoney(evidence: .person, amount: amount, net: amount)
        case .refunded:
            return TakenMoney(
                evidence: .person,
                amount: ordered ?? amount,
                reversed: amount,
                net: ordered.flatMap { paid in amount.map { paid - $0 } }
            )
        }
    }
}

/// The defaults for a kind of session without further information about money.
extension SessionPart {
    var begunNumber: Int? { nil }
    var hasPage: Bool { false }
    var contender: Contender? { nil }
    var paidWith: PaidWith? { nil }
    var isPaying: Bool { false }
    var paidAmount: Amount? { nil }
    var isSaidUnpaid: Bool { false }
    var isNothingBegun: Bool { false }
    var doubtsRefusals: Bool { true }
    var requestedTransactions: [RequestedTransaction] { [] }
    func amountUnderWay(_ kind: TransactionKind) -> Amount? { nil }
    mutating func recordMoney(of event: SessionEvent, since before: MoneyMark) {}

    // A session does not name the purpose of its order; only a verification has an amount of zero.
    var isOrderedVerification: Bool {
        progress.confirmation?.amount == 0 || progress.book.amount == 0
    }

    var paidMoney: TakenMoney? { sessionsMoney }

    /// The money that was taken according to the confirmation, or the session alone.
    var sessionsMoney: TakenMoney? {
        if let confirmation = progress.confirmation {
            let amount = confirmation.amount ?? progress.book.amount
            return TakenMoney(evidence: .order, amount: amount, net: amount)
        }
        // The newest view decides, also after the end.
        let isUnread = progress.book.shown == .nothing && progress.outcome == .completed
        guard progress.book.shown == .paid || isUnread else { return nil }
        // The payer's redirect shows that it is paid, but not how much.
        return TakenMoney(evidence: .redirect)
    }

    func movesMoney(_ rel: Rel) -> Bool {
        switch rel {
        case .startPaymentAttempt, .createAuthentication, .completeAuthentication, .attemptPayload:
            true
        default: rel.isTransaction
        }
    }
}

extension MoneyDoubt {
    var isTransaction: Bool { if case .transaction = cause { true } else { false } }

    /// Whether it concerns the newest response itself, which the next one replaces.
    var concernsResponse: Bool {
        switch cause {
        case .unknownTransaction, .lostTransaction, .contradiction: true
        case .request, .refused, .attempt, .clientsWord, .transaction, .end: false
        }
    }
}
