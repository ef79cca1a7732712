public import EventLog
public import Inspection
public import SwedbankPay
internal import Workflow

/// One payment, with its view, its client actions, and the commands that it accepts.
///
/// This is a handle: it contains only the payment's identifier, and ``PaymentService/payment(_:)``
/// can recreate it at any time, on every node of the store.
///
/// - Note: Isolation: any.
public struct Payment: Sendable, Identifiable {
    /// The payment's identifier in the store.
    public let id: SessionID
    let service: PaymentService

    var engine: PaymentEngine { service.engine }

    /// The current view of the payment, in which all secrets are masked.
    public var view: SessionView {
        get async throws(PaymentError) { masked(try await state) }
    }

    /// Waits until the payment has ended, and returns its outcome.
    ///
    /// `completed` means that the PSP has confirmed it. For a checkout, deliver when the view's
    /// ``SessionView/confirmed`` is `true`.
    public var outcome: Outcome {
        get async throws(PaymentError) {
            var updates = UpdateSource(self).makeAsyncIterator()
            while let update = try await updates.next(isolation: nil) {
                if let outcome = update.state.outcome { return outcome }
            }
            preconditionFailure("the updates of \(id) ended without an outcome")
        }
    }

    /// The payment after each change, starting with its current state; the sequence ends with the
    /// payment.
    ///
    /// A slow consumer misses intermediate updates, but never the newest one.
    ///
    /// Throws ``PaymentError``: ``PaymentError/stopped`` when the service stops,
    /// ``PaymentError/erased(_:)`` when the payment's keys were destroyed,
    /// ``PaymentError/lost(_:code:reason:)`` when its log cannot be trusted any more,
    /// ``PaymentError/canceled`` in a canceled task.
    public var updates: some AsyncSequence<Update, PaymentError> & Sendable {
        Updates(source: UpdateSource(self))
    }

    /// What the payer's client has to do: each action once, in order; ends with the payment.
    ///
    /// Each loop over it delivers every action without a report once; after a restart these are the
    /// remaining ones, with the same identifiers. If there are several loops, each delivers all of
    /// them, and the first report counts. Throws as ``updates`` does.
    public var clientActions: some AsyncSequence<ClientAction, PaymentError> & Sendable {
        ClientActions(source: UpdateSource(self))
    }

    var state: SessionState {
        get async throws(PaymentError) {
            try await PaymentError.translating { () throws(EngineError) in
                try await engine.state(of: id)
            }
        }
    }

    func masked(_ state: SessionState) -> SessionView {
        SessionView(state, by: engine.decider, disclosing: .masked)
    }

    /// A payment after a change.
    public struct Update: Sendable {
        /// The view of the payment, in which all secrets are masked.
        public var view: SessionView
        /// The store's failure that keeps the payment from continuing; the service tries again.
        public var storeFailure: PaymentError?
    }
}

extension Payment: CustomStringConvertible {
    /// The payment's identifier.
    public var description: String { "\(id)" }
}
