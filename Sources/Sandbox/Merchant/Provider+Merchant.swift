extension Provider {
    /// Performs a merchant's request on an order.
    func perform(
        _ request: MerchantRequest,
        of id: String,
        body: Result<JSON, ProblemDetail>
    )
        throws(ProblemDetail) -> Reply
    {
        if case .create(let request, let parts) = request {
            return try createOrder(request, expanding: parts)
        }
        var order = try order(id)
        switch request {
        case .create: throw .notFound
        case .read(let parts): return .ok(order.document(expanding: parts))
        case .readPart(let part):
            guard let document = order.document(of: part) else { throw .notFound }
            return .ok(document)
        case .change(let rel):
            try order.change(rel, try body.get(), at: moment)
            keep(order)
            return .ok(order.document())
        case .transact(let kind):
            let request = try TransactionRequest(kind, try body.get())
            if isUsed(request.payeeReference, by: order.request) {
                order.refusedDuplicates += 1
                keep(order)
                throw .inputError([
                    FieldProblem(
                        name: "transaction.payeeReference",
                        description: "was used before"
                    )
                ])
            }
            if let obstacle = order.obstacle(to: kind) { throw obstacle }
            use(request.payeeReference, by: order.request)
            defer { keep(order) }
            let status = try order.transact(
                request,
                bankTakes: configuration.bankReversalDelay,
                at: moment
            )
            let response = order.document(after: kind, status: status)
            return Reply(status: status, body: .json(response))
        }
    }

    /// Throws unless the merchant sends the configured token, if there is one.
    nonisolated func authorize(_ header: String?) throws(ProblemDetail) {
        guard let token = configuration.accessToken else { return }
        guard header == "Bearer \(token)" else { throw .unauthorized }
    }
}
