internal import EventLog
package import SwedbankPay

/// Something that whoever drives a session may do next.
package enum PossibleStep: Sendable {
    /// Report what became of an action that the client was asked for.
    case report(ActionView)
    /// Retry the failed request.
    case retry
    /// Start an attempt with an offered method.
    case pay(MethodOffer)
    /// Pay on the PSP's page.
    case payOnPage
    /// Pay the order of a checkout in a native session.
    case payNatively
    /// Capture what can be captured; whether several captures were refused, so that it has to be
    /// requested again on purpose.
    case capture(again: Bool)
    /// Refund what can be refunded; whether that has to be requested again, too.
    case refund(again: Bool)
    /// Wait for the PSP.
    case wait
    /// Abort the payment.
    case abort
}

extension SessionView {
    /// The possible next steps, the most likely first; none for an imported session, which is never
    /// driven here.
    package var possibleSteps: [PossibleStep] {
        guard !isImported else { return [] }
        // What an operator found paid at the PSP is not tried again.
        let isOpen = outcome == nil && money.taken?.evidence != .person
        var steps = actions.map { PossibleStep.report($0) }
        if actions.isEmpty, money.taken?.evidence != .person, accepts.retry { steps.append(.retry) }
        if attempt == nil, isOpen, !methods.isEmpty {
            steps += methods.map { PossibleStep.pay($0) }
            steps.append(.payOnPage)
        }
        steps += orderSteps
        if outcome == nil, phase == .awaitingPSP || !settled { steps.append(.wait) }
        if isOpen, phase != .opening, accepts.abort { steps.append(.abort) }
        return steps
    }

    /// The possible next steps with an order.
    private var orderSteps: [PossibleStep] {
        guard let checkout, let order = checkout.order else { return [] }
        var steps: [PossibleStep] = []
        if outcome == nil, actions.isEmpty, problem == nil { steps += [.payOnPage, .payNatively] }
        func isAgain(_ kind: TransactionKind, _ left: Amount?) -> Bool? {
            guard left ?? 0 > 0 else { return nil }
            if accepts.transactions.contains(kind) { return false }
            return accepts.transactionsAgain.contains(kind) ? true : nil
        }
        if let again = isAgain(.capture, order.remainingCapture) {
            steps.append(.capture(again: again))
        }
        if let again = isAgain(.reversal, order.remainingReversal) {
            steps.append(.refund(again: again))
        }
        return steps
    }
}
