internal import SwedbankPay

/// The tokens that payments created.
///
/// - Note: Source: payment order API, tokens; of the order API up to version 3.1.
extension PaymentOrderClient {
    /// Returns the saved payment tokens of a payer.
    public func paymentTokens(
        of payerReference: String
    ) async throws(OrderAPIError) -> PayerTokens {
        try await list("payerownedpaymenttokens", of: payerReference)
    }

    /// Returns all tokens of a payer.
    public func tokens(of payerReference: String) async throws(OrderAPIError) -> PayerTokens {
        try await list("payerownedtokens", of: payerReference)
    }

    /// Deletes a token; this cannot be undone.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - kind: The kind of token.
    ///   - comment: The reason, for the PSP's records.
    /// - Throws: ``OrderAPIError/malformedValue(_:)`` when the token cannot be part of an address,
    ///   and the errors of the request.
    public func delete(
        _ token: String,
        kind: PayerToken.Kind = .payment,
        comment: String
    ) async throws(OrderAPIError) {
        guard OrderValues.segment(token) != nil else { throw .malformedValue("the token") }
        let address = exchange.routes.api.address(of: token, kind)
        try await exchange.perform(PaymentOrderAPI.deletion(at: address, comment: comment))
    }

    private func list(
        _ name: String,
        of payerReference: String
    ) async throws(OrderAPIError) -> PayerTokens {
        guard OrderValues.segment(payerReference) != nil else {
            throw .malformedValue("the payer's reference")
        }
        let request = exchange.routes.api.tokens(name, of: payerReference)
        return try await exchange.value(request, PayerTokens.init(_:_:))
    }
}
