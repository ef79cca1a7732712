public import EventLog
internal import Workflow

extension SessionState {
    /// Takes an event into account.
    ///
    /// Total: it never refuses a fact. Events of unknown type, and facts that fit nothing, move the position only.
    public mutating func apply(_ event: SessionEvent, at instant: Instant) {
        let before = MoneyMark(self)
        sequence += 1
        lastAt = max(lastAt, instant)
        fold(event)
        noteMoney(event, since: before)
    }

    private mutating func fold(_ event: SessionEvent) {
        switch event {
        case .opened(let opened): apply(opened)
        case .fetched(let fetched): apply(fetched)
        case .methodsOffered(let offered): take(offered)
        case .attemptStarted(let started): apply(started)
        case .operationStarted(let started):
            apply(started)
            noteForOrder(started)
        case .operationSucceeded(let succeeded):
            apply(succeeded)
            noteForOrder(succeeded)
        case .operationFailed(let failed):
            apply(failed)
            noteForOrder(failed)
        case .externalAppRequested(let requested):
            request(
                requested.request,
                as: .launchApp(requested.request.task, callbackURL: requested.callbackURL)
            )
        case .externalAppLaunched(let answer): answer.action.answers(.launched, in: &self)
        case .externalAppLaunchFailed(let failure):
            failure.action.answers(.launchFailed, in: &self)
        case .returned: applyReturn()
        case .threeDSMethodRequested(let requested):
            request(requested, as: .load3DSMethod(requested.task))
        case .threeDSMethodCompleted(let completed): apply(completed)
        case .threeDSRequested(let requested):
            request(
                requested,
                as: .show3DS(requested.task, notificationURL: requested.notificationURL)
            )
        case .threeDSShown(let answer): show(answer.action)
        case .threeDSCompleted(let completed):
            completed.action.answers(.challengeCompleted(cRes: completed.cRes), in: &self)
        case .threeDSClosed(let answer):
            answer.action.answers(.canceled, in: &self)
            readAgain(.returned)
        case .threeDSLoadFailed(let failure):
            failure.action.answers(.failed(error: failure.error), in: &self)
        case .walletRequested(let requested):
            request(
                requested.request,
                as: .authorizeWallet(requested.request.task, method: requested.method)
            )
        case .walletAuthorized(let authorized):
            authorized.action.answers(.authorized(payload: authorized.payload), in: &self)
        case .walletCanceled(let answer): answer.action.answers(.canceled, in: &self)
        case .walletFailed(let failure):
            failure.action.answers(.failed(error: failure.error), in: &self)
        case .menuChosen(let chosen):
            if checkout == nil { apply(chosen) } else { applyWishForPage(chosen.mode) }
        case .menuRequested(let requested):
            if checkout == nil { apply(requested) } else { applyPageOfOrder(requested) }
        case .menuShown(let answer): show(answer.action)
        case .menuClosed(let closed):
            apply(closed)
            applyLeftPageOfOrder(closed)
        case .problem(let problem): apply(problem)
        case .problemAcknowledged(let acknowledged): apply(acknowledged)
        case .retryRequested: applyRetry()
        case .refetchRequested(let asked): apply(asked)
        case .abortRequested(let abort):
            apply(abort)
            checkout?.looks = 0
        case .completed: end(.completed)
        case .canceled: end(.canceled)
        case .expired: end(.expired)
        case .failed(let failed):
            if outcome == nil { isClosedByHand = failed.isByHand }
            end(.failed)
        case .callbackReceived:
            applyCallback()
            noteCallbackOfOrder()
        case .checkout(let event): apply(event)
        case .operatorActed(let acted) where acted.action == OperatorActed.forking:
            // Said of a session that is no copy, it changes nothing.
            isForked = metadata[OperatorActed.forkOrigin] != nil
            cardPlaces = [:]
        case .noteAdded, .operatorActed, .unknown: break
        }
    }

    /// The fold of a whole log.
    public static func folding(
        _ events: some Sequence<RecordedEvent>,
        of session: SessionID
    ) -> SessionState {
        var state = SessionState(session: session)
        for recorded in events { state.apply(recorded.event, at: recorded.at) }
        return state
    }

