internal import EventLog
internal import Tracing
internal import Workflow

/// Performs the rules' requests at the PSP, with their secrets in the clear.
struct ProviderPort: RequestPort {
    let provider: any PaymentProvider
    let client: ClientProfile

    func perform(
        _ request: OperationRequest,
        of session: RequestingSession<SessionDecider>
    ) async -> WorkflowResponse<SessionDecider> {
        guard let message = message(for: request, of: session) else {
            return WorkflowResponse(
                outcome: .failed(
                    reach: .notSent,
                    code: "engine.secret-missing",
                    isTransient: false
                ),
                durationMilliseconds: 0
            )
        }
        let response = await withSpan("psp.\(request.rel.rawValue)", ofKind: .client) { span in
            span.attributes["payment.session"] = session.session.description
            span.attributes["payment.effect"] = request.id.rawValue
            return await provider.perform(message)
        }
        return WorkflowResponse(
            outcome: response.outcome,
            secrets: response.secrets,
            durationMilliseconds: response.durationMilliseconds
        )
    }

    /// The message for a request; `nil` when the plaintext of its address is not available.
    private func message(
        for request: OperationRequest,
        of session: RequestingSession<SessionDecider>
    ) -> ProviderRequest? {
        guard let address = session.secrets[request.href] else { return nil }
        return ProviderRequest(
            rel: request.rel,
            method: request.method,
            address: address,
            body: request.body,
            culture: session.state.payment?.snapshot?.culture,
            client: client,
            secrets: session.secrets,
            keys: session.keys,
            knownURLs: session.state.orderURLs,
            tryNumber: request.tryNumber,
            gateway: session.state.checkout.flatMap { checkout in
                session.secrets[checkout.opening.root].map {
                    GatewayAccess(gateway: checkout.opening.gateway, root: $0)
                }
            }
        )
    }
}
