/// Performs one request of an order, disturbed by a fault or not.
struct FaultedExchange: Sendable {
    /// How a request ends on the connection.
    enum Ending: Sendable {
        case response(Reply)
        case reset
    }

    let provider: Provider
    let request: Provider.OrderRequest
    let fault: Fault?
    /// The step of the order's script for the request; it takes precedence over a fault.
    let step: Step?
    /// The time for which a hanging connection stays open.
    let hangLimit: Duration

    /// Performs the request, records it in the ledger and returns what to do with the connection.
    func run(method: String, body: Result<JSON, ProblemDetail>) async -> Ending {
        if let step { return await run(step, method: method, body: body) }
        guard let fault else {
            let reply = await perform(method: method, body: body)
            await record(reply.status, reply.outcome)
            return .response(reply)
        }
        if case .act(let act, let isFirst) = fault.kind {
            return await perform(method, body, with: act, isFirst: isFirst)
        }
        if let effect = fault.lateEffect {
            await provider.holdBack(request, method, body, until: effect)
            return await disturb(.noContent, by: fault)
        }
        if fault.isCarriedOut {
            let reply = await perform(method: method, body: body)
            return await disturb(reply, by: fault)
        }
        if case .delay(let delay) = fault.kind {
            try? await Task.sleep(for: delay)
            let reply = await perform(method: method, body: body)
            await record(reply.status, fault.label)
            return .response(reply)
        }
        return await disturb(.noContent, by: fault)
    }

    /// Performs the operation; with a problem, the attempt ends with it.
    func perform(
        method: String,
        body: Result<JSON, ProblemDetail>,
        imposing problem: ProblemDetail? = nil
    ) async -> Reply {
        do {
            return try await provider.perform(
                request,
                method: method,
                body: body,
                imposing: problem
            )
        } catch {
            return .problem(error)
        }
    }

    /// Performs the operation while another party acts on the order.
    func perform(
        _ method: String,
        _ body: Result<JSON, ProblemDetail>,
        with act: Act,
        isFirst: Bool
    ) async -> Ending {
        var refusal = ""
        func carryOut() async {
            do {
                _ = try await provider.carryOut(act, on: request.order)
            } catch {
                refusal = "-refused"
            }
        }
        if isFirst { await carryOut() }
        let reply = await perform(method: method, body: body)
        if !isFirst { await carryOut() }
        await record(reply.status, reply.outcome)
        await provider.record(
            order: request.order,
            rel: "act",
            status: 0,
            outcome: act.name + refusal
        )
        return .response(reply)
    }

    /// Replaces the PSP's response for the client.
    ///
    /// The ledger is written before the disturbance, so that it is complete when the client
    /// notices.
    func disturb(_ reply: Reply, by fault: Fault) async -> Ending {
        switch fault.kind {
        case .reset:
            await record(0, fault.label)
            return .reset
        case .hang:
            await record(0, fault.label)
            try? await Task.sleep(for: hangLimit)
            return .reset
        case .delay(let delay):
            await record(reply.status, fault.label)
            try? await Task.sleep(for: delay)
            return .response(reply)
        case .status, .empty, .noContent, .garbage, .html, .wrongTypes, .wrongMembers, .foreign,
            .act, .array, .huge, .duplicateMembers, .unknownMembers, .unknownNext:
            let shown = reply.disturbed(by: fault.kind)
            await record(shown.status, fault.label)
            return .response(shown)
        }
    }

    /// Records in the ledger how the request ended.
    func record(_ status: Int, _ outcome: String) async {
        await provider.record(
            order: request.order,
            rel: request.rel,
            status: status,
            outcome: outcome
        )
    }
}

extension Reply {
    /// The outcome in the ledger: `ok`, or the problem type without its prefix.
    var outcome: String {
        guard case .problem(let document) = body, let type = document["type"]?.text else {
            return "ok"
        }
        return type.hasPrefix(ProblemDetail.typePrefix)
            ? String(type.dropFirst(ProblemDetail.typePrefix.count)) : type
    }
}
