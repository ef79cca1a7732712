internal import EventLog
internal import Tracing
internal import Workflow

/// Performs the rules' requests at the PSP, with their secrets in the clear.
struct ProviderPort: RequestPort {
    let provider: any PaymentProvider
    let client: ClientProfile

    func perform(
        _ call: OperationCall,
        of session: CallingSession<SessionDecider>
    ) async -> CallResponse<SessionDecider> {
        guard let request = request(for: call, of: session) else {
            return CallResponse(
                outcome: .failed(
                    reach: .notSent,
                    code: "engine.secret-missing",
                    isTransient: false
                ),
                durationMilliseconds: 0
            )
        }
        let response = await withSpan("psp.\(call.rel.rawValue)", ofKind: .client) { span in
            span.attributes["payment.session"] = session.session.description
            span.attributes["payment.effect"] = call.id.rawValue
            return await provider.perform(request)
        }
        return CallResponse(
            outcome: response.outcome,
            secrets: response.secrets,
            durationMilliseconds: response.durationMilliseconds
        )
    }

    /// The request for a call; `nil` when the plaintext of its address is not available.
    private func request(
        for call: OperationCall,
        of session: CallingSession<SessionDecider>
    ) -> ProviderRequest? {
        guard let address = session.secrets[call.href] else { return nil }
        return ProviderRequest(
            rel: call.rel,
            method: call.method,
            address: address,
            body: call.body,
            culture: session.state.payment?.snapshot?.culture,
            client: client,
            secrets: session.secrets,
            keys: session.keys,
            knownURLs: session.state.orderURLs,
            tryNumber: call.tryNumber,
            gateway: session.state.checkout.flatMap { checkout in
                session.secrets[checkout.opening.root].map {
                    GatewayAccess(gateway: checkout.opening.gateway, root: $0)
                }
            }
        )
    }
}
