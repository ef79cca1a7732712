internal import Workflow

extension SessionState {
    mutating func request(_ requested: TaskRequested, as kind: ClientAction.Kind) {
        actions.append(
            ClientAction(
                id: requested.action,
                kind: kind,
                key: requested.key,
                attempt: requested.attempt,
                requestedAt: lastAt
            )
        )
    }

    mutating func show(_ action: ActionID) {
        guard let index = actions.lastIndex(where: { $0.id == action }), actions[index].isOpen
        else { return }
        actions[index].status = .shown
    }

    mutating func apply(_ completed: ThreeDSMethodCompleted) {
        let outcome: ReportOutcome =
            switch completed.indicator {
            case .completed: .done
            case .failed: .failed(error: nil)
            case .unknown: .timedOut
            }
        completed.action.answers(outcome, in: &self)
    }

    mutating func apply(_ problem: Problem) {
        self.problem = StandingProblem(problem: problem, sequence: sequence)
        switch problem.origin {
        case .session:
            acknowledging = problem.reference == nil ? nil : snapshot?.problem
            reportedProblems.append(
                ProblemMark(
                    reference: problem.reference,
                    type: problem.type ?? "",
                    status: problem.status,
                    detail: problem.detail,
                    attempt: begunAttempt
                )
            )
            // What failed before this attempt asked anything of the PSP was another one.
            if attempt?.hasReachedProvider ?? menu?.hasReachedProvider(page) ?? true {
                endAttempt()
            }
        case .engine, .client:
            switch problem.kind {
            case .requestFailed, .inconsistency: stall(after: problem)
            case .orderMismatch: checkout?.isMismatchTold = true
            case .abortNotAllowed: abortRequestedBy = nil
            case .methodNotAvailable:
                guard checkout == nil else {
                    // The order stays as it is, and so does the page that shows it.
                    checkout?.wantedInstrument = nil
                    return
                }
                preferencesUsed = true
                endAttempt()
            case .walletFailed, .menuFailed: endAttempt()
            case .deadlineExceeded:
                // One more look, in case the payment moved at the last moment or while the PSP was out of reach.
                attempt?.isOverdue = true
                menu?.isOverdue = true
                wakeFromStall()
                readAgain(.overdue)
            case .endReached, .threeDSLoadFailed, .challengeClosed, .configurationFailed,
                .appLaunchFailed, .checkInFailed, .notConfirmed, nil:
                break
            }
        }
    }

    /// The engine has given up on a request and waits for a command, unless the session goes on without it.
    private mutating func stall(after problem: Problem) {
        switch problem.rel {
        case .abortPayment? where !problem.isRetryable:
            // Refused: the payment goes on as if nobody had asked.
            abortRequestedBy = nil
            return
        case .startPaymentAttempt?, .expandMethod?, .customizePayment?:
            // Refused: the attempt is over, and the methods are still there to choose from.
            if attempt == nil, menu == nil, !offers.isEmpty, !problem.isRetryable { return }
        case .createAuthentication?, .completeAuthentication?, .attemptPayload?:
            if refusesAttempt(problem) {
                attempt?.isRefused = true
                return
            }
        case .failPaymentAttempt? where attempt?.isRefused == true: return
        default: break
        }
        isStalled = true
        requests.relyOnWhatIsKnown()
    }

    /// Whether the PSP refused a request of the running attempt for good: then the session, read again, tells what becomes
    /// of the attempt.
    private func refusesAttempt(_ problem: Problem) -> Bool {
        guard attempt != nil, let status = problem.status else { return false }
        return (400...499).contains(status) && !ProblemAdvice.waitingStatuses.contains(status)
    }

    mutating func apply(_ done: ProblemAcknowledged) {
        acknowledging = nil
        acknowledged.append(done.reference)
        // Tries that may have arrived were followed by reading the session: that needn't be done again.
        let wasRead = requests.failures.map { !$0.last.mayBeRepeatedAsItIs } ?? false
        requests.forgetFailures()
        if done.accepted || !wasRead { readAgain(.acknowledged) }
    }

    /// A failed attempt that holds up the session, because the PSP was told of it in vain, is acknowledged once more.
    mutating func acknowledgeAgain() {
        guard problem?.problem.kind == .requestFailed,
            problem?.problem.rel == .acknowledgeFailedAttempt,
            let held = snapshot?.problem, let reference = held.acknowledgement?.href
        else { return }
        acknowledged.removeAll { $0 == reference }
        acknowledging = held
    }
}

extension ActionID {
    /// Notes an answer; an action that is not open any more keeps what it has.
    func answers(_ outcome: ReportOutcome, in state: inout SessionState) {
        guard let index = state.actions.lastIndex(where: { $0.id == self }),
            state.actions[index].isOpen
        else { return }
        state.actions[index].status = .answered(outcome)
        // A time limit is no sign of life.
        guard outcome != .timedOut else { return }
        state.waitAnew()
        state.applyAnswer()
    }
}
