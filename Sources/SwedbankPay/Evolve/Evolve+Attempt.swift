internal import Workflow

extension SessionState {
    mutating func apply(_ started: AttemptStarted) {
        attemptCount = max(attemptCount, started.number)
        preferencesUsed = true
        let leavesPage = page != nil
        endAttempt()
        attempt = Attempt(number: started.number, choice: started.choice, since: lastAt)
        lastChoice = started.choice
        problem = nil
        requests.forgetTries()
        requests.pollAnew(at: lastAt)
        wakeFromStall()
        // The payer may have paid on the page that they leave.
        if leavesPage { readAgain(.retry) }
    }

    /// The payer came back: what they did shows in the session, so that is read.
    mutating func applyReturn() {
        for index in actions.indices where actions[index].isOpen {
            if case .launchApp = actions[index].kind {
                actions[index].status = .answered(.launched)
            }
        }
        wakeFromStall()
        waitAnew()
        readAgain(.returned)
        requests.pollAnew(at: lastAt)
    }

    mutating func applyRetry() {
        acknowledgeAgain()
        problem = nil
        requests.forgetTries()
        requests.forgetReadFailures()
        requests.pollAnew(at: lastAt)
        if requests.inFlight == nil { requests.read(only: .asked(.retry)) }
        attempt?.isOverdue = false
        attempt?.isRefused = false
        attempt?.isFailureTold = false
        attempt?.since = lastAt
        menu?.isOverdue = false
        menu?.since = lastAt
        forgetFailedActions()
        checkout?.askAgain()
        if checkout != nil { noteWishToRead() }
        for index in actions.indices where actions[index].verdict == .refused {
            actions[index].verdict = nil
        }
        isStalled = false
    }

    /// The PSP told the merchant that something happened; the session is read to learn what.
    mutating func applyCallback() {
        guard outcome == nil else { return }
        wakeFromStall()
        readAgain(.returned)
    }

    /// Somebody wants to know how the payment stands now.
    ///
    /// Where it is about to end that wakes nothing: what the engine had given up on is not begun again for it.
    mutating func apply(_ asked: RefetchRequested) {
        if asked.by == SessionDecider.lastLook { isReadAtEnd = true }
        if outcome == nil, isStalled, asked.isBeforeEnd {
            requests.read(only: .asked(.closing))
            requests.forgetReadFailures()
            return
        }
        if outcome == nil {
            wakeFromStall()
            readAgain(.refetched)
        }
        noteWishToRead()
    }

    /// The client answered: what it brings is worth another try of what the engine has given up on.
    mutating func applyAnswer() {
        guard outcome == nil, isStalled, problem?.problem.isRetryable == true else { return }
        wakeFromStall()
    }

    /// After a sign of life an attempt that took too long has its time again.
    mutating func waitAnew() {
        guard attempt?.isOverdue ?? menu?.isOverdue == true else { return }
        attempt?.isOverdue = false
        attempt?.since = lastAt
        menu?.isOverdue = false
        menu?.since = lastAt
        if problem?.problem.kind == .deadlineExceeded { problem = nil }
    }

    mutating func apply(_ abort: AbortRequested) {
        guard outcome == nil else { return }
        abortRequestedBy = abort.by
        isAbortAccepted = false
        requests.forgetTries(of: .abortPayment)
        problem = nil
        wakeFromStall()
    }

    /// After the engine gave up on a request, a new wish begins with reading the session.
    mutating func wakeFromStall() {
        guard isStalled else { return }
        isStalled = false
        requests.forgetTries()
        requests.forgetReadFailures()
        switch problem?.problem.kind {
        case .requestFailed, .inconsistency, .notConfirmed: problem = nil
        default: break
        }
        readAgain(.retry)
    }

    /// The session is read at once, unless it is over.
    mutating func readAgain(_ occasion: ReadingOccasion) {
        guard outcome == nil else { return }
        requests.read(because: .asked(occasion))
    }

    /// A challenge that could not be loaded or was closed, or an app that could not be opened, is asked for again.
    private mutating func forgetFailedActions() {
        for index in actions.indices where actions[index].hasFailed {
            switch actions[index].kind {
            case .show3DS, .launchApp: actions[index].key = nil
            case .load3DSMethod, .authorizeWallet, .showMenu, .checkIn: break
            }
        }
    }
}
