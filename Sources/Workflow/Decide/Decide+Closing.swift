extension SessionDecider {
    /// What is recorded of a person who ends a session that can never settle.
    public static let closing = "close"

    /// Ends a session by a person's decision, and says so: nobody asks the PSP.
    ///
    /// Only what is stuck may be ended like this, and never without a reason. The end claims nothing about the money that the
    /// PSP did not just say: unless the session was read right before, and nothing was under way, it is unknown
    /// (``Failed/money``).
    func close(
        _ acted: OperatorActed,
        in state: SessionState,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard acted.action == Self.closing, acted.reason?.isEmpty == false else {
            throw .reasonMissing
        }
        guard state.running == nil, isStuck(state) else { throw .stillGoing }
        let money: Money.Standing =
            state.money.standing == .intended && state.book.isAnswered(at: now) ? .none : .unknown
        return [.operatorActed(acted), .failed(Failed(reason: .endReached, money: money))]
    }

    /// Whether nothing goes on by itself any more: the engine gave up on something, or the payer is overdue.
    ///
    /// A payment that the payer can still choose how to pay is given up at the PSP instead, or it could be paid after all.
    private func isStuck(_ state: SessionState) -> Bool {
        if state.isStalled { return true }
        if state.attempt?.isOverdue ?? state.menu?.isOverdue == true { return true }
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
    func isClosing(followedBy following: SessionEvent?) -> Bool {
        guard action == SessionDecider.closing, reason != nil,
            case .failed(let failed)? = following
        else { return false }
        return failed.reason == .endReached
    }
}

extension SessionEvent {
    /// Whether an earlier build would have written this where these rules want another event: it left out what was known
    /// of the money when a person ended the session.
    func isEarlierForm(of decided: SessionEvent) -> Bool {
        guard case .failed(let recorded) = self, case .failed(var decided) = decided,
            recorded.money == nil
        else { return false }
        decided.money = nil
        return recorded == decided
    }
}
