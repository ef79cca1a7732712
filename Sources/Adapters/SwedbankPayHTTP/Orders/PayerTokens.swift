internal import SwedbankPay

/// The saved tokens that the PSP stores for a payer.
///
/// - Note: Source: merchant backend API, payer owned payment tokens; payment order API, tokens.
public struct PayerTokens: Hashable, Sendable {
    /// The merchant's reference of the payer.
    public var payerReference: String?
    /// The tokens.
    public var tokens: [PayerToken]
    /// The operations on all tokens together.
    public var operations: [OrderOperation] = []
}

extension PayerTokens {
    /// Reads a response with the list of payment tokens, or of all tokens; `nil` when it is
    /// neither.
    init?(_ response: ResponseObject, _ reader: OrderResponseReader) throws(SnapshotRefusal) {
        guard
            let owned = response.object("payerOwnedPaymentTokens")
                ?? response.object("payerOwnedTokens")
        else { return nil }
        let limits = reader.limits
        let name = owned.members["paymentTokens"] == nil ? "tokens" : "paymentTokens"
        var tokens: [PayerToken] = []
        for object in try owned.objects(name, limit: limits.transactions, called: "tokens") {
            if let token = try PayerToken(object, reader) { tokens.append(token) }
        }
        self.init(
            payerReference: owned.text("payerReference"),
            tokens: tokens,
            operations: try reader.operations(of: response)
        )
    }
}

/// One token of a payer.
public struct PayerToken: Hashable, Sendable {
    /// The purpose of a token.
    ///
    /// - Note: Source: payment order API, tokens; also the name of its segment in addresses.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Payments by the payer.
        case payment = "paymenttokens"
        /// Recurring charges by the merchant.
        case recurrence = "recurrencetokens"
        /// Unscheduled charges by the merchant.
        case unscheduled = "unscheduledtokens"
    }

    /// The token: together with the merchant's access, it permits charging the payer.
    public var token: String
    /// The type as received, in lists that contain all types.
    public var type: String?
    /// The method.
    public var instrument: String?
    /// The name by which the payer recognizes it, for example a masked card number.
    public var displayName: String?
    /// More about the method, for example `cardBrand` and `expiryDate`.
    public var parameters: [String: String] = [:]
    /// The operations on the token.
    public var operations: [OrderOperation] = []
    /// A merchant backend's own link that deletes the token; absolute.
    public var deletion: String?

    /// Creates a token without further details.
    public init(token: String) { self.token = token }

    /// Reads an element of a list.
    init?(_ object: ResponseObject, _ reader: OrderResponseReader) throws(SnapshotRefusal) {
        guard let text = object.text("paymentToken") ?? object.text("token") else { return nil }
        self.init(token: text)
        type = object.text("tokenType") ?? object.text("type")
        instrument = object.text("instrument")
        displayName = object.text("instrumentDisplayName")
        if let members = object.object("instrumentParameters") {
            for name in members.members.keys { parameters[name] = members.text(name) }
        }
        operations = try reader.operations(of: object)
        deletion = object.object("mobileSDK")?.text("delete").flatMap {
            LinkResolution.resolve($0, against: reader.address)
        }
    }
}

extension PayerToken: CustomStringConvertible, CustomReflectable {
    /// A fixed text, never the token.
    public var description: String { "•••" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PayerTokens: CustomStringConvertible, CustomReflectable {
    /// The number of tokens.
    public var description: String { "\(tokens.count) tokens" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