    private mutating func apply(_ opened: Opened) {
        guard opening == nil else { return }
        opening = opened
        openedAt = lastAt
    }

    private mutating func apply(_ fetched: Fetched) {
        requests.answered(at: lastAt, byReading: fetched.cause.onlyReads)
        requests.compare(
            isUnchanged: fetched.digest == digest,
            isWhole: fetched.cause == .session,
            at: lastAt
        )
        digest = fetched.digest
        noteVerdict(of: fetched)
        if let newest = fetched.snapshot { take(newest) }
        lookAfterPage(fetched.cause)
    }

    private mutating func take(_ newest: Snapshot) {
        snapshot = newest
        identity = identity ?? newest.particulars.id
        // A change of the presentation whose answer was lost shows in the session, but for what no view shows.
        if presented == nil, let presenting, newest.shows(presenting, knownAs: nil) {
            if case .newCard = presenting {} else { presented = presenting }
        }
        orderURLs = newest.urls.completed(by: orderURLs)
        withdrawActions(missingFrom: newest)
        notice(newest.problem)
        resolveUnknownStart(by: newest)
        if let attempt, attempt.isRefused, !newest.showsRunningAttempt(with: attempt.choice.method)
        {
            endAttempt()
        }
        if let url = newest.working(.createAuthentication)?.sealed(.notificationURL)
            ?? newest.working(.completeAuthentication)?.sealed(.notificationURL)
        {
            notificationURL = url
        }
    }

    /// How often a problem is acknowledged whose link changes while it stays.
    static let acknowledgementsOfOneProblem = 3

    /// A problem that was reported and comes again under another link is acknowledged again, not reported.
    private mutating func notice(_ problem: SessionProblem?) {
        guard let problem else {
            acknowledging = nil
            for index in reportedProblems.indices { reportedProblems[index].isGone = true }
            return
        }
        let mark = ProblemMark(of: problem, attempt: begunAttempt)
        guard let reference = mark.reference, !acknowledged.contains(reference) else { return }
        let same = reportedProblems.filter { $0.matches(mark) }
        guard !same.isEmpty, same.count < Self.acknowledgementsOfOneProblem,
            !same.contains(where: { $0.reference == reference })
        else { return }
        reportedProblems.append(mark)
        acknowledging = problem
    }

    /// After a lost answer the PSP's view tells whether the attempt began: then it offers to start none, or shows
    /// what only a running attempt has.
    private mutating func resolveUnknownStart(by newest: Snapshot) {
        guard let attempt, attempt.mayHaveStarted else { return }
        let method = attempt.choice.method
        let isOffered =
            newest.operation(.startPaymentAttempt, of: method) != nil
            || newest.operation(.expandMethod, of: method) != nil
        guard !isOffered || newest.showsRunningAttempt(with: method) else { return }
        beginAttempt()
        requests.forgetFailures()
    }

    /// An action whose task the PSP no longer wants is withdrawn.
    private mutating func withdrawActions(missingFrom newest: Snapshot) {
        guard actions.contains(where: { $0.isOpen && $0.key != nil }) else { return }
        let wanted = newest.workingOperations.flatMap { operation in
            operation.tasks.map { $0.key(in: operation.rel, attempt: attempt?.number) }
        }
        for index in actions.indices where actions[index].isOpen {
            guard let key = actions[index].key, !wanted.contains(key) else { continue }
            actions[index].status = .withdrawn
        }
    }

    mutating func withdrawOpenActions() {
        for index in actions.indices where actions[index].isOpen {
            actions[index].status = .withdrawn
        }
    }

    private mutating func end(_ ending: Outcome) {
        guard outcome == nil else { return }
        outcome = ending
        checkout?.nativeSession = nil
        if ending == .completed || ending == .canceled { problem = nil }
        endAttempt()
        requests.ended()
        acknowledging = nil
        abortRequestedBy = nil
        isStalled = false
    }

    /// Ends what the payer had chosen: an attempt, or the PSP's page.
    mutating func endAttempt() {
        attempt = nil
        menu = nil
        page = nil
        withdrawOpenActions()
    }
}
