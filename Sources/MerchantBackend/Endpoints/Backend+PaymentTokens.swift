internal import Adapters
internal import EventLog
internal import Logging
internal import SwedbankPay

extension PaymentBackend {
    /// A stored card as the PSP lists it.
    struct ListedToken {
        var token: String
        var json: [String: ForeignJSON]

        /// The PSP's own operation that deletes it.
        var deletion: RegisteredOrder.Link? {
            for operation in json["operations"]?.array ?? [] {
                guard let object = operation.object, let rel = object["rel"]?.string,
                    rel.hasPrefix("delete-"), let href = object["href"]?.string
                else { continue }
                return RegisteredOrder.Link(rel: rel, method: "PATCH", href: href)
            }
            return nil
        }
    }

    /// Lists the caller's own stored cards.
    ///
    /// - Note: Source: merchant backend, payer owned payment tokens.
    func paymentTokens(of payer: String, for caller: Caller) async throws -> BackendResponse {
        guard configuration.features.allowGetPayerOwnedPaymentTokens else {
            throw BackendProblem.switchedOff("allowGetPayerOwnedPaymentTokens")
        }
        try await checkPayer(payer, of: caller)
        let link =
            configuration.publicURL + "payers/" + PercentEncoding.encoded(payer)
            + "/paymentTokens"
        let tokens = try await listedTokens(of: payer).map { listed -> ForeignJSON in
            var json = listed.json.filter { Self.shownOfToken.contains($0.key) }
            json["operations"] = .array([])
            if configuration.features.allowDeletePayerOwnedPaymentToken {
                json["mobileSDK"] = [
                    "delete": .string(link + "/" + PercentEncoding.encoded(listed.token))
                ]
            }
            return .object(json)
        }
        return .json([
            "payerOwnedPaymentTokens": [
                "id": .string(
                    "/psp/paymentorders/payerownedpaymenttokens/"
                        + PercentEncoding.encoded(payer)
                ),
                "payerReference": .string(payer), "paymentTokens": .array(tokens),
            ],
            "operations": .array([]),
        ])
    }

    /// Deletes one of the caller's own stored cards, and responds when the PSP has done it.
    func deletePaymentToken(
        _ request: BackendRequest,
        _ token: String,
        of payer: String,
        for caller: Caller
    ) async throws -> BackendResponse {
        guard configuration.features.allowDeletePayerOwnedPaymentToken else {
            throw BackendProblem.switchedOff("allowDeletePayerOwnedPaymentToken")
        }
        try await checkPayer(payer, of: caller)
        var reader = MemberReader(try request.object(maximumDepth: configuration.maximumDepth))
        let state = reader.text("state")
        if !state.isEmpty, state != "Deleted" { reader.refuse("state", "must be Deleted") }
        let comment =
            reader.members["comment"] == nil
            ? "Deleted by the payer" : reader.text("comment", maximum: 256)
        try reader.finish()
        guard
            try await ownership.isOwn(paymentToken: token, payerReference: payer, of: caller),
            let listed = try await listedTokens(of: payer).first(where: { $0.token == token })
        else { throw BackendProblem.notFound }
        guard let link = listed.deletion else { throw BackendProblem.badGateway(status: 200) }
        _ = try await psp.follow(link, PaymentOrderAPI.deletion(at: link.href, comment: comment))
        logger.info("stored card deleted")
        return .json([:])
    }

    /// The cards that the PSP has stored for a payer; empty when it does not know the payer.
    func listedTokens(of payer: String) async throws(BackendProblem) -> [ListedToken] {
        let response: [String: ForeignJSON]?
        do {
            response = try await psp.perform(psp.api.tokens(of: payer))
        } catch {
            guard error.status == 404 else { throw error }
            return []
        }
        guard let list = response?["payerOwnedPaymentTokens"]?.object else {
            throw .badGateway(status: 200)
        }
        return (list["paymentTokens"]?.array ?? []).compactMap { element in
            element.object.flatMap { object in
                object["paymentToken"]?.string.map { ListedToken(token: $0, json: object) }
            }
        }
    }

    private func checkPayer(_ payer: String, of caller: Caller) async throws {
        guard try await ownership.isOwn(payerReference: payer, of: caller) else {
            throw BackendProblem.notFound
        }
    }

    private static let shownOfToken: Set<String> = [
        "paymentToken", "instrument", "instrumentDisplayName", "instrumentParameters",
        "correlationId",
    ]
}
