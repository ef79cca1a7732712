internal import EventLog
internal import HTTPTypes
internal import SwedbankPay

/// Tokens that payments created; a backend chooses which of these endpoints it offers.
///
/// - Note: Source: merchant backend API, tokens, payer owned payment tokens.
extension MerchantBackendClient {
    /// Which tokens a payment created; never the tokens themselves.
    public struct TokenExistence: Hashable, Sendable {
        /// Whether the merchant can make recurring charges.
        public var recurrence: Bool
        /// Whether the merchant can make unscheduled charges.
        public var unscheduled: Bool

        /// Creates a value with these members.
        public init(recurrence: Bool, unscheduled: Bool) {
            self.recurrence = recurrence
            self.unscheduled = unscheduled
        }
    }

    /// Returns whether paying an order created tokens for merchant-initiated payments.
    public func tokens(of id: String) async throws(OrderAPIError) -> TokenExistence {
        guard OrderValues.isID(id) else { throw .malformedValue("the order's id") }
        let request = OrderRequest(
            rel: Rel(rawValue: "tokens"),
            method: .post,
            address: exchange.routes.below("tokens"),
            json: ["resource": .string(id), "expand": .array([.string("paid")])]
        )
        return try await exchange.value(request) { object, _ in
            TokenExistence(
                recurrence: object.truth("recurrence") ?? false,
                unscheduled: object.truth("unscheduled") ?? false
            )
        }
    }

    /// Returns the saved payment tokens of a payer.
    public func paymentTokens(
        of payerReference: String
    ) async throws(OrderAPIError) -> PayerTokens {
        guard let segment = OrderValues.segment(payerReference) else {
            throw .malformedValue("the payer's reference")
        }
        let request = OrderRequest(
            rel: Rel(rawValue: "paymentTokens"),
            method: .get,
            address: exchange.routes.below("payers/\(segment)/paymentTokens")
        )
        return try await exchange.value(request, PayerTokens.init(_:_:))
    }

    /// Deletes a payment token; this cannot be undone.
    ///
    /// - Parameters:
    ///   - token: A token returned by ``paymentTokens(of:)``.
    ///   - comment: The reason, for the PSP's records.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when the backend provided no link for it,
    ///   and the errors of the request.
    public func delete(_ token: PayerToken, comment: String) async throws(OrderAPIError) {
        guard let address = token.deletion else { throw .missingOperation(.deletePaymentTokens) }
        try await exchange.perform(PaymentOrderAPI.deletion(at: address, comment: comment))
    }
}
