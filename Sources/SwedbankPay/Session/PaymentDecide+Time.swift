internal import EventLog
internal import Workflow

/// The timers, expiry and idle state of a payment session.
extension PaymentRules {
    func ownTimers(in state: PaymentState) -> [(timer: SessionTimer, until: Instant)] {
        guard !state.isOverdue else { return [] }
        switch state.course {
        case .attempting(let attempt):
            let limit = limits.attemptLimit(with: attempt.choice.instrument)
            return [(.attemptLimit(number: attempt.number), until: attempt.since + limit)]
        case .onPage(let menu) where menu.page != nil:
            return [(.menuLimit(chosenAt: menu.chosenAt), until: menu.since + limits.attempt)]
        case .onPage, .choosing, .straying: return []
        }
    }

    /// A payment that is being waited for has its own time limit; one whose outcome can't be
    /// determined is left to operators.
    func mayExpire(_ state: PaymentState) -> Bool {
        switch state.course {
        case .attempting(let attempt):
            state.isStalled ? attempt.beginning == .chosen : attempt.isOverdue
        case .onPage(let menu) where menu.page != nil: !state.isStalled && menu.isOverdue
        case .onPage, .choosing, .straying: true
        }
    }

    /// Whether the result of a poll is not awaited: the client has an action to perform, the engine
    /// had given up, or the poll is a late one.
    func isIdle(_ request: OperationRequest, in state: PaymentState) -> Bool {
        if state.isStalled || state.actions.contains(where: \.isOpen) { return true }
        return request.notBefore.map { $0 - state.lastAt > limits.longestPollInterval } ?? false
    }

    func phase(of state: PaymentState, _ next: Step) -> Phase {
        let polls = if case .request(let request) = next { request.isPoll } else { false }
        switch state.course {
        case .attempting, .onPage:
            return polls && !state.isStalled && state.running == nil ? .awaitingPSP : .attempting
        case .choosing, .straying:
            guard state.offers.isEmpty else { return .ready }
            return polls ? .awaitingPSP : .opening
        }
    }
}

extension PaymentState {
    var attemptNumber: Int? { attempt?.number }
    var payingInstrument: Instrument? { attempt?.choice.instrument }

    var isOverdue: Bool {
        switch course {
        case .attempting(let attempt): attempt.isOverdue
        case .onPage(let menu): menu.isOverdue
        case .choosing, .straying: false
        }
    }

    var isWatched: Bool {
        switch course {
        case .attempting, .onPage: true
        case .choosing, .straying: false
        }
    }
}
