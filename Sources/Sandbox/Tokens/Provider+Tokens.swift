extension Provider {
    /// Stores a card that the payer wants to be remembered.
    func remember(_ card: TestCard, of payer: String) { tokens.remember(card, of: payer) }

    /// The stored cards that an order offers.
    ///
    /// - Throws: 404 for a token that the payer does not have, 422 for a deleted one.
    func cards(for request: SandboxOrder) throws(ProblemDetail) -> [SavedCard] {
        guard let payer = request.payerReference else { return [] }
        let cards = tokens.cards(of: payer, request.scenario.savedCards)
        guard let token = request.details.paymentToken else { return cards }
        guard let entry = tokens.entry(token), entry.payer == payer, entry.token.kind == .payment
        else { throw .unknownToken }
        guard !entry.isDeleted else { throw .inactiveToken }
        return entry.token.card.map { [SavedCard(card: $0, paymentToken: token)] } ?? []
    }

    /// The tokens of a payer.
    func tokenList(_ payer: String, _ list: TokenList) -> Reply {
        let entries = tokens.entries(of: payer, only: list.kind)
        let documents = entries.map { document(of: $0, in: list) }
        let path = "/psp/paymentorders/\(list.rawValue)/\(FormText.escaped(payer))"
        var operations: [JSON] = []
        if !entries.isEmpty {
            operations.append(operation("delete-\(list.rawValue)", path))
        }
        return .ok([
            list.member: [
                "id": .string(path), "payerReference": .string(payer),
                list.listMember: .array(documents),
            ],
            "operations": .array(operations),
        ])
    }

    /// Deletes all tokens of a payer.
    func deleteTokens(
        _ payer: String,
        _ list: TokenList,
        _ body: JSON
    )
        throws(ProblemDetail) -> Reply
    {
        try Self.checkDeletion(body)
        let entries = tokens.entries(of: payer, only: list.kind)
        guard !entries.isEmpty else { throw .unknownToken }
        for entry in entries { tokens.delete(entry.token.token) }
        return tokenList(payer, list)
    }

    /// One token.
    func token(
        _ token: String,
        _ kind: OrderDetails.TokenKind
    )
        throws(ProblemDetail) -> Reply
    {
        let entry = try entry(token, kind)
        guard !entry.isDeleted else { throw .inactiveToken }
        return .ok(single(entry))
    }

    /// Deletes one token.
    func deleteToken(
        _ token: String,
        _ kind: OrderDetails.TokenKind,
        _ body: JSON
    )
        throws(ProblemDetail) -> Reply
    {
        try Self.checkDeletion(body)
        let entry = try entry(token, kind)
        guard !entry.isDeleted else { throw .inactiveToken }
        tokens.delete(token)
        return .ok(single(entry, state: "Deleted"))
    }

    private static func checkDeletion(_ body: JSON) throws(ProblemDetail) {
        var reader = BodyReader(body)
        let state = reader.string("state")
        if !state.isEmpty, state != "Deleted" { reader.refuse("state", "must be Deleted") }
        _ = reader.string("comment")
        try reader.finish()
    }

    private func entry(
        _ token: String,
        _ kind: OrderDetails.TokenKind
    )
        throws(ProblemDetail) -> TokenBook.Entry
    {
        guard let entry = tokens.entry(token), entry.token.kind == kind else {
            throw .unknownToken
        }
        return entry
    }

    private func operation(_ rel: String, _ path: String) -> JSON {
        [
            "rel": .string(rel), "method": "PATCH", "href": .string(baseURL + path),
            "contentType": "application/json",
        ]
    }

    private func path(of token: GeneratedToken) -> String {
        "/psp/paymentorders/\(token.kind.segment)/\(token.token)"
    }

    private func details(of token: GeneratedToken) -> [String: JSON] {
        var parameters: [String: JSON] = [:]
        if let card = token.card {
            parameters = [
                "cardBrand": .string(card.brand), "expiryDate": .string(TestCard.expiryMonth),
            ]
        }
        return [
            "instrument": .string(token.method),
            "instrumentDisplayName": .string(token.card?.maskedNumber ?? token.method),
            "instrumentParameters": .object(parameters),
        ]
    }

    private func document(of entry: TokenBook.Entry, in list: TokenList) -> JSON {
        var members = details(of: entry.token)
        members["operations"] = [
            operation("delete-\(entry.token.kind.segment)", path(of: entry.token))
        ]
        switch list {
        case .payment: members["paymentToken"] = .string(entry.token.token)
        case .all:
            members["token"] = .string(entry.token.token)
            members["tokenType"] = .string(entry.token.kind.typeName)
        }
        return .object(members)
    }

    private func single(_ entry: TokenBook.Entry, state: String = "Active") -> JSON {
        let token = entry.token
        var members = details(of: token)
        members["id"] = .string(path(of: token))
        members["token"] = .string(token.token)
        members["tokenType"] = .string(token.kind.typeName)
        members["state"] = .string(state)
        members["payerReference"] = .optional(entry.payer)
        let operations =
            state == "Active" ? [operation("delete-\(token.kind.segment)", path(of: token))] : []
        return [token.kind.member: .object(members), "operations": .array(operations)]
    }
}

/// The two lists of a payer's tokens.
enum TokenList: String, Sendable, CaseIterable {
    /// The tokens offered to the payer.
    case payment = "payerownedpaymenttokens"
    case all = "payerownedtokens"

    /// The only kind in the list; `nil` for all kinds.
    var kind: OrderDetails.TokenKind? { self == .payment ? .payment : nil }

    var member: String { self == .payment ? "payerOwnedPaymentTokens" : "payerOwnedTokens" }

    var listMember: String { self == .payment ? "paymentTokens" : "tokens" }
}

extension OrderDetails.TokenKind {
    /// The address segment for tokens of the kind.
    var segment: String { rawValue + "tokens" }

    /// The kind's name in lists.
    var typeName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
