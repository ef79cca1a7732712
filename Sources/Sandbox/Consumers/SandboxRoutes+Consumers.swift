import Hummingbird

extension SandboxRoutes {
    /// The check-in routes for the merchant, the payer's browser and tests.
    func addConsumers(to router: Router<SandboxRequestContext>) {
        router.post("psp/consumers") { request, context in
            await merchant(request, context) { () async throws(ProblemDetail) in
                try await provider.openCheckIn(json(of: request))
            }
        }
        router.get("psp/consumers/:token/shipping-details") { request, context in
            await merchant(request, context) { () async throws(ProblemDetail) in
                try await provider.shippingDetails(context.parameters.get("token") ?? "")
            }
        }
        router.get("psp/consumers/:token/:what") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.checkIn(
                    context.parameters.get("token") ?? "",
                    context.parameters.get("what") ?? ""
                )
            }
        }
        router.post("psp/consumers/:token/:what") { request, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.pressCheckIn(
                    context.parameters.get("token") ?? "",
                    context.parameters.get("what") ?? "",
                    form(of: request)
                )
            }
        }
        router.post("sandbox/consumers/:token/identify") { request, context in
            let query = query(of: request)
            return await respond { () async throws(ProblemDetail) in
                try await provider.playCheckIn(context.parameters.get("token") ?? "", query)
            }
        }
        router.get("psp/privacy") { _, _ in
            Reply.page(PlainPage.html("Privacy", "")).response
        }
    }
}
