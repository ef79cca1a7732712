public import Workflow

extension SessionState {
    mutating func apply(_ started: OperationStarted) {
        requests.started(started, at: lastAt, sequence: sequence)
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
            if succeeded.content != .snapshot { requests.readingUnusable(at: lastAt) }
            return
        }
        guard requests.succeeded(succeeded.effect, at: lastAt) else { return }
        waitAnew()
        switch succeeded.rel {
        case .startPaymentAttempt: beginAttempt()
        case .customizePayment: presented = presenting
        case .attemptPayload: noteVerdict(.accepted)
        case .abortPayment: isAbortAccepted = true
        default: break
        }
        switch succeeded.content {
        case .snapshot: break
        case .empty: if outcome == nil { requests.read(because: .emptyAnswer) }
        case .undecodable:
            requests.countUnusableAnswer()
            if outcome == nil { requests.read(because: .unusableAnswer) }
        }
    }

    mutating func apply(_ failed: OperationFailed) {
        if failed.rel.onlyReads {
            requests.readingFailed(failed, at: lastAt)
            return
        }
        let isForWish = isRunningForWish
        guard requests.failed(failed, at: lastAt, isWanted: isForWish) else { return }
        guard isForWish else {
            // What failed was for a wish that the payer has left: the session tells how it is presented.
            presented = nil
            return
        }
        guard !failed.mayBeRepeatedAsItIs else { return }
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
        guard let request = requests.inFlight, request.start.rel == .customizePayment else {
            return true
        }
        guard request.start.attempt == attempt?.number else { return false }
        guard attempt == nil, let menu else { return true }
        return menu.chosenAt < request.sequence
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

extension OperationStarted: RequestStart {
    /// The relation.
    public var kind: Rel { rel }
}

extension OperationFailed: RequestFailure {
    /// The relation.
    public var kind: Rel { rel }

    /// Whether the process that sent it was gone.
    public var isInterruption: Bool { code == Self.interruptedCode }

    /// Whether it certainly had no effect, or the PSP only wants it later.
    public var mayBeRepeatedAsItIs: Bool {
        retryAt != nil && (reach == .notSent || status == 429)
    }
}
