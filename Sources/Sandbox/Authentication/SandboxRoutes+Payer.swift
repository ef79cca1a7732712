import Hummingbird

extension SandboxRoutes {
    /// The routes for the payer's browser and apps, and for playing the payer in a test.
    func addPayer(to router: Router<SandboxRequestContext>) {
        router.post("acs/method") { request, _ in
            await respond { () async throws(ProblemDetail) in
                try await provider.methodPage(form(of: request))
            }
        }
        router.post("acs/challenge") { request, _ in
            await respond { () async throws(ProblemDetail) in
                try await provider.challengePage(form(of: request))
            }
        }
        router.post("notification/:token") { request, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.notify(
                    context.parameters.get("token") ?? "",
                    form(of: request)
                )
            }
        }
        router.get("notification/:token") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.notified(context.parameters.get("token") ?? "")
            }
        }
        router.post("sandbox/acs/:id/:decision") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.decideChallenge(
                    context.parameters.get("id") ?? "",
                    decision: context.parameters.get("decision") ?? ""
                )
            }
        }
        for method in [HTTPRequest.Method.get, .post] {
            router.on("sandbox/swish/:token", method: method) { request, context in
                let query = query(of: request)
                return await respond { () async throws(ProblemDetail) in
                    try await provider.decideSwish(
                        context.parameters.get("token") ?? "",
                        decision: query["decision"],
                        callbackURL: query["callbackurl"]
                    )
                }
            }
        }
    }
}
