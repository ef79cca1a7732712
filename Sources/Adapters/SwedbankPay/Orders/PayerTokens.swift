internal import SwedbankPay

/// What the PSP remembers of a payer, to pay with again.
///
/// - Note: Source: merchant backend API, payer owned payment tokens; payment order API, tokens.
public struct PayerTokens: Hashable, Sendable {
    /// The merchant's reference of the payer.
    public var payerReference: String?
    /// The tokens.
    public var tokens: [PayerToken]
    /// What can be done with all of them.
    public var operations: [OrderOperation] = []
}

extension PayerTokens {
    /// Reads an answer: of the list of payment tokens, or of all tokens.
    ///
    /// - Returns: Nothing when it is neither.
    init?(_ answer: AnswerObject, _ reader: OrderAnswerReader) throws(SnapshotRefusal) {
        guard
            let owned = answer.object("payerOwnedPaymentTokens")
                ?? answer.object("payerOwnedTokens")
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
            operations: try reader.operations(of: answer)
        )
    }
}

/// One token of a payer.
public struct PayerToken: Hashable, Sendable {
    /// What a token is good for.
    ///
    /// - Note: Source: payment order API, tokens; also the name of its place in addresses.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The payer pays with it again.
        case payment = "paymenttokens"
        /// The merchant charges at regular times.
        case recurrence = "recurrencetokens"
        /// The merchant charges now and then.
        case unscheduled = "unscheduledtokens"
    }

    /// The token: whoever has it, and the merchant's access, can charge the payer.
    public var token: String
    /// Its type as sent, in lists that hold all types.
    public var type: String?
    /// The method.
    public var instrument: String?
    /// What the payer knows it by, for example a masked card number.
    public var displayName: String?
    /// More about the method, for example `cardBrand` and `expiryDate`.
    public var parameters: [String: String] = [:]
    /// What can be done with it.
    public var operations: [OrderOperation] = []
    /// A merchant backend's own link that deletes it; absolute.
    public var deletion: String?

    /// A token of which nothing else is known.
    public init(token: String) { self.token = token }

    /// Reads an element of a list.
    init?(_ object: AnswerObject, _ reader: OrderAnswerReader) throws(SnapshotRefusal) {
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
    /// Never the token.
    public var description: String { "•••" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PayerTokens: CustomStringConvertible, CustomReflectable {
    /// How many there are.
    public var description: String { "\(tokens.count) tokens" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
