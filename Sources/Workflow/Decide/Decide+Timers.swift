extension SessionDecider {
    /// The points in time that a state waits for.
    func timers(in state: SessionState) -> [Effect] {
        guard state.outcome == nil, state.opening != nil else { return [] }
        var timers: [Effect] = []
        for action in state.actions where action.isOpen {
            guard case .load3DSMethod = action.kind else { continue }
            timers.append(
                .wait(.methodLimit(action.id), until: action.requestedAt + limits.threeDSMethod)
            )
        }
        if let attempt = state.attempt, !attempt.isOverdue {
            let limit = attempt.choice.instrument == .swish ? limits.swishAttempt : limits.attempt
            timers.append(
                .wait(.attemptLimit(number: attempt.number), until: attempt.since + limit)
            )
        }
        if let menu = state.menu, !menu.isOverdue, state.page != nil {
            timers.append(
                .wait(.menuLimit(chosenAt: menu.chosenAt), until: menu.since + limits.attempt)
            )
        }
        // An attempt that is waited for has its own limit; one that nobody can tell the outcome of is left to people.
        if let attempt = state.attempt {
            let isUnresolved = state.isStalled && (attempt.isStarted || attempt.mayHaveStarted)
            if (attempt.isOverdue || state.isStalled) && !isUnresolved {
                timers.append(.wait(.sessionLimit, until: state.openedAt + limits.session))
            }
        } else {
            timers.append(.wait(.sessionLimit, until: state.openedAt + limits.session))
        }
        return timers
    }

    /// What a point in time brings, if the state waits for it and it has come.
    func facts(
        of timer: SessionTimer,
        in state: SessionState,
        at now: Instant
    ) -> [SessionEvent] {
        let isDue = timers(in: state).contains { effect in
            guard case .wait(timer, let until) = effect else { return false }
            return until <= now
        }
        guard isDue else { return [] }
        switch timer {
        case .methodLimit(let action):
            return [
                .threeDSMethodCompleted(
                    ThreeDSMethodCompleted(action: action, indicator: .unknown, timedOut: true)
                )
            ]
        case .attemptLimit, .menuLimit:
            return [
                .problem(
                    Problem(
                        origin: .engine,
                        kind: .deadlineExceeded,
                        title: .plain("The payer did not finish in time"),
                        isRetryable: true,
                        actor: .payer
                    )
                )
            ]
        case .sessionLimit:
            // A request without an answer may have paid: what is owed tells more, and goes first.
            guard state.running == nil else { return [] }
            if case .call(let call) = step(in: state), !call.isPoll { return [] }
            return [.expired(Expired(reason: .lifetime))]
        }
    }
}
