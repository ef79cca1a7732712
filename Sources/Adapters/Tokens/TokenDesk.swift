package import EventLog
internal import Inspection
package import SwedbankPay

/// The stored payment tokens of payers, at a merchant backend or at the PSP.
package enum TokenDesk: Sendable {
    case backend(MerchantBackendClient)
    case psp(PaymentOrderClient)

    /// Creates a desk at a gateway.
    ///
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - root: The root of the backend, or the base of the PSP's API.
    ///   - transport: Sends the requests.
    ///   - access: The merchant's credentials.
    ///   - options: The options of requests.
    /// - Throws: ``OrderAPIError/malformedRoot``.
    package init(
        at gateway: OrderGateway,
        _ root: String,
        over transport: any Transport,
        access: OrderAccess,
        options: SwedbankPayOptions
    ) throws(OrderAPIError) {
        switch gateway {
        case .merchantBackend, .custom:
            self = .backend(
                try MerchantBackendClient(
                    root: root,
                    transport: transport,
                    access: access,
                    options: options
                )
            )
        case .psp:
            self = .psp(
                try PaymentOrderClient(
                    root: root,
                    transport: transport,
                    access: access,
                    options: options
                )
            )
        }
    }

    /// Returns the payment tokens of a payer.
    package func tokens(of payer: String) async throws(OrderAPIError) -> [PayerToken] {
        switch self {
        case .backend(let client): try await client.paymentTokens(of: payer).tokens
        case .psp(let client): try await client.paymentTokens(of: payer).tokens
        }
    }

    /// Deletes a payment token of a payer; this cannot be undone.
    ///
    /// - Parameters:
    ///   - number: The number of the token in the list, which is read again, from 1.
    ///   - payer: The merchant's reference for the payer.
    ///   - comment: The reason, for the PSP's records.
    ///   - isMeant: Whether the token with the number is the one to delete.
    /// - Returns: The token; `nil` when there is none with the number, or it is another one.
    /// - Throws: ``OrderAPIError``.
    package func delete(
        _ number: Int,
        of payer: String,
        comment: String,
        if isMeant: (PayerToken) -> Bool
    ) async throws(OrderAPIError) -> PayerToken? {
        let tokens = try await tokens(of: payer)
        guard tokens.indices.contains(number - 1), isMeant(tokens[number - 1]) else { return nil }
        let token = tokens[number - 1]
        switch self {
        case .backend(let client): try await client.delete(token, comment: comment)
        case .psp(let client): try await client.delete(token.token, comment: comment)
        }
        return token
    }

    /// Returns the tokens of a paid order; merchant backends do not disclose them.
    package func tokens(ofOrder id: String) async throws(OrderAPIError) -> [OrderPayment.Token] {
        guard case .psp(let client) = self else { throw .missingOperation(.order) }
        return try await client.payment(of: id)?.tokens ?? []
    }
}

extension PayerToken {
    /// The stored card's date of expiry.
    package var expiry: String? { parameters["expiryDate"] }

    /// The token as an element of a list.
    ///
    /// - Parameters:
    ///   - number: Its number in the list, from 1.
    ///   - isShown: Whether the token itself is shown.
    /// - Returns: The element.
    package func json(number: Int, revealing isShown: Bool = false) -> JSONValue {
        [
            "number": .integer(Int64(number)),
            "instrument": JSONValue(instrument),
            "name": JSONValue(displayName),
            "expiryDate": JSONValue(expiry),
            "token": .string(isShown ? token : "•••"),
        ]
    }
}
