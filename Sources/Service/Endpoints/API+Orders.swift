internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import SwedbankPay
internal import Workflow

extension PaymentAPI {
    /// Captures, reverses or cancels; the order is read first, since it may have changed elsewhere.
    func transact(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let content = try request.content(TransactionContent.self)
        let items = try items(of: request)
        let kind = try content.check(hasItems: items != nil)
        let intervention = try intervention(content.kind, content.reason, request)
        // Before the version is compared, so that a transaction in between is noticed either way.
        let before = try await state(of: try request.session()).money.requested.count
        return try await drive(request, as: intervention) { session, key in
            let order = try await readOrder(of: session, by: request.caller.name)
            // Reading takes time, in which somebody else may have requested a transaction.
            if request.head.headerFields[.ifMatch] ?? "*" != "*" {
                let requested = try await engine.state(of: session).money.requested.count
                guard requested == before else { throw ServiceProblem.changed }
            }
            var transaction = try content.transaction(kind, items, of: order)
            transaction.currency = content.currency
            transaction.payeeReference = content.payeeReference
            transaction.receiptReference = content.receiptReference
            transaction.again = content.again ?? false
            try await engine.transact(session, transaction, key: key)
        }
    }

    private func items(of request: ServiceRequest) throws(ServiceProblem) -> [OrderItem]? {
        guard let text = try request.member("items") else { return nil }
        do throws(PaymentOrderError) { return try PaymentOrderDocument.readItems(text) } catch {
            throw ServiceProblem(422, error.code, error.description)
        }
    }

    /// Reads the order of a checkout at the PSP.
    ///
    /// - Throws: The engine's error, or a problem when the order cannot be read now: without it,
    ///   nothing is requested.
    private func readOrder(of session: SessionID, by who: String) async throws -> OrderSnapshot? {
        guard try await engine.state(of: session).checkout != nil else {
            throw EngineError.rejected(.notACheckout)
        }
        try await engine.refetch(session, by: who)
        let state = try await settled(session, within: Self.longestWait) { state in
            engine.decider.isSettled(state) || state.checkout?.isReadPending == false
        }
        guard state.checkout?.isReadPending == false,
            !engine.decider.isSettled(state) || state.problem?.problem.kind != .requestFailed
        else {
            var problem = ServiceProblem(
                503,
                "session.request-failed",
                "the order could not be read, so that nothing was requested",
                hint: "read the session, and send the request again later"
            )
            problem.retryAfterSeconds = 10
            throw problem
        }
        return state.checkout?.order
    }

    /// Gives a checkout the order that it lost, as an operator found it at the PSP.
    func adoptOrder(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        let content = try request.content(AdoptionContent.self)
        guard let order = OrderPath(content.order) else {
            throw ServiceProblem(
                422,
                "usage.order",
                "this is not the address of a payment order",
                hint: "send its address or path, such as /psp/paymentorders/ID"
            )
        }
        let acted = OperatorActed(
            by: request.caller.name,
            action: OperatorActed.adoptingOrder,
            reason: try request.reason(content.reason),
            order: order
        )
        return try await drive(request) { session, key in
            try order.check(against: try await engine.state(of: session))
            try await engine.record(acted, in: session, key: key)
        }
    }
}
