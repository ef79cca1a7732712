extension Provider {
    /// A request that concerns an order, from the client or the merchant.
    struct OrderRequest: Sendable {
        let order: String
        /// The operation; `nil` for reading the session by its URL.
        var key: OperationKey?
        /// The merchant's request; `nil` for a request of the session API.
        var merchant: MerchantRequest?

        /// The operation's name, for faults and the ledger.
        var rel: String { merchant?.rel.rawValue ?? key?.rel.rawValue ?? "session" }

        /// Whether the request reads the order or its session and changes nothing.
        var isRead: Bool {
            if let merchant { return merchant.rel == .read }
            return key.map { $0.rel == .getPayment } ?? true
        }
    }

    /// Determines what a token in a session address refers to.
    func sessionRequest(_ token: String) throws(ProblemDetail) -> OrderRequest {
        switch address(of: token) {
        case .session(let order): return OrderRequest(order: order)
        case .operation(let order, let key): return OrderRequest(order: order, key: key)
        case nil, .script, .challenge, .notification, .swish, .scriptedSwish, .menu, .bank:
            throw .notFound
        }
    }

    /// Performs a request; with a problem, the attempt under way ends with it.
    func perform(
        _ request: OrderRequest,
        method: String,
        body: Result<JSON, ProblemDetail>,
        imposing problem: ProblemDetail? = nil
    )
        throws(ProblemDetail) -> Reply
    {
        carryOutLateRequests()
        defer { if request.isRead { recordRead(of: request.order) } }
        if let merchant = request.merchant {
            return try perform(merchant, of: request.order, body: body)
        }
        var order = try unsettled(request.order)
        order.imposedProblem = problem
        order.settle(at: moment)
        defer {
            order.imposedProblem = nil
            keep(order)
        }
        let allowed = request.key?.rel.httpMethod ?? "GET"
        guard method == allowed else { throw .methodNotAllowed(allowed) }
        guard let key = request.key else {
            if let problem, order.imposedProblem != nil { order.impose(problem, at: moment) }
            return .ok(order.snapshot())
        }
        let reply = try order.perform(
            key,
            key.rel.takesBody ? try body.get() : .null,
            at: moment
        )
        guard let problem else { return reply }
        if order.imposedProblem != nil { order.impose(problem, at: moment) }
        return .ok(order.snapshot())
    }
}
