import Hummingbird

extension SandboxRoutes {
    /// The routes for the hosted payment menu, the pages to which it redirects, and for playing the
    /// payer.
    func addMenu(to router: Router<SandboxRequestContext>) {
        router.get("psp/menu/:token") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.menuPage(context.parameters.get("token") ?? "")
            }
        }
        router.post("psp/menu/:token/:button") { request, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.pressMenu(
                    context.parameters.get("token") ?? "",
                    context.parameters.get("button") ?? "",
                    form(of: request)
                )
            }
        }
        router.get("sandbox/bank/:token") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.bankPage(context.parameters.get("token") ?? "")
            }
        }
        router.post("sandbox/bank/:token/:decision") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.decideBank(
                    context.parameters.get("token") ?? "",
                    context.parameters.get("decision") ?? ""
                )
            }
        }
        router.post("sandbox/menu/:id/:action") { request, context in
            let query = query(of: request)
            return await respond { () async throws(ProblemDetail) in
                try await provider.playMenu(
                    context.parameters.get("id") ?? "",
                    context.parameters.get("action") ?? "",
                    method: query["method"],
                    problem: query["problem"]
                )
            }
        }
    }
}
