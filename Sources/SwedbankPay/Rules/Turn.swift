internal import Workflow

/// Who has to do something for a payment to go on.
public enum Turn: Hashable, Sendable {
    /// The payer, who does this next.
    case payer(PayerStep)
    /// The merchant: data, configuration, or the order's status.
    case merchant
    /// The PSP.
    case psp
    /// The engine: it has something to do, and does it by itself once it runs.
    case engine
    /// Whoever operates the engine: it waits to be told to try again.
    case support
    /// Nobody: it is over.
    case nobody

    /// What the payer does next.
    public enum PayerStep: Hashable, Sendable {
        /// What the client action that is open asks for.
        case clientAction
        /// Approve the payment in Swish, perhaps on another device.
        case approve
        /// Choose how to pay, or correct something.
        case choose
    }

    /// The turn in one word.
    public var word: String {
        switch self {
        case .payer: "payer"
        case .merchant: "merchant"
        case .psp: "psp"
        case .engine: "engine"
        case .support: "support"
        case .nobody: "nobody"
        }
    }
}

extension SessionDecider {
    /// Who has to do something next.
    package func whoseTurn(in state: SessionState) -> Turn {
        whoseTurn(in: state, next: next(in: state))
    }

    /// The same, with what comes next in the state at hand.
    func whoseTurn(in state: SessionState, next: NextStep<SessionDecider>) -> Turn {
        if state.outcome != nil { return turnAfterEnd(of: state, next) }
        if state.actions.contains(where: \.isOpen) { return .payer(.clientAction) }
        if let problem = state.problem?.problem, problem.origin != .session {
            if problem.isRetryable { return .support }
            if state.isStalled { return turn(of: problem.actor) }
        }
        if state.running != nil { return .engine }
        if case .call(let call) = next, !call.isPoll { return .engine }
        if let attempt = state.payment?.attempt {
            // With Swish it is the payer who is waited for, perhaps on another device.
            return attempt.choice.instrument == .swish ? .payer(.approve) : .psp
        }
        if state.payment?.page != nil || state.payment?.menu != nil { return .psp }
        // Somebody else is paying, or a request may still take effect: that is waited for.
        let money = state.money.standing
        if money == .underWay || money == .unknown { return .psp }
        // A charge by token has no payer who could do something.
        if state.checkout?.chargesAtCreation == true { return .engine }
        if !state.offers.isEmpty || state.checkout != nil { return .payer(.choose) }
        return .engine
    }

    private func turnAfterEnd(
        of state: SessionState,
        _ next: NextStep<SessionDecider>
    ) -> Turn {
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

    private func turn(of actor: Actor) -> Turn {
        switch actor {
        case .payer: .payer(.choose)
        case .merchant: .merchant
        case .psp: .psp
        }
    }
}
