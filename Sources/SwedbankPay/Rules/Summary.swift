public import EventLog
public import Workflow

extension SessionDecider {
    /// The name of a session's phase.
    public func phase(of state: SessionState) -> Phase { phase(of: state, next: next(in: state)) }

    private func phase(of state: SessionState, next: Step) -> Phase {
        if state.outcome != nil { return .ended }
        if state.actions.contains(where: \.isOpen) { return .awaitingClient }
        switch state {
        case .unopened: return .opening
        case .payment(let payment): return self.payment.phase(of: payment, next)
        case .checkout(let checkout): return self.checkout.phase(of: checkout, next)
        }
    }

    /// The session's row in the projection.
    public func summary(of state: SessionState) -> SessionSummary {
        summary(of: state, next: next(in: state))
    }

    /// The session's row in the projection, derived from the state and its next step.
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
            label: state.lastInstrument?.rawValue,
            problem: state.problem.map { $0.problem.kind?.rawValue ?? $0.problem.type ?? "" },
            dueAt: dueAt(state, next: next),
            facts: facts(of: state, next: next)
        )
    }

    /// When the engine has something to do next; `nil` when only the client can proceed.
    public func dueAt(_ state: SessionState) -> Instant? { dueAt(state, next: next(in: state)) }

    private func dueAt(_ state: SessionState, next: Step) -> Instant? {
        if state.running != nil { return state.lastAt }
        // The times of the pending effects, without the effects, which are large.
        var times = timers(in: state).map(\.until)
        if case .request(let request) = next { times.append(request.notBefore ?? state.lastAt) }
        return times.min().map { max($0, state.lastAt) }
    }
}
