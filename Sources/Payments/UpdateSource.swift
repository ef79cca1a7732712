internal import EventLog
internal import SwedbankPay
internal import Workflow

/// The engine's updates of a payment until its end; an error when they end for any other reason.
struct UpdateSource: AsyncSequence, Sendable {
    typealias Element = SessionUpdate
    typealias Failure = PaymentError

    let payment: Payment
    private let goesOnAfterEnd: Bool

    /// Creates the updates of a payment.
    ///
    /// - Parameters:
    ///   - payment: The payment.
    ///   - goesOnAfterEnd: Whether to deliver updates after the payment's end, such as captures.
    init(_ payment: Payment, goesOnAfterEnd: Bool = false) {
        self.payment = payment
        self.goesOnAfterEnd = goesOnAfterEnd
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(payment: payment, goesOnAfterEnd: goesOnAfterEnd)
    }

    struct Iterator: AsyncIteratorProtocol {
        let payment: Payment
        let goesOnAfterEnd: Bool
        private var stream: AsyncStream<SessionUpdate>.Iterator?
        private var hasEnded = false
        private var isErased = false

        init(payment: Payment, goesOnAfterEnd: Bool) {
            self.payment = payment
            self.goesOnAfterEnd = goesOnAfterEnd
        }

        mutating func next(
            isolation actor: isolated (any _Concurrency.Actor)?
        ) async throws(PaymentError) -> SessionUpdate? {
            if hasEnded { return nil }
            // Each iteration subscribes again, which returns the current state, or why the payment
            // cannot be driven.
            while true {
                if stream == nil {
                    let payment = payment
                    let updates = try await PaymentError.translating { () throws(EngineError) in
                        try await payment.engine.updates(of: payment.id)
                    }
                    stream = updates.makeAsyncIterator()
                }
                if let update = await stream?.next(isolation: actor) {
                    hasEnded = update.state.outcome != nil && !goesOnAfterEnd
                    isErased = update.events.contains { $0.event.isErasure }
                    return update
                }
                if Task.isCancelled { throw .canceled }
                // The key may be destroyed shortly after the erasure has been recorded.
                if isErased { throw .erased(payment.id) }
                stream = nil
            }
        }
    }
}

/// The updates of a payment, as the host receives them.
struct Updates: AsyncSequence, Sendable {
    typealias Element = Payment.Update
    typealias Failure = PaymentError

    let source: UpdateSource

    func makeAsyncIterator() -> Iterator {
        Iterator(payment: source.payment, updates: source.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let payment: Payment
        var updates: UpdateSource.Iterator

        mutating func next(
            isolation actor: isolated (any _Concurrency.Actor)?
        ) async throws(PaymentError) -> Payment.Update? {
            guard let update = try await updates.next(isolation: actor) else { return nil }
            return Payment.Update(
                view: payment.masked(update.state),
                storeFailure: update.storeFailure.map { PaymentError.failed($0, code: $0.code) }
            )
        }
    }
}
