internal import Workflow

extension PaymentState {
    mutating func fold(_ started: OperationStarted) {
        progress.requests.started(started, at: progress.lastAt, sequence: progress.sequence)
        switch started.rel {
        case .expandMethod: attempt?.hasAsked = true
        case .customizePayment: beginPresentation()
        case .startPaymentAttempt:
            if attempt?.beginning == .uncertain { attempt?.beginning = .chosen }
        case .failPaymentAttempt: attempt?.isFailureTold = true
        default: break
        }
    }

    mutating func fold(_ succeeded: OperationSucceeded) {
        let (isForMenu, number) = (isRunningForMenu, progress.requests.inFlight?.start.attempt)
        guard progress.succeeded(succeeded) else { return }
        waitAnew()
        // A response that can't be read may be from anyone, so it shows no effect.
        let isReadable = if case .undecodable = succeeded.content { false } else { true }
        switch succeeded.rel {
        case .startPaymentAttempt: beginAttempt()
        case .expandMethod:
            if isReadable, number == attempt?.number { attempt?.expansions += 1 }
        case .customizePayment:
            presentation.succeed()
            if isReadable, isForMenu { countPresentation() }
        case .attemptPayload: recordVerdict(.accepted)
        case .abortPayment: progress.abort?.isAccepted = true
        default: break
        }
    }

    mutating func fold(_ failed: OperationFailed) {
        let isForMenu = isRunningForMenu
        // A session that has ended may be gone later, which is no problem.
        let isGone =
            progress.outcome != nil && failed.status.map { [404, 410].contains($0) } == true
        defer { if isGone { progress.requests.giveUpReading() } }
        guard progress.failed(failed, isWanted: isForMenu) else { return }
        guard isForMenu else {
            // The failed request was for a choice that the payer has left; the session shows how it
            // is presented.
            presentation.doubt()
            return
        }
        guard !failed.isSafeToResend else { return }
        if failed.rel == .customizePayment { presentation.doubt() }
        guard failed.retryAt == nil else {
            if failed.rel == .startPaymentAttempt, let number = attempt?.number {
                if attempt?.isStarted == false { attempt?.beginning = .uncertain }
                begunAttempt = number
            }
            return
        }
        // Only a response is a refusal; a token that was never sent, or got no response, may be
        // submitted once more.
        if failed.rel == .attemptPayload, failed.status != nil { recordVerdict(.refused) }
        if failed.rel.beginsAttempt {
            endAttempt()
        } else if failed.rel == .abortPayment {
            progress.abort = nil
        }
    }
}

extension PaymentState {
    /// Whether the request in flight is for the payer's current choice: a choice of the page may be
    /// left while the session's presentation is being changed for it.
    var isRunningForMenu: Bool {
        guard let request = progress.requests.inFlight, request.start.rel == .customizePayment
        else {
            return true
        }
        guard request.start.attempt == attempt?.number else { return false }
        guard attempt == nil, let menu else { return true }
        return menu.chosenAt < request.sequence
    }

    /// Records that the attempt exists at the PSP.
    mutating func beginAttempt() {
        guard let number = attempt?.number else { return }
        attempt?.beginning = .begun
        begunAttempt = number
    }
}

extension PaymentState {
    /// Records that the session's presentation is about to be changed, for the requested page or
    /// back to all methods.
    private mutating func beginPresentation() {
        if attempt == nil { menu?.hasAsked = true } else { attempt?.hasAsked = true }
        let wanted = wantedPage?.presentation ?? .all
        presentation.start(snapshot?.normalized(wanted) ?? wanted)
    }

    /// Counts a change of the presentation that the PSP made for the payer's choice.
    private mutating func countPresentation() {
        if attempt == nil { menu?.customizations += 1 } else { attempt?.customizations += 1 }
    }

    /// Records the PSP's response to the wallet's token.
    private mutating func recordVerdict(_ verdict: WalletVerdict) {
        guard
            let index = progress.actions.lastIndex(where: {
                if case .reported(.authorized) = $0.status { true } else { false }
            })
        else { return }
        progress.actions[index].verdict = verdict
    }

    /// Records a refusal when the response to an accepted token contains a failed attempt.
    mutating func recordVerdict(of fetched: Fetched) {
        guard fetched.cause == .attemptPayload, fetched.snapshot?.problem != nil else { return }
        recordVerdict(.refused)
    }
}

extension Attempt {
    /// Whether any request of this attempt was sent to the PSP.
    var hasReachedProvider: Bool {
        beginning != .chosen || hasAsked
    }
}
