internal import Adapters
package import EventLog
package import SwedbankPay
internal import Workflow

/// A client whose payer pays at once with Swish on the same device.
package struct SwishPayer: Sendable {
    package let engine: PaymentEngine

    package init(engine: PaymentEngine) { self.engine = engine }

    /// The session had another outcome.
    package struct NotPaid: Error {}

    /// Opens a session and pays it.
    package func pay(_ address: String) async throws -> SessionID {
        let session = try await engine.open(
            address,
            reference: "bench",
            preferences: [.swish(msisdn: nil)],
            allowsInsecureLoopback: true
        )
        var answered: ActionID?
        for await update in try await engine.updates(of: session) {
            if let outcome = update.state.outcome {
                guard outcome == .completed else { throw NotPaid() }
                return session
            }
            guard let action = update.state.actions.last(where: \.isOpen), action.id != answered
            else { continue }
            answered = action.id
            try await engine.report(session, action: action.id, .launched)
            try await engine.returned(session, with: "https://shop.example/pay")
        }
        throw NotPaid()
    }
}
