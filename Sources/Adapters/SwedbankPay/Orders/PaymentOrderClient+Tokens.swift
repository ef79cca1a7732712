internal import SwedbankPay

/// The tokens that payments left.
///
/// - Note: Source: payment order API, tokens; of the order API up to version 3.1.
extension PaymentOrderClient {
    /// What a payer can pay with again.
    public func paymentTokens(
        of payerReference: String
    ) async throws(OrderAPIError) -> PayerTokens {
        try await list("payerownedpaymenttokens", of: payerReference)
    }

    /// All tokens of a payer.
    public func tokens(of payerReference: String) async throws(OrderAPIError) -> PayerTokens {
        try await list("payerownedtokens", of: payerReference)
    }

    /// Deletes a token; it can't be taken back.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - kind: What it is good for.
    ///   - comment: Why, for the PSP's records.
    public func delete(
        _ token: String,
        kind: PayerToken.Kind = .payment,
        comment: String
    ) async throws(OrderAPIError) {
        guard let segment = OrderValues.segment(token) else {
            throw .malformedValue("the token")
        }
        try await exchange.perform(
            OrderCall(
                rel: .deletePaymentTokens,
                method: "PATCH",
                address: exchange.routes.below("psp/paymentorders/\(kind.rawValue)/\(segment)"),
                json: OrderBodies.deletion(comment: comment)
            )
        )
    }

    private func list(
        _ name: String,
        of payerReference: String
    ) async throws(OrderAPIError) -> PayerTokens {
        guard let segment = OrderValues.segment(payerReference) else {
            throw .malformedValue("the payer's reference")
        }
        let call = OrderCall(
            rel: Rel(rawValue: name),
            method: "GET",
            address: exchange.routes.below("psp/paymentorders/\(name)/\(segment)")
        )
        return try await exchange.value(call) { object, reader throws(SnapshotRefusal) in
            try PayerTokens(object, reader)
        }
    }
}
