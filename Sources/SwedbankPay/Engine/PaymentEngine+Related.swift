internal import Logging

/// The two sessions of an order: a checkout, and the native session that it was handed over to.
extension PaymentEngine {
    /// Tells the other session of an order what became of this one.
    func relate(_ state: SessionState) async {
        do throws(EngineError) {
            if let checkout = state.opening?.checkout, let outcome = state.outcome {
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
                try await watch(native)
                defer { unwatch(native) }
                if let other = core.state(of: native), other.outcome != nil { await relate(other) }
            }
        } catch {
            log.warning(
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
    var hasToTellOtherSession: Bool {
        if opening?.checkout != nil { return outcome != nil && confirmation == nil }
        return outcome == nil && checkout?.nativeSession != nil
    }
}
