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

    /// Performs a call of the session API, faults included.
    private func exchange(_ request: Request, _ context: SandboxRequestContext) async -> Response {
        let body = await body(of: request)
        do throws(ProblemDetail) {
            let token = context.parameters.get("token") ?? ""
            return await exchange(try await provider.sessionCall(token), request, context, body)
        } catch {
            return Reply.problem(error).response
        }
    }

    /// Performs a call that concerns an order, faults included.
    func exchange(
        _ call: Provider.OrderCall,
        _ request: Request,
        _ context: SandboxRequestContext,
        _ body: Result<JSON, ProblemDetail>
    ) async -> Response {
        do throws(ProblemDetail) {
            let met = try await provider.strike(call.order, rel: call.rel)
            let exchange = FaultedExchange(
                provider: provider,
                call: call,
                fault: met.fault,
                step: met.step,
                hangLimit: configuration.hangLimit
            )
            return await ended(exchange, request.method.rawValue, body, context)
        } catch {
            return Reply.problem(error).response
        }
    }

    /// Performs a call and ends it on the connection.
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
