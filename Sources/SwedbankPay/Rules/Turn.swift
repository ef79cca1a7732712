internal import EventLog
internal import Workflow

/// The party that has to act for a payment to proceed.
public enum Turn: Hashable, Sendable {
    /// The payer, with the next step.
    case payer(PayerStep)
    /// The merchant, who has to check data, configuration or the order's status, or to capture.
    case merchant
    /// The PSP.
    case psp
    /// The engine, which acts by itself once it runs.
    case engine
    /// The operator of the engine, which waits for a command to retry.
    case support
    /// Nobody, because it has ended.
    case nobody

    /// The payer's next step.
    public enum PayerStep: Hashable, Sendable {
        /// What the open client action requests.
        case clientAction
        /// Approve the payment in the instrument's app, perhaps on another device.
        case approve
        /// Choose how to pay, or correct something.
        case choose
    }

    /// The name of the turn.
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
    /// The party that has to act next.
    package func whoseTurn(in state: SessionState) -> Turn {
        whoseTurn(in: state, next: next(in: state))
    }

    /// The party that has to act next, given the next step.
    func whoseTurn(in state: SessionState, next: NextStep<SessionDecider>) -> Turn {
        if state.outcome != nil { return turnAfterEnd(of: state, next) }
        if state.actions.contains(where: \.isOpen) { return .payer(.clientAction) }
        if let problem = state.problem?.problem, problem.origin != .session {
            if problem.isRetryable { return .support }
            if state.isStalled {
                // A charge by token has no payer who could act.
                let isCharge = state.checkout?.chargesAtCreation == true
                return isCharge && problem.actor == .payer ? .merchant : turn(of: problem.actor)
            }
        }
        if state.running != nil { return .engine }
        if case .request(let request) = next, !request.isPoll { return .engine }
        if let attempt = state.payment?.attempt {
            // With an app the payer has to act, perhaps on another device.
            return attempt.choice.instrument.appScheme == nil ? .psp : .payer(.approve)
        }
        if state.payment?.page != nil || state.payment?.menu != nil { return .psp }
        // Someone else is paying, or a request may still take effect, so the PSP is waited for.
        let money = state.money.standing
        if money == .underWay || money == .unknown { return .psp }
        // A charge by token has no payer who could act.
        if state.checkout?.chargesAtCreation == true { return .engine }
        if !state.offers.isEmpty || state.checkout != nil { return .payer(.choose) }
        return .engine
    }

    private func turnAfterEnd(
        of state: SessionState,
        _ next: NextStep<SessionDecider>
    ) -> Turn {
        if state.running != nil { return .engine }
        if case .request(let request) = next, !request.isPoll { return .engine }
        if let problem = state.problem?.problem, state.isStalled, problem.isRetryable {
            return .support
        }
        if [.orderMismatch, .paymentWithdrawn].contains(state.problem?.problem.kind) {
            return .merchant
        }
        if let turn = turnAfterTransaction(of: state) { return turn }
        if state.money.standing == .confirmed, isLeftToMerchant(state) { return .merchant }
        // The charge by token was refused, so the merchant decides what to do.
        if state.checkout?.chargesAtCreation == true, state.money.standing == .none {
            return .merchant
        }
        return state.money.standing == .unknown ? .merchant : .nobody
    }

    /// The turn while the newest transaction waits for the PSP, or failed after it was accepted.
    ///
    /// - Note: Source: payment order API, reversals that a bank performs later: up to 3 days.
    private func turnAfterTransaction(of state: SessionState) -> Turn? {
        guard state.money.standing != .unknown, let newest = state.checkout?.transactions.last
        else {
            return nil
        }
        if newest.failedLater { return .merchant }
        guard newest.result == .accepted else { return nil }
        return state.lastAt - newest.requestedAt > limits.acceptedTransaction ? .merchant : .psp
    }

    /// Whether something is left to capture, to find out because the PSP refused it, or to decide
    /// because only a part was found to be paid.
    private func isLeftToMerchant(_ state: SessionState) -> Bool {
        let money = state.money
        guard !money.isVerification else { return false }
        if money.isFoundPaidInPart { return true }
        guard let checkout = state.checkout else { return false }
        return money.taken?.capturable ?? 0 > 0
            || TransactionKind.allCases.contains { checkout.refusedInARow($0) > 0 }
    }

    private func turn(of actor: Actor) -> Turn {
        switch actor {
        case .payer: .payer(.choose)
        case .merchant: .merchant
        case .psp: .psp
        }
    }
}
