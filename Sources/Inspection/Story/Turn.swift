public import SwedbankPay
internal import Workflow

/// Whose move it is.
extension SessionDecider {
    /// Who has to do something for the payment to go on.
    public func turn(in state: SessionState) -> Story.Turn {
        let next = next(in: state)
        if state.outcome != nil { return turnAfterEnd(of: state, next) }
        if let action = state.actions.last(where: \.isOpen) {
            return .payer(Story.ClientStep(action.kind))
        }
        if let problem = state.problem?.problem, problem.origin != .session {
            if state.isStalled || problem.isRetryable {
                return problem.isRetryable ? .support : turn(of: problem.actor)
            }
        }
        if state.running != nil { return .engine }
        if case .call(let call) = next, !call.isPoll { return .engine }
        if let attempt = state.payment?.attempt { return awaited(attempt) }
        if state.payment?.page != nil || state.payment?.menu != nil { return .psp }
        // Somebody else is paying, or a request may still take effect: that is waited for.
        if state.money.standing == .underWay || state.money.standing == .unknown { return .psp }
        // A charge by token has no payer who could do something.
        if state.checkout?.chargesAtCreation == true { return .engine }
        if !state.offers.isEmpty || state.checkout != nil { return .payer(nil) }
        return .engine
    }

    private func turnAfterEnd(
        of state: SessionState,
        _ next: Workflow.NextStep<SessionDecider>
    ) -> Story.Turn {
        if state.running != nil { return .engine }
        if case .call(let call) = next, !call.isPoll { return .engine }
        if let problem = state.problem?.problem, state.isStalled, problem.isRetryable {
            return .support
        }
        if state.problem?.problem.kind == .orderMismatch { return .merchant }
        // A charge by token that was refused: the merchant decides what is done about it.
        if state.checkout?.chargesAtCreation == true, state.money.standing == .none {
            return .merchant
        }
        return state.money.standing == .unknown ? .merchant : .nobody
    }

    /// Who is waited for while an attempt is polled: with Swish the payer, who may be on another device.
    private func awaited(_ attempt: Attempt) -> Story.Turn {
        attempt.choice.instrument == .swish ? .payer(.app(scheme: "swish")) : .psp
    }

    private func turn(of actor: Actor) -> Story.Turn {
        switch actor {
        case .payer: .payer(nil)
        case .merchant: .merchant
        case .psp: .psp
        }
    }
}
