internal import EventLog
internal import Inspection
internal import SwedbankPay

/// What an operator does to a payment against its usual course, as it is recorded.
struct Intervention: Sendable {
    /// The name of the command.
    let action: String
    /// Why, in the operator's words.
    let reason: String?
}

extension PaymentAPI {
    /// An intervention, with the reason of the request's body, or of its field `Reason`.
    ///
    /// - Throws: A problem when the policy requires a reason and none is given, or when the reason
    ///   cannot be recorded.
    func intervention(
        _ action: String,
        _ given: String?,
        _ request: ServiceRequest
    ) throws(ServiceProblem) -> Intervention {
        let reason = try request.reason(given)
        guard reason != nil || !policies.recordsInterventions || !policies.requiresReason else {
            throw ServiceProblem(
                422,
                "usage.reason",
                "a reason is required",
                hint: "say why in the member 'reason' or the field 'Reason'; it is recorded"
            )
        }
        return Intervention(action: action, reason: reason)
    }

    /// Records an intervention that was carried out, if the policy requires it or a reason was
    /// given.
    func record(
        _ intervention: Intervention?,
        by request: ServiceRequest,
        in session: SessionID,
        _ key: RequestKey?
    ) async throws(ServiceProblem) {
        guard let intervention, policies.recordsInterventions || intervention.reason != nil else {
            return
        }
        let acted = OperatorActed(
            by: request.caller.name,
            action: intervention.action,
            reason: intervention.reason
        )
        do throws(EngineError) {
            try await engine.record(acted, in: session, key: key)
        } catch {
            throw ServiceProblem(error)
        }
    }

    /// Records the intervention of a request that was carried out before, unless its log has the
    /// record: the service may have ended between both.
    func recordMissing(
        _ intervention: Intervention?,
        by request: ServiceRequest,
        in session: SessionID,
        _ key: RequestKey
    ) async throws(ServiceProblem) {
        guard intervention != nil else { return }
        let isRecorded = try await log(of: session).events.contains { event in
            guard case .operatorActed = event.event else { return false }
            return key.find(in: [event]) != nil
        }
        if !isRecorded { try await record(intervention, by: request, in: session, key) }
    }
}
