internal import EventLog
internal import Workflow

extension SessionDecider {
    /// What is recorded of a person who ends a session that can never settle.
    public static let closing = "close"
}

extension KindRules {
    /// Ends a session by a person's decision, and says so: nobody asks the PSP.
    ///
    /// Only what is stuck may be ended like this, and never without a reason. The end claims nothing about the money that the
    /// PSP did not just say: unless the session was read right before, and nothing was under way, it is unknown
    /// (``Failed/money``).
    func close(
        _ acted: OperatorActed,
        in state: State,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        try mayClose(state)
        guard acted.action == SessionDecider.closing, acted.reason?.isEmpty == false else {
            throw .reasonMissing
        }
        let wasRead =
            state.requests.need == nil && state.requests.readFailures == nil
            && state.book.isAnswered(at: now)
        let money: Money.Standing =
            state.money.standing == .intended && wasRead ? .none : .unknown
        return [.operatorActed(acted), .failed(Failed(reason: .endReached, money: money))]
    }

    /// Whether a person may end the session now: only one in which nothing goes on by itself any more.
    ///
    /// Asked before the session is read for its closing, too: a reading that fails must not be what makes it stuck.
    func mayClose(_ state: State) throws(Rejection) {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard state.running == nil, isStuck(state) else { throw .stillGoing }
    }

    /// Whether nothing goes on by itself any more: the engine gave up on something, or the payer is overdue.
    ///
    /// A payment that the payer can still choose how to pay is given up at the PSP instead, or it could be paid after all.
    private func isStuck(_ state: State) -> Bool {
        if state.isStalled { return true }
        if state.isOverdue { return true }
        guard let problem = state.problem?.problem else { return false }
        return problem.origin != .session && problem.isRetryable
    }
}

extension RefetchRequested {
    /// Whether it is read because it is about to be ended, by its limit or by a person.
    var isBeforeEnd: Bool { by == SessionDecider.lastLook || by == SessionDecider.closing }
}

extension OperatorActed {
    /// Whether it ended the session, as the event after it says.
    package func isClosing(followedBy following: SessionEvent?) -> Bool {
        guard action == SessionDecider.closing, reason != nil,
            case .failed(let failed)? = following
        else { return false }
        return failed.reason == .endReached
    }
}

extension SessionEvent {
    /// Whether an earlier build would have written this where these rules want another event.
    ///
    /// It left out what was known of the money when a person ended the session, and took the PSP for who has to act where
    /// this installation's own configuration kept a request back. And it waited in vain for the word on an order that
    /// nobody can ask for.
    package func isEarlierForm(of decided: SessionEvent) -> Bool {
        switch (self, decided) {
        case (.failed(let recorded), .failed(var decided)):
            guard recorded.money == nil else { return false }
            decided.money = nil
            return recorded == decided
        case (.problem(let recorded), .problem(var decided)):
            guard decided.kind == .requestFailed, recorded.actor == .psp,
                decided.detail == .plain(OperationFailed.refusedAddress)
            else { return false }
            decided.actor = .psp
            return recorded == decided
        case (.problem(let recorded), .completed(let decided)):
            return recorded.kind == .notConfirmed && decided.evidence == .completeURLReached
        default: return false
        }
    }
}
