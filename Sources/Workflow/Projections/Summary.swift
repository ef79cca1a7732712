extension SessionDecider {
    /// Where a session stands, in one word.
    public func phase(of state: SessionState) -> Phase {
        if state.outcome != nil { return .ended }
        if state.actions.contains(where: \.isOpen) { return .awaitingClient }
        if state.attempt != nil || state.menu != nil {
            if state.isStalled { return .attempting }
            if state.running == nil, case .call(let call) = step(in: state), call.isPoll {
                return .awaitingPSP
            }
            return .attempting
        }
        if state.offers.isEmpty {
            if case .call(let call) = step(in: state), call.isPoll { return .awaitingPSP }
            return .opening
        }
        return .ready
    }

    /// The session's row in the projection.
    public func summary(of state: SessionState) -> SessionSummary {
        SessionSummary(
            session: state.session,
            phase: phase(of: state),
            outcome: state.outcome,
            isSettled: isSettled(state),
            lastSequence: state.sequence,
            openedAt: state.openedAt,
            lastAt: state.lastAt,
            reference: state.opening?.reference,
            instrument: state.lastChoice?.instrument,
            problem: state.problem.map { $0.problem.kind?.rawValue ?? $0.problem.type ?? "" },
            dueAt: dueAt(state)
        )
    }

    /// When the engine has something to do next; nothing when only the client can go on.
    public func dueAt(_ state: SessionState) -> Instant? {
        if state.running != nil { return state.lastAt }
        return effects(owedBy: state).map { max($0.time, state.lastAt) }.min()
    }
}
