internal import Workflow

/// Attempts: their start, retries and end.
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
        progress.requests.restartPolling(at: progress.lastAt)
        progress.wakeFromStall()
        // The payer may have paid on the page that is being left.
        if leavesPage { progress.readAgain(.retry) }
    }

    /// Restarts the time limit of an overdue attempt after a sign of life.
    mutating func waitAnew() {
        guard isOverdue else { return }
        waitFromNow()
        if progress.problem?.problem.kind == .deadlineExceeded { progress.problem = nil }
    }

    private mutating func waitFromNow() {
        let now = progress.lastAt
        attempt?.isOverdue = false
        attempt?.since = now
        menu?.isOverdue = false
        menu?.since = now
    }

    mutating func foldRetry() {
        acknowledgeAgain()
        progress.retry()
        waitFromNow()
        attempt?.isRefused = false
        attempt?.isFailureTold = false
        forgetFailedActions()
        for index in progress.actions.indices where progress.actions[index].verdict == .refused {
            progress.actions[index].verdict = nil
        }
    }

    /// Makes failed actions available again: a challenge that could not be loaded or was closed,
    /// and an app that could not be opened.
    private mutating func forgetFailedActions() {
        for index in progress.actions.indices where progress.actions[index].hasFailed {
            switch progress.actions[index].kind {
            case .show3DS, .launchApp: progress.actions[index].key = nil
            case .load3DSMethod, .authorizeWallet, .showMenu, .checkIn: break
            }
        }
    }
}
