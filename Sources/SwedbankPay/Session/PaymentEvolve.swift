internal import Workflow

/// How the PSP's views and the ending change a payment session.
extension PaymentState {
    mutating func fold(_ opened: Opened) {
        guard opening == nil else { return }
        opening = opened
        progress.openedAt = progress.lastAt
        // Zero is a verification, which only the PSP can confirm.
        if let amount = opened.amount, amount > 0 {
            (progress.book.amount, progress.book.currency) = (amount, opened.currency)
        }
    }

    mutating func fold(_ fetched: Fetched) {
        let isClosing = progress.requests.need == .asked(.closing)
        progress.requests.responded(at: progress.lastAt, byReading: fetched.cause.onlyReads)
        progress.requests.compare(
            isUnchanged: fetched.digest == digest,
            isWhole: fetched.cause == .session,
            at: progress.lastAt
        )
        digest = fetched.digest
        recordVerdict(of: fetched)
        if let newest = fetched.snapshot { adopt(newest) }
        countReadAfterPage(fetched.cause)
        if !isClosing, progress.book.mayBeTaken { progress.goOnReading() }
    }

    private mutating func adopt(_ newest: Snapshot) {
        snapshot = newest
        identity = identity ?? newest.particulars.id
        presentation.compare(with: newest)
        progress.orderURLs = newest.urls.completed(by: progress.orderURLs)
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

    /// Folds what the order's checkout reported about the order's money.
    mutating func fold(_ event: CheckoutEvent) {
        guard case .orderFetched(let fetched) = event, fetched.order != nil else { return }
        reported = fetched
    }

    /// Folds a request to read the session, also after the end.
    mutating func fold(_ asked: RefetchRequested) {
        if progress.refetch(asked) { progress.readAfterEnd() }
    }

    /// The maximum number of acknowledgements of a problem whose link changes while it remains.
    static let acknowledgementsOfOneProblem = 3

    /// Handles the problem in a view; a problem that was reported and reappears under another link
    /// is acknowledged again, but not reported again.
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

    /// Determines from the PSP's view whether an attempt started whose response was lost: then the
    /// view offers no start, or shows what only a running attempt has.
    private mutating func resolveUnknownStart(by newest: Snapshot) {
        guard let attempt, attempt.mayHaveStarted else { return }
        let method = attempt.choice.method
        let isOffered =
            newest.operation(.startPaymentAttempt, of: method) != nil
            || newest.operation(.expandMethod, of: method) != nil
        guard !isOffered || newest.showsRunningAttempt(with: method) else { return }
        beginAttempt()
        progress.requests.forgetFailures()
    }

    /// Withdraws actions whose task the PSP no longer requests.
    private mutating func withdrawActions(missingFrom newest: Snapshot) {
        guard progress.actions.contains(where: { $0.isOpen && $0.key != nil }) else { return }
        let wanted = newest.workingOperations(for: nil) { !$0.tasks.isEmpty }.flatMap { operation in
            operation.tasks.map { $0.key(in: operation.rel, attempt: attempt?.number) }
        }
        for index in progress.actions.indices where progress.actions[index].isOpen {
            guard let key = progress.actions[index].key, !wanted.contains(key) else { continue }
            progress.actions[index].status = .withdrawn
        }
    }

    /// Folds that the session is a copy: the PSP's saved cards are different ones.
    mutating func foldFork() {
        // In a session that is not a copy this has no effect.
        progress.isForked = opening?.metadata[OperatorActed.forkOrigin] != nil
        cardPlaces = [:]
    }

    mutating func end(_ ending: Ending) {
        guard progress.end(ending) else { return }
        endAttempt()
        acknowledging = nil
    }

    /// Ends the payer's choice: an attempt, or the PSP's page.
    mutating func endAttempt() {
        course = .choosing
        progress.withdrawOpenActions()
    }
}
