internal import Workflow

/// Attempts: begun, retried, given up.
extension PaymentState {
    mutating func fold(_ started: AttemptStarted) {
        attemptCount = max(attemptCount, started.number)
        preferencesUsed = true
        let leavesPage = page != nil
        endAttempt()
        attempt = Attempt(number: started.number, choice: started.choice, since: progress.lastAt)
        lastChoice = started.choice
        progress.problem = nil
        progress.requests.forgetTries()
        progress.requests.pollAnew(at: progress.lastAt)
        progress.wakeFromStall()
        // The payer may have paid on the page that they leave.
        if leavesPage { progress.readAgain(.retry) }
    }

    /// After a sign of life an attempt that took too long has its time again.
    mutating func waitAnew() {
        guard attempt?.isOverdue ?? menu?.isOverdue == true else { return }
        attempt?.isOverdue = false
        attempt?.since = progress.lastAt
        menu?.isOverdue = false
        menu?.since = progress.lastAt
        if progress.problem?.problem.kind == .deadlineExceeded { progress.problem = nil }
    }

    mutating func foldRetry() {
        acknowledgeAgain()
        progress.retry()
        attempt?.isOverdue = false
        attempt?.isRefused = false
        attempt?.isFailureTold = false
        attempt?.since = progress.lastAt
        menu?.isOverdue = false
        menu?.since = progress.lastAt
        forgetFailedActions()
        for index in progress.actions.indices where progress.actions[index].verdict == .refused {
            progress.actions[index].verdict = nil
        }
    }

    mutating func fold(_ abort: AbortRequested) {
        guard progress.outcome == nil else { return }
        isAbortAccepted = false
        progress.requestAbort(abort)
    }

    /// A challenge that could not be loaded or was closed, or an app that could not be opened, is asked for again.
    private mutating func forgetFailedActions() {
        for index in progress.actions.indices where progress.actions[index].hasFailed {
            switch progress.actions[index].kind {
            case .show3DS, .launchApp: progress.actions[index].key = nil
            case .load3DSMethod, .authorizeWallet, .showMenu, .checkIn: break
            }
        }
    }
}
