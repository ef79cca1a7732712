import Hummingbird

extension SandboxRoutes {
    /// What the merchant talks to.
    func addOrders(to router: Router<SandboxRequestContext>) {
        router.post("psp/paymentorders") { request, _ in
            await answer { () async throws(ProblemDetail) in
                try await provider.createOrder(from: json(of: request))
            }
        }
        router.get("psp/paymentorders/:id") { _, context in
            await answer { () async throws(ProblemDetail) in
                .ok(try await provider.order(context.parameters.get("id") ?? "").document())
            }
        }
        router.patch("psp/paymentorders/:id") { request, context in
            await answer { () async throws(ProblemDetail) in
                try await provider.abortOrder(
                    context.parameters.get("id") ?? "",
                    json(of: request)
                )
            }
        }
        router.get("psp/scripts/:token") { _, context in
            await answer { () async throws(ProblemDetail) in
                try await provider.script(context.parameters.get("token") ?? "")
            }
        }
    }
}

extension Provider {
    /// The payment menu's script.
    func script(_ token: String) throws(ProblemDetail) -> Reply {
        guard case .script(let id)? = address(of: token) else { throw .notFound }
        return Reply(status: 200, body: .script(try order(id).menuScript), isShared: true)
    }
}
