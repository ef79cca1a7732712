internal import EventLog
internal import Workflow

extension SessionDecider {
    /// The operator action of ending a session that can never settle.
    public static let closing = "close"
    /// The requester of what is resumed automatically after an outage of the PSP.
    public static let recovery = "recovery"
}

extension KindRules {
    /// Ends a session by an operator's decision, without consulting the PSP.
    ///
    /// Only a stuck session may be ended like this, and never without a reason. The end makes no
    /// claim about the money that the PSP has not just confirmed: unless the session was read
    /// immediately before and no attempt was in progress, the state of the money is unknown
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
        let money: MoneyState.Standing =
            state.money.standing == .intended && wasRead ? .none : .unknown
        return [.operatorActed(acted), .failed(Failed(reason: .endReached, money: money))]
    }

    /// Throws unless an operator may end the session now: only one that does not continue by itself
    /// any more.
    ///
    /// This is also checked before the session is read for its closing, so that a failing read is
    /// not what makes it stuck.
    func mayClose(_ state: State) throws(Rejection) {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard state.running == nil, isStuck(state) else { throw .stillGoing }
    }

    /// Whether the session does not continue by itself any more: the engine gave up on a request,
    /// or the payer is overdue.
    ///
    /// A payment for which the payer can still choose a method is aborted at the PSP instead;
    /// otherwise it could still be paid.
    private func isStuck(_ state: State) -> Bool {
        if state.isStalled { return true }
        if state.isOverdue { return true }
        guard let problem = state.problem?.problem else { return false }
        return problem.origin != .session && problem.isRetryable
    }
}

extension RefetchRequested {
    /// Whether the session is read because it is about to be ended, by its time limit or by an
    /// operator.
    var isBeforeEnd: Bool { by == SessionDecider.lastLook || by == SessionDecider.closing }
}

extension OperatorActed {
    /// Whether the action ended the session, as the following event shows.
    package func isClosing(followedBy following: SessionEvent?) -> Bool {
        guard action == SessionDecider.closing, reason != nil,
            case .failed(let failed)? = following
        else { return false }
        return failed.reason == .endReached
    }
}
