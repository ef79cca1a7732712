internal import EventLog
public import Workflow

/// How facts change the state that both kinds of session have.
extension Progress {
    /// Counts the next event.
    mutating func advance(to instant: Instant) {
        sequence += 1
        lastAt = max(lastAt, instant)
    }

    /// Ends the session; returns whether it had not ended before.
    mutating func end(_ ending: Ending) -> Bool {
        guard outcome == nil else { return false }
        lifecycle = .ended(ending)
        switch ending.outcome {
        case .completed, .canceled: problem = nil
        case .failed, .expired: break
        }
        withdrawOpenActions()
        requests.ended()
        return true
    }

    /// Records that the session must be read at once, unless it has ended.
    mutating func readAgain(_ occasion: ReadPurpose) {
        guard outcome == nil else { return }
        requests.read(because: .asked(occasion))
    }

    /// Restarts the session after the engine gave up on a request: a new command begins with
    /// reading the session.
    mutating func wakeFromStall() {
        isOnlyRead = false
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

    /// Records that the engine has given up on a request and waits for a command.
    mutating func stall() {
        isStalled = true
        isOnlyRead = false
        requests.clearNeed()
    }

    /// Records that a read succeeded although the engine had given up reading: it goes on reading,
    /// and a request that changes something waits until somebody asks for it.
    mutating func goOnReading() {
        guard isStalled, problem?.problem.isOfReading == true else { return }
        isStalled = false
        isOnlyRead = true
        problem = nil
    }

    /// Retries what failed, beginning with a read.
    mutating func retry() {
        problem = nil
        requests.forgetTries()
        requests.forgetReadFailures()
        requests.restartPolling(at: lastAt)
        if requests.inFlight == nil { requests.read(only: .asked(.retry)) }
        isStalled = false
        isOnlyRead = false
    }

    /// Handles a request for the current status of the payment; returns whether it starts more than
    /// a last read.
    ///
    /// When the session is about to end, this restarts no request: what the engine had given up on
    /// is not begun again.
    mutating func refetch(_ asked: RefetchRequested) -> Bool {
        guard outcome == nil else { return true }
        if asked.by == SessionDecider.lastLook { isReadAtEnd = true }
        if asked.by == SessionDecider.recovery {
            // Only what was given up is read again, and at once.
            requests.forgetReadFailures()
            return false
        }
        guard !isStalled || !asked.isBeforeEnd else {
            requests.read(only: .asked(.closing))
            requests.forgetReadFailures()
            return false
        }
        wakeFromStall()
        readAgain(.refetched)
        return true
    }

    /// Records that the session, which has ended, must be read again.
    mutating func readAfterEnd() {
        guard outcome != nil else { return }
        isStalled = false
        requests.forgetReadFailures()
        requests.read(because: .asked(.refetched))
    }

    /// Records a request to abort the session.
    mutating func requestAbort(_ abort: AbortRequested) {
        guard outcome == nil else { return }
        self.abort = PendingAbort(by: abort.by)
        requests.forgetTries(of: .abortPayment)
        problem = nil
        wakeFromStall()
    }

    // MARK: Requests

    /// Records the success of a request that changes something; returns false when its outcome is
    /// not expected.
    mutating func succeeded(_ succeeded: OperationSucceeded) -> Bool {
        if succeeded.rel.onlyReads {
            if succeeded.content != .snapshot { requests.readingUnusable(at: lastAt) }
            return false
        }
        guard requests.succeeded(succeeded.effect, at: lastAt) else { return false }
        switch succeeded.content {
        case .snapshot: break
        case .empty: if outcome == nil { requests.read(because: .emptyResponse) }
        case .undecodable:
            requests.countUnusableResponse()
            if outcome == nil { requests.read(because: .unusableResponse) }
        }
        return true
    }

    /// Records the failure of a request; returns false when it is a read or its outcome is not
    /// expected.
    mutating func failed(_ failed: OperationFailed, isWanted: Bool) -> Bool {
        guard !failed.rel.onlyReads else {
            requests.readingFailed(failed, at: lastAt)
            return false
        }
        return requests.failed(failed, at: lastAt, isWanted: isWanted)
    }

    // MARK: Client actions

    /// Records a request to the client.
    mutating func request(
        _ action: ActionID,
        as kind: ClientAction.Kind,
        key: TaskKey? = nil,
        attempt: Int? = nil
    ) {
        actions.append(
            ClientAction(id: action, kind: kind, key: key, attempt: attempt, requestedAt: lastAt)
        )
    }

    /// Records a request to the client to perform a task of the PSP.
    mutating func request(_ requested: TaskRequested, as kind: ClientAction.Kind) {
        request(requested.action, as: kind, key: requested.key, attempt: requested.attempt)
    }

    /// Records that an action is shown.
    mutating func show(_ action: ActionID) {
        guard let index = openIndex(of: action) else { return }
        actions[index].status = .shown
    }

    /// Records the report on an open action; returns whether it is a sign of life, which a time
    /// limit is not.
    mutating func respond(_ action: ActionID, _ outcome: ReportOutcome) -> Bool {
        guard let index = openIndex(of: action) else { return false }
        actions[index].status = .reported(outcome)
        return outcome != .timedOut
    }

    /// Restarts the session after a client's report, which justifies another try of what the engine
    /// has given up on.
    mutating func wakeForResponse() {
        isOnlyRead = false
        guard outcome == nil, isStalled, problem?.problem.isRetryable == true else { return }
        wakeFromStall()
    }

    /// Withdraws all open client actions, because they are no longer needed.
    mutating func withdrawOpenActions() {
        for index in actions.indices where actions[index].isOpen {
            actions[index].status = .withdrawn
        }
    }

    private func openIndex(of action: ActionID) -> Int? {
        actions.lastIndex { $0.id == action }.flatMap { actions[$0].isOpen ? $0 : nil }
    }
}

extension OperationStarted: RequestStart {
    /// The relation.
    public var kind: Rel { rel }
}

extension OperationFailed: RequestFailure {
    /// The relation.
    public var kind: Rel { rel }

    /// Whether the process that sent it had ended.
    public var isInterruption: Bool { code == Self.interruptedCode }

    /// Whether it certainly had no effect, or the PSP only requires a delay.
    public var isSafeToResend: Bool {
        retryAt != nil && (reach == .notSent || status == 429)
    }
}
