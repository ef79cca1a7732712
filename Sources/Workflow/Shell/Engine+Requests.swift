internal import CoreMetrics
internal import EventLog

extension Engine {
    /// Hands a request to its port; its start is durable if it changes anything.
    func begin(_ call: Rules.Call, for session: SessionID) {
        let key = RequestKey(session: session, effect: call.id)
        requestCount += 1
        let number = requestCount
        requests[key] = RequestUnderWay(
            number: number,
            onlyReads: call.onlyReads,
            task: spawn { await $0.request(call, for: session, key, number) }
        )
    }

    private func request(
        _ call: Rules.Call,
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
        guard let response = await response(to: call, of: session) else {
            requests[key] = nil
            return
        }
        measure(response, to: call)
        guard requests[key]?.number == number else { return }
        requests[key] = nil
        guard sessions[session] != nil else { return }
        sessions[session]?.secrets.merge(response.secrets)
        handle(
            .answered(
                session,
                call.id,
                response.outcome,
                durationMilliseconds: response.durationMilliseconds
            )
        )
    }

    /// Performs a request; nothing of the session is kept meanwhile but what the request needs.
    private func response(to call: Rules.Call, of session: SessionID) async -> CallResponse<Rules>?
    {
        guard let resources = sessions[session], let state = core.state(of: session) else {
            return nil
        }
        return await port.perform(
            call,
            of: CallingSession(
                session: session,
                state: state,
                secrets: resources.secrets,
                keys: resources.keys
            )
        )
    }

    private func measure(_ response: CallResponse<Rules>, to call: Rules.Call) {
        let dimensions = [
            ("rel", call.metricName), ("outcome", response.outcome.metricName),
        ]
        Timer(label: "payment_workflow_request_duration", dimensions: dimensions)
            .recordMilliseconds(response.durationMilliseconds)
    }
}
