internal import Adapters
public import EventLog
public import SwedbankPay
internal import Workflow

extension PaymentService {
    /// Opens the payment session of a payment order, to be paid natively.
    ///
    /// The same address returns the same payment, even after a restart and on other nodes; the
    /// payment is then read again.
    ///
    /// - Parameters:
    ///   - address: The `view-paymentsession` link of the order: a secret.
    ///   - reference: The merchant's own reference of the payment.
    ///   - choices: The instruments to pay with as soon as the methods are known; the first one
    ///     that is offered is used.
    ///   - amount: The amount to be paid, which lists and reports show until the PSP names it;
    ///     zero is not recorded.
    ///   - metadata: Your own notes; not for secrets.
    ///   - callbackScheme: A custom scheme that a return to the app may have.
    /// - Returns: The payment, once its first event is durable.
    /// - Throws: ``PaymentError``; its code is `engine.bad-address` when the address does not
    ///   belong to this environment.
    public func open(
        _ address: String,
        reference: String? = nil,
        preferring choices: [PreferenceRequest] = [],
        expecting amount: Money? = nil,
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

    /// Creates a payment order and opens its checkout.
    ///
    /// It is paid on the PSP's page; an order that charges a stored token is paid at once, without
    /// a payer.
    ///
    /// - Parameters:
    ///   - order: The order; every field that the PSP would refuse is reported before a request is
    ///     sent.
    ///   - reference: The merchant's own reference of the payment; by default the order's.
    ///   - metadata: Your own notes; not for secrets.
    ///   - change: Changes further options of the checkout: a check-in, how pages are shown.
    /// - Returns: The payment, once its first event is durable.
    /// - Throws: ``PaymentError/misconfigured(reason:)`` without a ``Configuration/merchant``;
    ///   ``PaymentError`` with the code `order.invalid` for an order that the PSP would refuse.
    public func checkout(
        _ order: PaymentOrder,
        reference: String? = nil,
        metadata: [String: String] = [:],
        changing change: (inout CheckoutRequest) -> Void = { _ in }
    ) async throws(PaymentError) -> Payment {
        let (merchant, root) = try configuration.orders
        var request = CheckoutRequest(of: order, by: merchant.gateway, at: root)
        if let reference { request.reference = reference }
        request.metadata = metadata
        change(&request)
        do throws(PaymentOrderError) {
            let sent = request.consumer == nil ? order : order.identified(by: "check-in")
            try sent.validate(
                under: OrderRules(
                    supplied: merchant.gateway == .psp ? [.userAgent] : [.payee, .userAgent],
                    allowsInsecureLoopback: configuration.environment.allowsInsecureLoopback
                )
            )
        } catch {
            throw .failed(error, code: error.code)
        }
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
    /// It is not read yet: if the payment does not exist, the first call throws, with the code
    /// `engine.unknown-session`.
    public func payment(_ id: SessionID) -> Payment { Payment(id: id, service: self) }

    /// Returns the payments that were opened with a reference, newest first.
    ///
    /// - Throws: ``PaymentError`` when the store cannot be read, or with the code
    ///   `log.not-authentic` when its index names a payment whose log has another reference.
    public func payments(referencedBy reference: String) async throws(PaymentError) -> [Payment] {
        let query = SessionQuery(reference: reference, origin: .own)
        let rows = try await PaymentError.translatingStore { () throws(EventStoreError) in
            try await store.sessions(matching: query)
        }
        for row in rows {
            let isNamed = try await PaymentError.translatingStore { () throws(EventStoreError) in
                try await SessionNames.isNamed(row.session, reference, in: store)
            }
            guard isNamed else { throw PaymentError(.misfiled(row.session)) }
        }
        return rows.map { payment($0.session) }
    }
}
