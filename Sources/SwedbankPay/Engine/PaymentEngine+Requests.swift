internal import EventLog
internal import CoreMetrics
internal import Tracing

extension PaymentEngine {
    /// Hands a request to the provider; its start is durable if it changes anything.
    func begin(_ call: OperationCall, for session: SessionID) {
        let key = RequestKey(session: session, effect: call.id)
        requestCount += 1
        let number = requestCount
        requests[key] = RequestUnderWay(
            number: number,
            task: spawn { await $0.request(call, for: session, key, number) }
        )
    }

    private func request(
        _ call: OperationCall,
        for session: SessionID,
        _ key: RequestKey,
        _ number: Int
    ) async {
        guard sessions[session] != nil else {
            requests[key] = nil
            return
        }
        // As late as possible: this process may have stood still since the lease was taken or the start was stored.
        guard store.holdsLease(on: session) else {
            guard requests[key]?.number == number else { return }
            requests[key] = nil
            return handle(.notPerformed(session, call.id))
        }
        let answer = await answer(to: call, of: session)
        measure(answer, to: call)
        guard requests[key]?.number == number else { return }
        requests[key] = nil
        guard sessions[session] != nil else { return }
        sessions[session]?.secrets.merge(answer.secrets)
        handle(
            .answered(
                session,
                call.id,
                answer.outcome,
                durationMilliseconds: answer.durationMilliseconds
            )
        )
    }

    /// Performs a request; nothing of the session is kept meanwhile but what the request needs.
    private func answer(to call: OperationCall, of session: SessionID) async -> ProviderAnswer {
        guard let request = providerRequest(for: call, of: session) else {
            return ProviderAnswer(
                outcome: .failed(
                    reach: .notSent,
                    code: "engine.secret-missing",
                    isTransient: false
                ),
                secrets: SecretTable(),
                durationMilliseconds: 0
            )
        }
        let provider = provider
        return await withSpan("psp.\(call.rel.rawValue)", ofKind: .client) { span in
            span.attributes["payment.session"] = session.description
            span.attributes["payment.effect"] = call.id.rawValue
            return await provider.perform(request)
        }
    }

    /// The request that a call becomes; nothing when its address is not at hand.
    private func providerRequest(
        for call: OperationCall,
        of session: SessionID
    ) -> ProviderRequest? {
        guard let resources = sessions[session], let address = resources.secrets[call.href] else {
            return nil
        }
        let held = core.held(session)
        return ProviderRequest(
            rel: call.rel,
            method: call.method,
            address: address,
            body: call.body,
            culture: held?.state.snapshot?.culture,
            client: configuration.client,
            secrets: resources.secrets,
            keys: resources.keys,
            knownURLs: held?.state.orderURLs,
            tryNumber: call.tryNumber,
            gateway: held?.state.checkout.flatMap { checkout in
                resources.secrets[checkout.opening.root].map {
                    GatewayAccess(gateway: checkout.opening.gateway, root: $0)
                }
            }
        )
    }

    private func measure(_ answer: ProviderAnswer, to call: OperationCall) {
        let dimensions = [("rel", call.rel.metricName), ("outcome", answer.outcome.metricName)]
        Timer(label: "payment_workflow_request_duration", dimensions: dimensions)
            .recordMilliseconds(answer.durationMilliseconds)
    }
}

extension Rel {
    /// The name in metrics: those that we know, and one for all others, so that there are few.
    fileprivate var metricName: String { isKnown || self == .session ? rawValue : "other" }
}

extension ProviderAnswer.Outcome {
    /// The name in metrics.
    fileprivate var metricName: String {
        switch self {
        case .snapshot: "snapshot"
        case .empty: "empty"
        case .undecodable: "undecodable"
        case .endpoints: "endpoints"
        case .consumer: "consumer"
        case .order: "order"
        case .refused(let status, _, _): "status-\(status / 100)xx"
        case .failed(let reach, _, _): "failed-\(reach.rawValue)"
        }
    }
}
