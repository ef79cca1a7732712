internal import EventLog
public import SwedbankPay
internal import Workflow

extension Payment {
    /// Starts an attempt with the instrument that the payer chose, once the methods are known.
    ///
    /// - Throws: ``PaymentError/refused(_:)`` during another attempt, for a method that is not
    ///   offered, and after the end.
    public func attempt(_ choice: AttemptRequest) async throws(PaymentError) {
        try await ask { () throws(EngineError) in try await engine.attempt(id, with: choice) }
    }

    /// Pays on the PSP's own page: all methods of the order, some, or one, for methods that need no
    /// app or card number from you, such as invoices.
    ///
    /// The client action ``ClientAction/Kind/showMenu(_:)`` follows; repeating this while the page
    /// is open has no effect.
    ///
    /// - Throws: ``PaymentError/refused(_:)`` during another attempt, for a method that is not
    ///   offered, and after the end.
    public func showMenu(_ mode: MenuMode = .menu) async throws(PaymentError) {
        try await ask { () throws(EngineError) in try await engine.menu(id, showing: mode) }
    }

    /// Asks the PSP to abort the payment, which ends when the PSP confirms it.
    public func abort() async throws(PaymentError) {
        try await ask { () throws(EngineError) in try await engine.abort(id) }
    }

    /// Retries a failed request.
    ///
    /// - Throws: ``PaymentError/refused(_:)`` when no failed request can be retried.
    public func retry() async throws(PaymentError) {
        try await ask { () throws(EngineError) in try await engine.retry(id) }
    }

    /// Reads the payment from the PSP again; changes appear in the next updates.
    public func refresh() async throws(PaymentError) {
        try await ask { () throws(EngineError) in try await engine.refetch(id) }
    }

    /// Records that the payer returned through the payment URL.
    ///
    /// - Throws: ``PaymentError/refused(_:)`` for a URL that does not belong to the payment.
    public func handleReturn(to address: String) async throws(PaymentError) {
        try await ask { () throws(EngineError) in
            try await engine.returned(id, with: address)
        }
    }

    /// Accepts a request of the PSP to the merchant's callback URL, and reads the order from the
    /// PSP.
    ///
    /// - Throws: ``PaymentError/refused(_:)`` for a body that does not concern this payment's
    ///   order.
    public func handleCallback(_ body: [UInt8]) async throws(PaymentError) {
        try await ask { () throws(EngineError) in try await engine.callback(id, body: body) }
    }

    /// Pays the order of a checkout natively instead of on the PSP's page; waits until the order
    /// exists.
    ///
    /// - Returns: The native payment of the order; repeated calls return the same one.
    /// - Throws: ``PaymentError/refused(_:)`` after the end, for a payment that is not a checkout,
    ///   and when the order cannot be created.
    public func payNatively(
        preferring choices: [PreferenceRequest] = []
    ) async throws(PaymentError) -> Payment {
        var updates = UpdateSource(self).makeAsyncIterator()
        while let update = try await updates.next(isolation: nil), !update.isSettled,
            let checkout = update.state.checkout, checkout.order == nil
        {}
        let session = try await PaymentError.translating { () throws(EngineError) in
            try await engine.handOver(
                id,
                preferences: choices,
                allowsInsecureLoopback: service.configuration.environment.allowsInsecureLoopback
            )
        }
        return service.payment(session)
    }

    private func ask(
        _ body: () async throws(EngineError) -> SessionState
    ) async throws(PaymentError) {
        _ = try await PaymentError.translating(body)
    }
}

extension PaymentChoice where Number == MSISDN {
    /// Swish with the app on the payer's own device.
    public static var swish: Self { .swish(msisdn: nil) }
}
