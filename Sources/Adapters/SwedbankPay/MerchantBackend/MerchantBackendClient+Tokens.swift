internal import SwedbankPay

/// Tokens that payments left; which of these a backend offers is its own choice.
///
/// - Note: Source: merchant backend API, tokens, payer owned payment tokens.
extension MerchantBackendClient {
    /// Which tokens a payment left; never the tokens themselves.
    public struct TokenExistence: Hashable, Sendable {
        /// Whether the merchant can charge at regular times.
        public var recurrence: Bool
        /// Whether the merchant can charge now and then.
        public var unscheduled: Bool

        /// What there is.
        public init(recurrence: Bool, unscheduled: Bool) {
            self.recurrence = recurrence
            self.unscheduled = unscheduled
        }
    }

    /// Whether paying an order left tokens for payments that the merchant starts.
    public func tokens(of id: String) async throws(OrderAPIError) -> TokenExistence {
        guard OrderValues.isID(id) else { throw .malformedValue("the order's id") }
        let call = OrderCall(
            rel: Rel(rawValue: "tokens"),
            method: "POST",
            address: exchange.routes.below("tokens"),
            json: ["resource": .string(id), "expand": .array([.string("paid")])]
        )
        return try await exchange.value(call) { object, _ in
            TokenExistence(
                recurrence: object.truth("recurrence") ?? false,
                unscheduled: object.truth("unscheduled") ?? false
            )
        }
    }

    /// What a payer can pay with again.
    public func paymentTokens(
        of payerReference: String
    ) async throws(OrderAPIError) -> PayerTokens {
        guard let segment = OrderValues.segment(payerReference) else {
            throw .malformedValue("the payer's reference")
        }
        let call = OrderCall(
            rel: Rel(rawValue: "paymentTokens"),
            method: "GET",
            address: exchange.routes.below("payers/\(segment)/paymentTokens")
        )
        return try await exchange.value(call) { object, reader throws(SnapshotRefusal) in
            try PayerTokens(object, reader)
        }
    }

    /// Deletes a payment token; it can't be taken back.
    ///
    /// - Parameters:
    ///   - token: A token as ``paymentTokens(of:)`` gave it.
    ///   - comment: Why, for the PSP's records.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when the backend gave no link for it.
    public func delete(_ token: PayerToken, comment: String) async throws(OrderAPIError) {
        guard let address = token.deletion else { throw .missingOperation(.deletePaymentTokens) }
        try await exchange.perform(PaymentOrderAPI.deletion(at: address, comment: comment))
    }
}
