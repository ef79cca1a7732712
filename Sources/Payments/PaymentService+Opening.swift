internal import Adapters
public import EventLog
public import SwedbankPay
internal import Workflow

extension PaymentService {
    /// Opens the payment session of a payment order, to be paid natively.
    ///
    /// The same address gives the same payment, also after a restart and on other nodes; it is then
    /// read again.
    ///
    /// - Parameters:
    ///   - address: The `view-paymentsession` link of the order: a secret.
    ///   - reference: The merchant's own reference of the payment.
    ///   - choices: What to pay with as soon as the methods are known, the first one that is offered.
    ///   - amount: The amount to be paid, which lists and reports show until the PSP names it.
    ///   - metadata: Your own notes; not for secrets.
    ///   - callbackScheme: A custom scheme that a return to the app may have.
    /// - Returns: The payment, when its first event is durable.
    /// - Throws: ``PaymentError``, of the code `engine.bad-address` when the address is none of
    ///   this environment.
    public func open(
        _ address: String,
        reference: String? = nil,
        preferring choices: [PreferenceRequest] = [],
        expecting amount: CurrencyAmount? = nil,
        metadata: [String: String] = [:],
        callbackScheme: String? = nil
    ) async throws(PaymentError) -> Payment {
        let loopback = configuration.environment.allowsInsecureLoopback
        if let parsed = try? SessionAddress(address, allowsInsecureLoopback: true),
            let reason = configuration.environment.refusal(
                of: parsed.host,
                allowed: configuration.environment.hosts + configuration.addedHosts
            )
        {
            throw PaymentError(.badAddress(reason: reason))
        }
        let session = try await PaymentError.translating { () throws(EngineError) in
            try await engine.open(
                address,
                reference: reference,
                metadata: metadata,
                preferences: choices,
                expecting: amount,
                callbackScheme: callbackScheme,
                allowsInsecureLoopback: loopback
            )
        }
        return payment(session)
    }

    /// Creates a payment order and opens its checkout: paid on the PSP's page, or, for an order
    /// that charges a stored token, at once and without a payer.
    ///
    /// - Parameters:
    ///   - order: The order; every field that the PSP would refuse is named before anything is
    ///     sent.
    ///   - reference: The merchant's own reference of the payment; the order's, unless you name
    ///     one.
    ///   - metadata: Your own notes; not for secrets.
    ///   - change: Changes what the engine is asked beside that: a check-in, how pages are shown.
    /// - Returns: The payment, when its first event is durable.
    /// - Throws: ``PaymentError/misconfigured(reason:)`` without a ``Configuration/merchant``,
    ///   ``PaymentError`` of the code `order.invalid` for an order that the PSP would refuse.
    public func checkout(
        _ order: PaymentOrder,
        reference: String? = nil,
        metadata: [String: String] = [:],
        changing change: (inout CheckoutRequest) -> Void = { _ in }
    ) async throws(PaymentError) -> Payment {
        let (merchant, root) = try configuration.orders
        do throws(PaymentOrderError) {
            try order.validate(
                under: OrderRules(
                    supplied: merchant.gateway == .psp ? [.userAgent] : [.payee, .userAgent],
                    allowsInsecureLoopback: configuration.environment.allowsInsecureLoopback
                )
            )
        } catch {
            throw .failed(error, code: error.code)
        }
        var request = CheckoutRequest(of: order, by: merchant.gateway, at: root)
        if let reference { request.reference = reference }
        request.metadata = metadata
        change(&request)
        let session = try await PaymentError.translating { [request] () throws(EngineError) in
            try await engine.openCheckout(
                request,
                allowsInsecureLoopback: configuration.environment.allowsInsecureLoopback
            )
        }
        return payment(session)
    }

    /// Returns a payment that was opened before, here or on another node of the store.
    ///
    /// Nothing is read yet: of a payment that does not exist the first call throws, with the code
    /// `engine.unknown-session`.
    public func payment(_ id: SessionID) -> Payment { Payment(id: id, service: self) }

    /// Returns the payments that were opened with a reference, newest first.
    ///
    /// - Throws: ``PaymentError`` when the store cannot be read.
    public func payments(referencedBy reference: String) async throws(PaymentError) -> [Payment] {
        let query = SessionQuery(reference: reference, origin: .own)
        let rows = try await PaymentError.translatingStore { () throws(EventStoreError) in
            try await store.sessions(matching: query)
        }
        return rows.map { payment($0.session) }
    }
}
