internal import EventLog
internal import Workflow

/// What a payment session waits for, and where it stands.
extension PaymentRules {
    func ownTimers(in state: PaymentState) -> [(timer: SessionTimer, until: Instant)] {
        var timers: [(timer: SessionTimer, until: Instant)] = []
        if let attempt = state.attempt, !attempt.isOverdue {
            let limit = attempt.choice.instrument == .swish ? limits.swishAttempt : limits.attempt
            timers.append((.attemptLimit(number: attempt.number), until: attempt.since + limit))
        }
        if let menu = state.menu, !menu.isOverdue, state.page != nil {
            let until = menu.since + limits.attempt
            timers.append((.menuLimit(chosenAt: menu.chosenAt), until: until))
        }
        return timers
    }

    /// A payment that is waited for has its own limit; one that nobody can tell the outcome of is left to people.
    func mayExpire(_ state: PaymentState) -> Bool {
        let mayHaveBegun: Bool
        if let attempt = state.attempt {
            mayHaveBegun = attempt.isStarted || attempt.mayHaveStarted
        } else if state.menu != nil, state.page != nil {
            mayHaveBegun = true
        } else {
            return true
        }
        return state.isStalled ? !mayHaveBegun : state.isOverdue
    }

    /// Whether nobody waits for what a look shows: the client has something to do, or it is only looked at late.
    func isIdle(_ call: OperationCall, in state: PaymentState) -> Bool {
        if state.actions.contains(where: \.isOpen) { return true }
        return call.notBefore.map { $0 - state.lastAt > limits.longestPollInterval } ?? false
    }

    func phase(of state: PaymentState, _ next: Step) -> Phase {
        if state.attempt != nil || state.menu != nil {
            if state.isStalled { return .attempting }
            if state.running == nil, case .call(let call) = next, call.isPoll {
                return .awaitingPSP
            }
            return .attempting
        }
        if state.offers.isEmpty {
            if case .call(let call) = next, call.isPoll { return .awaitingPSP }
            return .opening
        }
        return .ready
    }
}

extension PaymentState {
    var attemptNumber: Int? { attempt?.number }
    var payingInstrument: Instrument? { attempt?.choice.instrument }
    var isOverdue: Bool { attempt?.isOverdue ?? menu?.isOverdue ?? false }
    var isWatched: Bool { attempt != nil || menu != nil }
}
