@testable import EventLog
@testable import SwedbankPay

/// What each event changes.
extension ReferenceBookkeeping {
    mutating func apply(_ recorded: RecordedEvent, _ before: SessionState, _ after: SessionState) {
        sequence += 1
        lastAt = max(lastAt, recorded.at)
        switch recorded.event {
        case .fetched(let fetched): apply(fetched, before, after)
        case .attemptStarted: choose(before)
        case .menuChosen:
            if before.checkout == nil {
                choose(before)
            } else {
                forgetTries()
                wakeFromStall(before)
            }
        case .menuRequested: if before.checkout == nil { startPollingAnew() }
        case .operationStarted(let started): start(started)
        case .operationSucceeded(let succeeded):
            succeed(succeeded, before)
            if let checkout = before.checkout { noteForOrder(succeeded, checkout) }
        case .operationFailed(let failed):
            fail(failed, before)
            if let checkout = before.checkout { noteForOrder(failed, checkout) }
            if before.payment?.outcome != nil, failed.status == 404 || failed.status == 410 {
                need = nil
                notBefore = nil
                readSetback = nil
            }
        case .returned, .threeDSClosed, .menuClosed: comeBack(recorded.event, before)
        case .problem(let problem): apply(problem, before)
        case .problemAcknowledged(let acknowledged):
            let wasRead =
                setback.map { !($0.retryAt != nil && $0.failure.hadNoEffect) } ?? false
            setback = nil
            if acknowledged.accepted || !wasRead { need(.acknowledged, before) }
        case .retryRequested: retry(before)
        case .refetchRequested(let asked): refetch(asked, before)
        case .abortRequested:
            guard before.outcome == nil else { break }
            repetition = nil
            if setback?.rel == .abortPayment { setback = nil }
            wakeFromStall(before)
        case .completed, .canceled, .expired, .failed: end(before)
        case .callbackReceived:
            if before.outcome == nil {
                wakeFromStall(before)
                need(.returned, before)
            }
            recordChange(before)
        case .checkout(let event): apply(event, before)
        default: respond(recorded.event, before)
        }
    }

    private mutating func forgetTries() {
        setback = nil
        repetition = nil
    }

    private mutating func choose(_ before: SessionState) {
        forgetTries()
        startPollingAnew()
        wakeFromStall(before)
        if before.payment?.page != nil { need(.retry, before) }
    }

    private mutating func apply(
        _ fetched: Fetched,
        _ before: SessionState,
        _ after: SessionState
    ) {
        readCount += fetched.cause.onlyReads ? 1 : 0
        if let problem = before.problem?.problem, problem.kind == .requestFailed,
            problem.rel?.onlyReads == true, need != .closing,
            before.money.standing == .underWay || before.money.standing == .unknown
        {
            isStalled = false
        }
        settleReading()
        let isUnchanged = fetched.digest == before.payment?.digest
        if !isUnchanged {
            unchangedReads = 0
        } else if fetched.cause == .session {
            unchangedReads += 1
        }
        if pollingSince == nil { pollingSince = lastAt }
        repetition?.changedNothing = isUnchanged
        guard let newest = fetched.snapshot else { return }
        if let attempt = before.payment?.attempt, attempt.mayHaveStarted {
            let method = attempt.choice.method
            let isOffered =
                newest.operation(.startPaymentAttempt, of: method) != nil
                || newest.operation(.expandMethod, of: method) != nil
            if !isOffered || newest.showsRunningAttempt(with: method) { setback = nil }
        }
        if MoneyBook.Shown(newest) == .running, before.book.shown != .running,
            after.payment?.attempt == nil
        {
            startPollingAnew()
        }
    }

    private mutating func comeBack(_ event: SessionEvent, _ before: SessionState) {
        respond(event, before)
        switch event {
        case .returned:
            wakeFromStall(before)
            startPollingAnew()
        case .menuClosed(let closed):
            startPollingAnew()
            if let checkout = before.checkout,
                checkout.page == closed.action || checkout.left == .completed
            {
                recordChange(before)
            }
        default: break
        }
        need(.returned, before)
    }

    private mutating func apply(_ problem: Problem, _ before: SessionState) {
        guard problem.origin != .session else { return }
        switch problem.kind {
        case .requestFailed, .inconsistency:
            switch problem.rel {
            case .abortPayment? where !problem.isRetryable: return
            case .startPaymentAttempt?, .expandMethod?, .customizePayment?:
                let isOver =
                    before.payment?.attempt == nil && before.payment?.menu == nil
                    && !before.offers.isEmpty
                if isOver, !problem.isRetryable { return }
            case .createAuthentication?, .completeAuthentication?, .attemptPayload?:
                if before.payment?.attempt != nil, let status = problem.status,
                    (400...499).contains(status),
                    !ProblemAdvice.waitingStatuses.contains(status)
                {
                    return
                }
            case .failPaymentAttempt? where before.payment?.attempt?.isRefused == true: return
            default: break
            }
            isStalled = true
            need = nil
        case .deadlineExceeded:
            wakeFromStall(before)
            need(.overdue, before)
        default: break
        }
    }

    private mutating func retry(_ before: SessionState) {
        forgetTries()
        forgetUnreadable()
        notBefore = nil
        if running == nil { need = .retry }
        if before.checkout != nil { recordChange(before) }
        startPollingAnew()
        isStalled = false
    }

