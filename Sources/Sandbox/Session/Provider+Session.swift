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
        case nil, .script, .challenge, .notification, .swish: throw .notFound
        }
    }

    /// Carries out a call.
    func perform(
        _ call: SessionCall,
        method: String,
        body: Result<JSON, ProblemDetail>
    )
        throws(ProblemDetail) -> Reply
    {
        var order = try order(call.order)
        defer { keep(order) }
        let allowed = call.key?.rel.httpMethod ?? "GET"
        guard method == allowed else { throw .methodNotAllowed(allowed) }
        guard let key = call.key else { return .ok(order.snapshot()) }
        return try order.perform(
            key,
            key.rel.takesBody ? try body.get() : .null,
            at: moment
        )
    }
}
