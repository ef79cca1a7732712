extension SessionState {
    mutating func request(_ requested: TaskRequested, as kind: ClientAction.Kind) {
        actions.append(
            ClientAction(
                id: requested.action, kind: kind, key: requested.key, attempt: requested.attempt,
                requestedAt: lastAt))
    }

    mutating func apply(_ requested: MenuRequested) {
        actions.append(
            ClientAction(
                id: requested.action,
                kind: .showMenu(script: requested.script, mode: requested.mode), key: nil,
                attempt: attempt?.number, requestedAt: lastAt))
        problem = nil
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

    mutating func apply(_ closed: MenuClosed) {
        let outcome: ReportOutcome =
            switch closed.outcome {
            case .completed: .completed
            case .canceled: .canceled
            case .failed: .failed(error: closed.error)
            }
        closed.action.answers(outcome, in: &self)
        need(.returned)
    }

    mutating func apply(_ problem: Problem) {
        self.problem = StandingProblem(problem: problem, sequence: sequence)
        switch problem.origin {
        case .session:
            acknowledging = problem.reference == nil ? nil : snapshot?.problem
            reportedProblems.append(
                ProblemMark(
                    reference: problem.reference, type: problem.type ?? "",
                    status: problem.status, detail: problem.detail, attempt: attemptCount))
            endAttempt()
        case .engine, .client:
            switch problem.kind {
            case .requestFailed, .inconsistency:
                isStalled = attempt != nil || offers.isEmpty || problem.isRetryable
                if isStalled { reading.need = nil }
            case .abortNotAllowed: abortRequestedBy = nil
            case .methodNotAvailable:
                preferencesUsed = true
                endAttempt()
            case .deadlineExceeded: attempt?.isOverdue = true
            case .endReached, .threeDSLoadFailed, .configurationFailed, .appLaunchFailed, nil:
                break
            }
        }
    }

    mutating func apply(_ done: ProblemAcknowledged) {
        acknowledging = nil
        acknowledged.append(done.reference)
        setback = nil
        need(.acknowledged)
    }
}

extension ActionID {
    /// Notes an answer; an action that is not open any more keeps what it has.
    func answers(_ outcome: ReportOutcome, in state: inout SessionState) {
        guard let index = state.actions.lastIndex(where: { $0.id == self }),
            state.actions[index].isOpen
        else { return }
        state.actions[index].status = .answered(outcome)
    }
}
