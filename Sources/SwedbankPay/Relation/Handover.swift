internal import EventLog
internal import Workflow

/// Hands an order over from the PSP's page to a native session, and back.
extension CheckoutRules {
    func handOver(
        to session: SessionID,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = checkout.outcome { throw .sessionEnded(outcome) }
        guard checkout.order?.operation([.viewPaymentSession]) != nil else {
            throw .stillOpening
        }
        guard !checkout.awaitsResult else { throw .menuResultAwaited }
        if checkout.nativeSession == session { return [] }
        return [.checkout(.handedOver(HandedOver(session: session)))]
    }

    func handBack(_ handed: HandedBack, in checkout: CheckoutState) -> [SessionEvent] {
        guard checkout.outcome == nil else { return [] }
        let isNew =
            handed.outcome == nil
            ? checkout.nativeSession == handed.session
            : !checkout.endedSessions.contains(handed.session)
        return isNew ? [.checkout(.handedBack(handed))] : []
    }
}

extension CheckoutState {
    mutating func apply(_ handed: HandedOver) {
        progress.withdrawOpenActions()
        course = .native(handed.session)
        nativeSessions.append(handed.session)
        progress.problem = nil
    }

    mutating func apply(_ handed: HandedBack) {
        let isCurrent = nativeSession == handed.session
        if isCurrent { course = .waiting }
        known.restartReads()
        guard let outcome = handed.outcome else {
            isWanted = true
            return
        }
        endedSessions.append(handed.session)
        recordReason(.session)
        switch outcome {
        case .completed: course = .left(.completed)
        // For a session that was left for the page earlier, only the order shows the result.
        case .canceled: if isCurrent { course = .left(.canceled) }
        case .failed, .expired: break
        }
    }
}
