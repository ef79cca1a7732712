internal import EventLog
internal import Logging
internal import Workflow

extension EngineHooks<SessionDecider> {
    /// Tells the other session of an order what became of one.
    static var relatingOrders: Self {
        var hooks = Self()
        hooks.afterAppend = { state, events in
            let hasOther =
                state.payment?.opening?.checkout != nil
                || state.checkout?.nativeSessions.isEmpty == false
            guard hasOther, events.contains(where: \.event.concernsOtherSession) else { return nil }
            return { (engine: PaymentEngine) in await engine.relate(state) }
        }
        hooks.afterLoading = { state in
            // What another process, or one that is gone, did not tell the other session of the order.
            guard state.hasToTellOtherSession else { return nil }
            return { (engine: PaymentEngine) in await engine.relate(state) }
        }
        return hooks
    }
}

/// The two sessions of an order: a checkout, and the native session that it was handed over to.
extension PaymentEngine {
    /// Tells the other session of an order what became of this one.
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
            } else if let confirmation = state.confirmation,
                let native = state.checkout?.nativeSessions.last
            {
                _ = try await drive(native, cause: "checkout.\(state.session)") { _, _, _ in
                    .command(.checkout(.confirm(confirmation)))
                }
            } else if state.outcome == nil, let native = state.checkout?.nativeSession {
                let other = try await self.state(of: native)
                if other.outcome != nil { await relate(other) }
            }
        } catch {
            Logger(label: "payment-workflow.engine").warning(
                "the other session of an order could not be told",
                metadata: ["session": "\(state.session)", "code": "\(error.code)"]
            )
        }
    }
}

extension SessionEvent {
    /// Whether another session of the same order has to be told.
    var concernsOtherSession: Bool {
        switch self {
        case .completed, .canceled, .expired, .failed, .checkout(.orderConfirmed): true
        default: false
        }
    }
}

extension SessionState {
    /// Whether the other session of the order may not know yet what became of this one.
    fileprivate var hasToTellOtherSession: Bool {
        switch self {
        case .unopened: false
        case .payment(let payment):
            payment.value.opening?.checkout != nil && payment.value.outcome != nil
                && payment.value.confirmation == nil
        case .checkout(let checkout):
            checkout.value.outcome == nil && checkout.value.nativeSession != nil
        }
    }
}
