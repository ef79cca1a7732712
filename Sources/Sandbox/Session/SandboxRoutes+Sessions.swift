import Hummingbird

extension SandboxRoutes {
    /// The routes for the client.
    func addSessions(to router: Router<SandboxRequestContext>) {
        router.get("psp/paymentsessions/:token") { request, context in
            await exchange(request, context)
        }
        router.post("psp/paymentsessions/:token") { request, context in
            await exchange(request, context)
        }
        router.get("psp/operations/:token") { request, context in
            await exchange(request, context)
        }
        router.post("psp/operations/:token") { request, context in
            await exchange(request, context)
        }
    }

    /// Performs a request of the session API, faults included.
    private func exchange(_ request: Request, _ context: SandboxRequestContext) async -> Response {
        let body = await body(of: request)
        do throws(ProblemDetail) {
            let token = context.parameters.get("token") ?? ""
            return await exchange(
                try await provider.sessionRequest(token),
                method: request.method.rawValue,
                context,
                body
            )
        } catch {
            return Reply.problem(error).response
        }
    }

    /// Performs a request that concerns an order, faults included.
    func exchange(
        _ request: Provider.OrderRequest,
        method: String,
        _ context: SandboxRequestContext,
        _ body: Result<JSON, ProblemDetail>
    ) async -> Response {
        do throws(ProblemDetail) {
            let met = try await provider.strike(request.order, rel: request.rel)
            let exchange = FaultedExchange(
                provider: provider,
                request: request,
                fault: met.fault,
                step: met.step,
                hangLimit: configuration.hangLimit
            )
            return await ended(exchange, method, body, context)
        } catch {
            return Reply.problem(error).response
        }
    }

    /// Performs a request and ends it on the connection.
    func ended(
        _ exchange: FaultedExchange,
        _ method: String,
        _ body: Result<JSON, ProblemDetail>,
        _ context: SandboxRequestContext
    ) async -> Response {
        switch await exchange.run(method: method, body: body) {
        case .response(let reply):
            return reply.response
        case .reset:
            await context.connection.reset()
            return Reply.noContent.response
        }
    }
}
