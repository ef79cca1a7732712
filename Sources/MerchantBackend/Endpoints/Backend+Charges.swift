internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Logging
internal import SwedbankPay

extension PaymentBackend {
    /// Charges the token that a paid order of the caller created, without the payer.
    ///
    /// Callers name the paid order and never a token. They give each charge a reference of their
    /// own, from which the PSP's reference is derived, so that the same charge, sent again after a
    /// lost response, is refused and not made twice.
    ///
    /// - Note: Source: payment order API, recurring and unscheduled: one attempt, `Paid` or
    ///   `Failed` at once.
    func charge(_ request: BackendRequest, of caller: Caller) async throws -> BackendResponse {
        guard configuration.features.allowChargeStoredTokens else {
            throw BackendProblem.switchedOff("allowChargeStoredTokens")
        }
        var reader = MemberReader(try request.object(maximumDepth: configuration.maximumDepth))
        let resource = reader.text("resource")
        if !resource.isEmpty, !OrderID.isOne(resource) {
            reader.refuse("resource", "must be the id of a payment order")
        }
        try reader.finish()
        let draft = try OrderDraft(request, in: configuration)
        guard let kind = draft.order.purpose.tokenKind else {
            throw BackendProblem.badField("operation", "must be Recur or UnscheduledPurchase")
        }
        guard let own = draft.givenReference, !own.isEmpty else {
            throw BackendProblem.badField(
                "payeeInfo.payeeReference",
                "is required: your own reference of this charge, the same when the request is repeated"
            )
        }
        let source = try await self.order(.id(resource), of: caller)
        try await checkOwnership(of: draft, by: caller)
        guard let token = try await storedToken(kind, of: source) else {
            throw BackendProblem.badField(
                "resource",
                "must be a paid order that returned such a token"
            )
        }
        let reference = Self.chargeReference(own, of: caller)
        let order = draft.order.charging(token, as: reference)
        let rules = OrderRules(allowsInsecureLoopback: configuration.allowsInsecureLoopback)
        let problems = draft.strayMembers + order.problems(under: rules)
        guard problems.isEmpty else { throw BackendProblem.badRequest(problems) }
        let objections = try await review.review(order, of: caller)
        guard objections.isEmpty else { throw BackendProblem.badRequest(objections) }
        return try await make(order, reference, of: caller)
    }

    private func make(
        _ order: PaymentOrder,
        _ reference: String,
        of caller: Caller
    ) async throws -> BackendResponse {
        let response = try await psp.perform(psp.api.create(order), version: .v3_1)
        guard let response, let created = OrderResponse(response) else {
            throw BackendProblem.badGateway(status: 201)
        }
        let registered = RegisteredOrder(
            id: created.id,
            name: RandomName.make(length: 22),
            owner: caller.id,
            payeeReference: reference,
            links: [],
            isInstrumentMode: false
        )
        try await register.keep(registered)
        logger.info("stored token charged", metadata: ["order": "\(created.id)"])
        // The result is in parts that the response need not contain; even without them the order
        // exists.
        let parts = try? await psp.perform(psp.api.read(created.id, expanding: ["paid", "failed"]))
        let whole = parts.flatMap { OrderResponse($0) } ?? created
        return .json(whole.disclosed(instrumentURL: nil), status: .created)
    }

    /// The token of a kind that a paid order created.
    private func storedToken(
        _ kind: String,
        of order: RegisteredOrder
    ) async throws -> String? {
        let response = try await psp.perform(psp.api.read(order.id, expanding: ["paid"]))
        guard let response, let shown = OrderResponse(response), shown.id == order.id else {
            throw BackendProblem.badGateway(status: 200)
        }
        let tokens = shown.members["paid"]?.object?["tokens"]?.array ?? []
        return tokens.lazy.compactMap(\.object)
            .first { $0["type"]?.string?.lowercased() == kind }?["token"]?.string
    }

    /// The PSP's reference for a caller's charge: always the same for the same name, and different
    /// for every other caller.
    ///
    /// - Note: Source: payeeReference: `A-Za-z0-9`, up to 30 characters, unique for every
    ///   operation.
    private static func chargeReference(_ own: String, of caller: Caller) -> String {
        let name = Array(caller.id.utf8) + [0] + Array(own.utf8)
        return String(HashChain.hash(.zero, name).hexadecimal.prefix(30))
    }
}

extension PaymentOrder {
    /// The order with the token that it charges and its reference.
    fileprivate func charging(_ token: String, as reference: String) -> PaymentOrder {
        var order = self
        if purpose == .recur {
            order.recurrenceToken = token
        } else {
            order.unscheduledToken = token
        }
        order.payeeInfo?.payeeReference = reference
        // No page is shown, and no payer returns.
        order.urls.hosts = []
        order.urls.complete = ""
        (order.urls.cancel, order.urls.payment) = (nil, nil)
        return order
    }
}

extension PaymentOrderPurpose {
    /// The kind of the token that an order with this purpose charges; `nil` for payments by payers.
    fileprivate var tokenKind: String? {
        switch self {
        case .recur: "recurrence"
        case .unscheduledPurchase: "unscheduled"
        default: nil
        }
    }
}
