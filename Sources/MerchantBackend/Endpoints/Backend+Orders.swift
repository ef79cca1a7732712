internal import Adapters
internal import HTTPTypes
internal import Logging
internal import SwedbankPay

extension PaymentBackend {
    /// Creates an order for a caller.
    ///
    /// The payee, its reference and the callback address are ours, whatever the caller sends.
    /// Stored cards that the caller names must be the caller's own.
    ///
    /// - Note: Source: merchant backend, paymentorders.
    func createOrder(_ request: BackendRequest, of caller: Caller) async throws -> BackendResponse {
        let draft = try OrderDraft(request, in: configuration)
        let problems = draft.problems(in: configuration)
        guard problems.isEmpty else { throw BackendProblem.badRequest(problems) }
        try await checkOwnership(of: draft, by: caller)
        let objections = try await review.review(draft.order, of: caller)
        guard objections.isEmpty else { throw BackendProblem.badRequest(objections) }

        let response = try await psp.perform(psp.api.create(draft.order), version: draft.version)
        guard let response, let created = OrderResponse(response), created.canBeViewed else {
            throw BackendProblem.badGateway(status: 201)
        }
        let order = RegisteredOrder(
            id: created.id,
            name: RandomName.make(length: 22),
            owner: caller.id,
            payeeReference: draft.payeeReference,
            links: callable(created.operations),
            isInstrumentMode: draft.isInstrumentMode
        )
        try await register.keep(order)
        logger.info("order created", metadata: ["order": "\(created.id)"])
        return .json(
            created.disclosed(instrumentURL: instrumentURL(of: order)),
            status: .created
        )
    }

    /// Checks that the stored cards and payers that the caller names are the caller's own.
    func checkOwnership(of draft: OrderDraft, by caller: Caller) async throws {
        if let payer = draft.payerReference {
            guard try await ownership.isOwn(payerReference: payer, of: caller) else {
                throw BackendProblem.forbidden("payer.payerReference", "must be your own")
            }
        }
        guard let token = draft.paymentToken else { return }
        guard configuration.features.allowUsePaymentToken else {
            throw BackendProblem.switchedOff("allowUsePaymentToken")
        }
        guard let payer = draft.payerReference else {
            throw BackendProblem.badField("payer.payerReference", "must go with paymentToken")
        }
        guard
            try await ownership.isOwn(paymentToken: token, payerReference: payer, of: caller),
            try await listedTokens(of: payer).contains(where: { $0.token == token })
        else { throw BackendProblem.forbidden("paymentToken", "must be your own") }
    }

    /// The operations that we may later perform for the caller.
    func callable(_ operations: [RegisteredOrder.Link]) -> [RegisteredOrder.Link] {
        operations.filter { Self.callableRels.contains($0.rel) && psp.isOwn($0.href) }
    }

    /// The address at which the instrument of an order of the second generation is changed; `nil`
    /// for others.
    func instrumentURL(of order: RegisteredOrder) -> String? {
        guard order.isInstrumentMode, order.link(Self.secondInstrumentRel) != nil else {
            return nil
        }
        return configuration.publicURL + "paymentorders/\(order.name)/setInstrument"
    }

    /// The operation of the second generation that changes the instrument.
    static let secondInstrumentRel = "update-paymentorder-setinstrument"

    private static let callableRels: Set<String> = [
        "set-instrument", secondInstrumentRel, "abort", "update-paymentorder-abort",
    ]
}
