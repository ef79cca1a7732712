internal import EventLog
internal import Logging
internal import Workflow

extension EngineHooks<SessionDecider> {
    /// Hooks that pass the result of one session to the other session of its order.
    static var relatingOrders: Self {
        var hooks = Self()
        hooks.afterAppend = { state, events in
            let hasOther =
                state.payment?.opening?.checkout != nil
                || state.checkout?.nativeSessions.isEmpty == false
            let isTold = events.contains { $0.event.concernsOtherSession(of: state) }
            guard hasOther, isTold else { return nil }
            return { (engine: PaymentEngine) in await engine.relate(state) }
        }
        hooks.afterLoading = { state in
            // Pass on what another process, or one that has ended, did not.
            guard state.hasToTellOtherSession else { return nil }
            return { (engine: PaymentEngine) in await engine.relate(state) }
        }
        return hooks
    }
}

/// The two sessions of an order: a checkout, and the native session that it was handed over to.
extension PaymentEngine {
    /// Passes the result of this session to the other session of its order.
    func relate(_ state: SessionState) async {
        do throws(EngineError) {
            if let checkout = state.payment?.opening?.checkout, let outcome = state.outcome {
                let handed = HandedBack(session: state.session, outcome: outcome)
                let other = try await drive(checkout, cause: "session.\(state.session)") {
                    _,
                    _,
                    _ in .command(.checkout(.handBack(handed)))
                }
                if state.confirmation == nil, other.confirmation != nil { await relate(other) }
            } else if let report = state.checkout?.report,
                let native = state.checkout?.nativeSessions.last
            {
                let cause = "checkout.\(state.session)"
                if let confirmation = state.confirmation {
                    _ = try await drive(native, cause: cause) { _, _, _ in
                        .command(.checkout(.confirm(confirmation)))
                    }
                }
                // One order has one state of its money, in both sessions.
                _ = try await drive(native, cause: cause) { _, _, _ in
                    .command(.checkout(.report(report)))
                }
            } else if state.outcome == nil, let native = state.checkout?.nativeSession {
                let other = try await self.state(of: native)
                if other.outcome != nil { await relate(other) }
            }
        } catch {
            Logger(label: "payment-workflow.engine").warning(
                "the related session of an order could not be updated",
                metadata: ["session": "\(state.session)", "code": "\(error.code)"]
            )
        }
    }
}

extension SessionEvent {
    /// Whether the event concerns another session of the same order.
    func concernsOtherSession(of state: SessionState) -> Bool {
        switch self {
        case .completed, .canceled, .expired, .failed, .checkout(.orderConfirmed): true
        case .checkout(.orderFetched(let fetched)): state.checkout != nil && fetched.order != nil
        default: false
        }
    }
}

extension SessionState {
    /// Whether the other session of the order may not know the result of this one yet.
    fileprivate var hasToTellOtherSession: Bool {
        switch self {
        case .unopened: false
        case .payment(let payment):
            payment.opening?.checkout != nil && payment.outcome != nil
                && payment.confirmation == nil
        case .checkout(let checkout):
            checkout.outcome == nil
                ? checkout.nativeSession != nil
                : !checkout.nativeSessions.isEmpty && checkout.report != nil
        }
    }
}
