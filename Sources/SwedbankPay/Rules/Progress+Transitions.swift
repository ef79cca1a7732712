internal import EventLog
public import Workflow

/// What facts do to what either kind of session keeps.
extension Progress {
    /// The next event was recorded.
    mutating func advance(to instant: Instant) {
        sequence += 1
        lastAt = max(lastAt, instant)
    }

    /// The session is over; true when it was not before.
    mutating func end(_ ending: Ending) -> Bool {
        guard self.ending == nil else { return false }
        self.ending = ending
        switch ending.outcome {
        case .completed, .canceled: problem = nil
        case .failed, .expired: break
        }
        withdrawOpenActions()
        requests.ended()
        abort = nil
        isStalled = false
        return true
    }

    /// The session is read at once, unless it is over.
    mutating func readAgain(_ occasion: ReadingOccasion) {
        guard outcome == nil else { return }
        requests.read(because: .asked(occasion))
    }

    /// After the engine gave up on a request, a new command begins with reading the session.
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

    /// The engine has given up on a request and waits for a command.
    mutating func stall() {
        isStalled = true
        requests.relyOnWhatIsKnown()
    }

    /// What failed is done again, beginning with reading.
    mutating func retry() {
        problem = nil
        requests.forgetTries()
        requests.forgetReadFailures()
        requests.pollAnew(at: lastAt)
        if requests.inFlight == nil { requests.read(only: .asked(.retry)) }
        isStalled = false
    }

    /// Somebody wants to know how the payment stands now; true when more is begun for it than a last reading.
    ///
    /// Where it is about to end that wakes nothing: what the engine had given up on is not begun again for it.
    mutating func refetch(_ asked: RefetchRequested) -> Bool {
        if asked.by == SessionDecider.lastLook { isReadAtEnd = true }
        guard outcome == nil else { return true }
        guard !isStalled || !asked.isBeforeEnd else {
            requests.read(only: .asked(.closing))
            requests.forgetReadFailures()
            return false
        }
        wakeFromStall()
        readAgain(.refetched)
        return true
    }

    /// Somebody wants to give up the session.
    mutating func requestAbort(_ abort: AbortRequested) {
        guard outcome == nil else { return }
        self.abort = PendingAbort(by: abort.by)
        requests.forgetTries(of: .abortPayment)
        problem = nil
        wakeFromStall()
    }

    // MARK: Requests

    /// What became of a request that changes something; false when nobody waits for it.
    mutating func succeeded(_ succeeded: OperationSucceeded) -> Bool {
        if succeeded.rel.onlyReads {
            if succeeded.content != .snapshot { requests.readingUnusable(at: lastAt) }
            return false
        }
        guard requests.succeeded(succeeded.effect, at: lastAt) else { return false }
        switch succeeded.content {
        case .snapshot: break
        case .empty: if outcome == nil { requests.read(because: .emptyAnswer) }
        case .undecodable:
            requests.countUnusableAnswer()
            if outcome == nil { requests.read(because: .unusableAnswer) }
        }
        return true
    }

    /// The same for one that failed.
    mutating func failed(_ failed: OperationFailed, isWanted: Bool) -> Bool {
        guard !failed.rel.onlyReads else {
            requests.readingFailed(failed, at: lastAt)
            return false
        }
        return requests.failed(failed, at: lastAt, isWanted: isWanted)
    }

    // MARK: Client actions

    /// The client is asked to do something.
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

    /// The client is asked to do a task of the PSP's.
    mutating func request(_ requested: TaskRequested, as kind: ClientAction.Kind) {
        request(requested.action, as: kind, key: requested.key, attempt: requested.attempt)
    }

    /// An action is on the screen.
    mutating func show(_ action: ActionID) {
        guard let index = openIndex(of: action) else { return }
        actions[index].status = .shown
    }

    /// An action is answered, if it is open; true when that is a sign of life, which a time limit is not.
    mutating func answer(_ action: ActionID, _ outcome: ReportOutcome) -> Bool {
        guard let index = openIndex(of: action) else { return false }
        actions[index].status = .answered(outcome)
        return outcome != .timedOut
    }

    /// The client answered: what it brings is worth another try of what the engine has given up on.
    mutating func wakeForAnswer() {
        guard outcome == nil, isStalled, problem?.problem.isRetryable == true else { return }
        wakeFromStall()
    }

    /// Whatever the client was asked to do is not wanted any more.
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

    /// Whether the process that sent it was gone.
    public var isInterruption: Bool { code == Self.interruptedCode }

    /// Whether it certainly had no effect, or the PSP only wants it later.
    public var mayBeRepeatedAsItIs: Bool {
        retryAt != nil && (reach == .notSent || status == 429)
    }
}
