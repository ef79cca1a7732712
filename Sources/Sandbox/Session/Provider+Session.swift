extension Provider {
    /// A call that concerns an order, from the client or the merchant.
    struct OrderCall: Sendable {
        let order: String
        /// The operation; `nil` for reading the session by its URL.
        var key: OperationKey?
        /// The merchant's call; `nil` for a call of the session API.
        var merchant: MerchantCall?

        /// The operation's name, for faults and the ledger.
        var rel: String { merchant?.rel.rawValue ?? key?.rel.rawValue ?? "session" }

        /// Whether the call reads the order or its session and changes nothing.
        var isRead: Bool {
            if let merchant { return merchant.rel == .read }
            return key.map { $0.rel == .getPayment } ?? true
        }
    }

    /// Determines what a token in a session address refers to.
    func sessionCall(_ token: String) throws(ProblemDetail) -> OrderCall {
        switch address(of: token) {
        case .session(let order): return OrderCall(order: order)
        case .operation(let order, let key): return OrderCall(order: order, key: key)
        case nil, .script, .challenge, .notification, .swish, .scriptedSwish, .menu, .bank:
            throw .notFound
        }
    }

    /// Performs a call; with a problem, the attempt under way ends with it.
    func perform(
        _ call: OrderCall,
        method: String,
        body: Result<JSON, ProblemDetail>,
        imposing problem: ProblemDetail? = nil
    )
        throws(ProblemDetail) -> Reply
    {
        carryOutLateCalls()
        defer { if call.isRead { recordRead(of: call.order) } }
        if let merchant = call.merchant {
            return try perform(merchant, of: call.order, body: body)
        }
        var order = try unsettled(call.order)
        order.imposedProblem = problem
        order.settle(at: moment)
        defer {
            order.imposedProblem = nil
            keep(order)
        }
        let allowed = call.key?.rel.httpMethod ?? "GET"
        guard method == allowed else { throw .methodNotAllowed(allowed) }
        guard let key = call.key else {
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
