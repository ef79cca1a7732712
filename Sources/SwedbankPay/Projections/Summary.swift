public import EventLog
public import Workflow

extension SessionDecider {
    /// Where a session stands, in one word.
    public func phase(of state: SessionState) -> Phase { phase(of: state, next: next(in: state)) }

    private func phase(of state: SessionState, next: Step) -> Phase {
        if state.outcome != nil { return .ended }
        if state.actions.contains(where: \.isOpen) { return .awaitingClient }
        if let checkout = state.checkout { return phase(of: state, checkout, next) }
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

    /// Where a checkout stands that waits for no client.
    private func phase(
        of state: SessionState,
        _ checkout: CheckoutState,
        _ next: Step
    ) -> Phase {
        guard checkout.order != nil else { return .opening }
        guard state.running == nil, !state.isStalled else { return .attempting }
        switch next {
        case .call, .record: return checkout.left == nil ? .attempting : .awaitingPSP
        case .rest: return .ready
        }
    }

    /// The session's row in the projection.
    public func summary(of state: SessionState) -> SessionSummary {
        summary(of: state, next: next(in: state))
    }

    /// The same, with the ladder's word for the state at hand: everything in the row follows from one look at it.
    public func summary(
        of state: SessionState,
        next: NextStep<SessionDecider>
    ) -> SessionSummary {
        SessionSummary(
            session: state.session,
            phase: phase(of: state, next: next).rawValue,
            outcome: state.outcome?.rawValue,
            isSettled: isSettled(state, next: next),
            lastSequence: state.sequence,
            openedAt: state.openedAt,
            lastAt: state.lastAt,
            reference: state.reference,
            label: state.lastChoice?.instrument.rawValue,
            problem: state.problem.map { $0.problem.kind?.rawValue ?? $0.problem.type ?? "" },
            dueAt: dueAt(state, next: next)
        )
    }

    /// When the engine has something to do next; nothing when only the client can go on.
    public func dueAt(_ state: SessionState) -> Instant? { dueAt(state, next: next(in: state)) }

    private func dueAt(_ state: SessionState, next: Step) -> Instant? {
        if state.running != nil { return state.lastAt }
        return effects(of: state, next: next).map { max($0.time, state.lastAt) }.min()
    }
}
