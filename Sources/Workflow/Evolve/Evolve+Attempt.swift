extension SessionState {
    mutating func apply(_ started: AttemptStarted) {
        attemptCount = max(attemptCount, started.number)
        preferencesUsed = true
        withdrawOpenActions()
        attempt = Attempt(number: started.number, choice: started.choice, since: lastAt)
        lastChoice = started.choice
        problem = nil
        setback = nil
        startPollingAnew()
        wakeFromStall()
    }

    /// The payer came back: what they did shows in the session, so that is read.
    mutating func applyReturn() {
        for index in actions.indices where actions[index].isOpen {
            if case .launchApp = actions[index].kind {
                actions[index].status = .answered(.launched)
            }
        }
        attempt?.isOverdue = false
        need(.returned)
        startPollingAnew()
        isStalled = false
    }

    mutating func applyRetry() {
        problem = nil
        setback = nil
        reading.setback = nil
        reading.unusableAnswers = 0
        reading.unchangedReads = 0
        reading.notBefore = nil
        attempt?.isOverdue = false
        attempt?.since = lastAt
        if running == nil { reading.need = .retry }
        forgetFailedActions()
        startPollingAnew()
        isStalled = false
    }

    /// The PSP told the merchant that something happened; the session is read to learn what.
    mutating func applyCallback() {
        guard outcome == nil else { return }
        need(.returned)
    }

    mutating func apply(_ abort: AbortRequested) {
        guard outcome == nil else { return }
        abortRequestedBy = abort.by
        problem = nil
        wakeFromStall()
    }

    /// After the engine gave up on a request, a new wish begins with reading the session.
    private mutating func wakeFromStall() {
        guard isStalled else { return }
        isStalled = false
        setback = nil
        reading.setback = nil
        reading.unusableAnswers = 0
        need(.retry)
    }

    mutating func need(_ need: Reading.Need) {
        guard outcome == nil else { return }
        reading.need = reading.need ?? need
        reading.notBefore = nil
    }

    mutating func startPollingAnew() {
        reading.pollingSince = lastAt
        reading.unchangedReads = 0
    }

    /// A challenge that could not be loaded, or an app that could not be opened, is asked for again.
    private mutating func forgetFailedActions() {
        for index in actions.indices where actions[index].hasFailed {
            switch actions[index].kind {
            case .show3DS, .launchApp: actions[index].key = nil
            case .load3DSMethod, .authorizeWallet, .showMenu: break
            }
        }
    }
}
