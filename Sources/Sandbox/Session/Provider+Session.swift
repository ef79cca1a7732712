extension Provider {
    /// A call of the session API that the sandbox recognised.
    struct SessionCall: Sendable {
        let order: String
        /// Nil for reading the session by its URL.
        let key: OperationKey?

        /// The operation's name, for faults and the ledger.
        var rel: String { key?.rel.rawValue ?? "session" }
    }

    /// Finds out what a token in a session address stands for.
    func sessionCall(_ token: String) throws(ProblemDetail) -> SessionCall {
        switch address(of: token) {
        case .session(let order): return SessionCall(order: order, key: nil)
        case .operation(let order, let key): return SessionCall(order: order, key: key)
        case nil, .script, .challenge, .notification, .swish, .scriptedSwish, .menu, .bank:
            throw .notFound
        }
    }

    /// Carries out a call; with a problem, the attempt under way ends with it.
    func perform(
        _ call: SessionCall,
        method: String,
        body: Result<JSON, ProblemDetail>,
        imposing problem: ProblemDetail? = nil
    )
        throws(ProblemDetail) -> Reply
    {
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