    private mutating func refetch(_ asked: RefetchRequested, _ before: SessionState) {
        if before.outcome == nil, isStalled, asked.isBeforeEnd {
            need = .closing
            notBefore = nil
            forgetUnreadable()
            return
        }
        if before.outcome == nil, asked.by == SessionDecider.recovery { return forgetUnreadable() }
        if before.outcome == nil {
            wakeFromStall(before)
            need(.refetched, before)
        }
        if before.checkout != nil { recordChange(before) }
        if before.payment?.outcome != nil {
            isStalled = false
            forgetUnreadable()
            need = need ?? .refetched
            notBefore = nil
        }
    }

    private mutating func end(_ before: SessionState) {
        guard before.outcome == nil else { return }
        need = nil
        notBefore = nil
        running = nil
        isStalled = false
        forgetTries()
    }
}

/// Reports of clients.
extension ReferenceBookkeeping {
    /// A report on an open action makes the engine retry what it has given up.
    private mutating func respond(_ event: SessionEvent, _ before: SessionState) {
        guard let answered = event.answeredAction,
            before.actions.last(where: { $0.id == answered })?.isOpen == true,
            before.outcome == nil, isStalled
        else { return }
        if case .threeDSMethodCompleted(let completed) = event, completed.indicator == .unknown {
            return
        }
        var problem = before.problem?.problem
        let isOverdue =
            before.payment?.attempt?.isOverdue ?? before.payment?.menu?.isOverdue == true
        if isOverdue, problem?.kind == .deadlineExceeded { problem = nil }
        if problem?.isRetryable == true { wakeFromStall(before) }
    }
}

extension SessionEvent {
    fileprivate var answeredAction: ActionID? {
        switch self {
        case .externalAppLaunched(let response): response.action
        case .externalAppLaunchFailed(let failure): failure.action
        case .threeDSMethodCompleted(let completed): completed.action
        case .threeDSCompleted(let completed): completed.action
        case .threeDSClosed(let response): response.action
        case .threeDSLoadFailed(let failure): failure.action
        case .walletAuthorized(let authorized): authorized.action
        case .walletCanceled(let response): response.action
        case .walletFailed(let failure): failure.action
        case .menuClosed(let closed): closed.action
        case .checkout(.payerCheckedIn(let checkedIn)): checkedIn.action
        case .checkout(.checkInClosed(let response)): response.action
        case .checkout(.checkInFailed(let failure)): failure.action
        default: nil
        }
    }
}

extension OperationFailed {
    fileprivate var hadNoEffect: Bool { reach == .notSent || status == 429 }
}

/// Payment orders.
extension ReferenceBookkeeping {
    private mutating func apply(_ event: CheckoutEvent, _ before: SessionState) {
        switch event {
        case .checkoutOpened: if !before.isOpen { need = nil }
        case .endpointsDiscovered: recordReading()
        case .payerCheckedIn, .checkInClosed, .checkInFailed: respond(.checkout(event), before)
        case .orderFetched(let fetched):
            guard before.checkout != nil else { return }
            lastResponseAt = lastAt
            unusableResponses = 0
            need = nil
            notBefore = nil
            guard fetched.cause == .order else { return }
            recordReading()
            if before.problem?.problem.rel == .order || before.outcome != nil { isStalled = false }
        case .instrumentChosen:
            forgetTries()
            wakeFromStall(before)
        case .handedBack(let handed): if handed.outcome != nil { recordChange(before) }
        case .transactionRequested:
            isStalled = false
            forgetTries()
        case .transactionSettled(let settled):
            let isKnown = before.checkout?.transactions.contains {
                $0.request.payeeReference == settled.payeeReference
            }
            guard isKnown == true else { return }
            setback = nil
            if settled.result != .accepted { need = nil }
        case .checkInOffered:
            unusableResponses = 0
            readSetback = nil
        case .orderConfirmed, .checkInRequested, .checkInShown,
            .externalContentOpened, .navigated, .termsOfServiceOpened, .handedOver:
            break
        }
    }

    private mutating func noteForOrder(_ succeeded: OperationSucceeded, _ checkout: CheckoutState) {
        if succeeded.content != .snapshot, !succeeded.rel.onlyReads, checkout.order?.id != nil {
            need = .emptyResponse
        }
        if let underWay = checkout.transactions.first(where: \.isUnderWay),
            Rel.names(of: underWay.request.kind).contains(succeeded.rel)
        {
            need = .emptyResponse
        }
        if [.paymentOrders, .consumers].contains(succeeded.rel), succeeded.content == .empty {
            unusableResponses += 1
        }
    }

    private mutating func noteForOrder(_ failed: OperationFailed, _ checkout: CheckoutState) {
        if failed.endsReading(of: checkout) {
            need = nil
            readSetback = nil
        }
        guard !failed.rel.onlyReads else { return }
        if failed.rel == .paymentOrders, !failed.mayHaveTakenEffect,
            checkout.mayRenewReference(after: failed)
        {
            setback = nil
        }
        if checkout.order?.id == nil {
            need = nil
            notBefore = nil
        }
        guard failed.retryAt == nil else { return }
        if failed.rel.isTransaction, checkout.transactions.contains(where: \.isUnderWay) { return }
        if failed.status != nil, !failed.rel.givesUpOrder { need = nil }
    }
}
