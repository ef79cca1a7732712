extension SessionState {
    mutating func apply(_ started: OperationStarted) {
        operationCount += 1
        running = RunningOperation(start: started, at: lastAt, place: sequence)
        // A reading request under way was derived from an older view: its answer is not acted upon.
        reading.count += 1
        switch started.rel {
        case .expandMethod: attempt?.expansions += 1
        case .customizePayment: beginPresentation()
        case .startPaymentAttempt: attempt?.mayHaveStarted = false
        case .failPaymentAttempt: attempt?.isFailureTold = true
        default: break
        }
    }

    mutating func apply(_ succeeded: OperationSucceeded) {
        if succeeded.rel.onlyReads {
            applyReadingAnswer(succeeded)
            return
        }
        guard running?.start.effect == succeeded.effect else { return }
        running = nil
        setback = nil
        reading.unchangedReads = 0
        startPollingAnew()
        waitAnew()
        let isAgain = repetition?.rel == succeeded.rel
        repetition = Repetition(
            rel: succeeded.rel,
            count: (isAgain ? repetition?.count ?? 0 : 0) + 1
        )
        switch succeeded.rel {
        case .startPaymentAttempt: beginAttempt()
        case .customizePayment: presented = presenting
        case .attemptPayload: noteVerdict(.accepted)
        case .abortPayment: isAbortAccepted = true
        default: break
        }
        switch succeeded.content {
        case .snapshot: break
        case .empty: need(.emptyAnswer)
        case .undecodable:
            reading.unusableAnswers += 1
            need(.unusableAnswer)
        }
    }

    private mutating func applyReadingAnswer(_ succeeded: OperationSucceeded) {
        switch succeeded.content {
        case .snapshot: break
        case .empty, .undecodable:
            reading.count += 1
            reading.unusableAnswers += 1
            reading.lastAnswerAt = lastAt
            reading.need = reading.need ?? .unusableAnswer
        }
    }

    mutating func apply(_ failed: OperationFailed) {
        if failed.rel.onlyReads {
            reading.count += 1
            reading.setback = reading.setback.following(failed, at: lastAt)
            if reading.need == nil { reading.need = .unusableAnswer }
            return
        }
        guard running?.start.effect == failed.effect else { return }
        let isForWish = isRunningForWish
        running = nil
        if failed.isInterruption, let retryAt = failed.retryAt {
            leftBehind = LeftBehind(rel: failed.rel, readableAt: retryAt)
        }
        guard isForWish else {
            // What failed was for a wish that the payer has left: the session tells how it is presented.
            presented = nil
            setback = nil
            reading.need = failed.retryAt == nil ? .refused : .unknownOutcome
            reading.notBefore = failed.retryAt
            return
        }
        setback = setback.following(failed, at: lastAt)
        guard !failed.mayBeRepeatedAsItIs else { return }
        reading.need = failed.retryAt == nil ? .refused : .unknownOutcome
        reading.notBefore = failed.retryAt
        if failed.rel == .customizePayment { presented = nil }
        guard failed.retryAt == nil else {
            if failed.rel == .startPaymentAttempt, let number = attempt?.number {
                attempt?.mayHaveStarted = true
                begunAttempt = number
            }
            return
        }
        // Only an answer refuses; what never left, or nobody answered, may be handed in once more.
        if failed.rel == .attemptPayload, failed.status != nil { noteVerdict(.refused) }
        if failed.rel.beginsAttempt {
            endAttempt()
        } else if failed.rel == .abortPayment {
            abortRequestedBy = nil
        }
    }
}

extension SessionState {
    /// Whether the request under way is for what the payer wants now: a wish for the page may be left while the session's
    /// presentation is being changed for it.
    var isRunningForWish: Bool {
        guard let running, running.start.rel == .customizePayment else { return true }
        guard running.start.attempt == attempt?.number else { return false }
        guard attempt == nil, let menu else { return true }
        return menu.chosenAt < running.place
    }

    /// Whether anything was begun that may have paid, by an attempt or on the PSP's page.
    var mayHaveBeenPaid: Bool {
        begunAttempt > 0 || checkout?.nativeSessions.isEmpty == false
            || actions.contains { if case .showMenu = $0.kind { true } else { false } }
    }

    /// The PSP has the attempt.
    mutating func beginAttempt() {
        guard let number = attempt?.number else { return }
        attempt?.isStarted = true
        attempt?.mayHaveStarted = false
        begunAttempt = number
    }
}

extension SessionState {
    /// The presentation of the session is about to be changed, for the page that is wanted or back to all methods.
    private mutating func beginPresentation() {
        if attempt == nil { menu?.customizations += 1 } else { attempt?.customizations += 1 }
        let wanted = wantedPage?.presentation ?? .all
        presenting = snapshot?.normalized(wanted) ?? wanted
    }

    /// What the PSP answered to the wallet's token.
    private mutating func noteVerdict(_ verdict: WalletVerdict) {
        guard
            let index = actions.lastIndex(where: {
                if case .answered(.authorized) = $0.status { true } else { false }
            })
        else { return }
        actions[index].verdict = verdict
    }

    /// A token that was taken, with a failed attempt in the same answer, was not accepted.
    mutating func noteVerdict(of fetched: Fetched) {
        guard fetched.cause == .attemptPayload, fetched.snapshot?.problem != nil else { return }
        noteVerdict(.refused)
    }
}

extension Attempt {
    /// Whether the PSP was asked anything for this attempt.
    var hasReachedProvider: Bool {
        isStarted || mayHaveStarted || expansions > 0 || customizations > 0
    }
}

extension OperationFailed {
    /// Whether the process that made the request was gone before an answer came.
    var isInterruption: Bool { code == Self.interruptedCode }

    /// Whether the request certainly had no effect and the PSP did not speak against it.
    var mayBeRepeatedAsItIs: Bool {
        retryAt != nil && (reach == .notSent || status == 429)
    }
}

extension Setback? {
    /// The setback that a further failure makes of this one.
    func following(_ failed: OperationFailed, at instant: Instant) -> Setback {
        guard let self, self.rel == failed.rel || (self.rel.onlyReads && failed.rel.onlyReads)
        else {
            return Setback(
                rel: failed.rel,
                tries: 1,
                since: instant,
                lastAt: instant,
                retryAt: failed.retryAt,
                failure: failed
            )
        }
        return Setback(
            rel: failed.rel,
            tries: self.tries + 1,
            since: self.since,
            lastAt: instant,
            retryAt: failed.retryAt,
            failure: failed
        )
    }
}
