import Hummingbird

extension SandboxRoutes {
    /// The merchant's routes for the stored payment details of payers.
    func addTokens(to router: Router<SandboxRequestContext>) {
        for list in TokenList.allCases {
            let path = RouterPath("psp/paymentorders/\(list.rawValue)/:payer")
            router.get(path) { request, context in
                await merchant(request, context) { () async throws(ProblemDetail) in
                    await provider.tokenList(
                        FormText.pathStep(context.parameters.get("payer") ?? ""),
                        list
                    )
                }
            }
            router.patch(path) { request, context in
                await merchant(request, context) { () async throws(ProblemDetail) in
                    try await provider.deleteTokens(
                        FormText.pathStep(context.parameters.get("payer") ?? ""),
                        list,
                        json(of: request)
                    )
                }
            }
        }
        for kind in OrderDetails.TokenKind.allCases {
            let path = RouterPath("psp/paymentorders/\(kind.segment)/:token")
            router.get(path) { request, context in
                await merchant(request, context) { () async throws(ProblemDetail) in
                    try await provider.token(context.parameters.get("token") ?? "", kind)
                }
            }
            router.patch(path) { request, context in
                await merchant(request, context) { () async throws(ProblemDetail) in
                    try await provider.deleteToken(
                        context.parameters.get("token") ?? "",
                        kind,
                        json(of: request)
                    )
                }
            }
        }
    }
}
