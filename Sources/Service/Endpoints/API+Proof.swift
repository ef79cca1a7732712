internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension PaymentAPI {
    /// The proof that the store's newest checkpoint covers a session's log.
    ///
    /// Whoever has the log and the public key can check it without the store.
    func proof(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let proof = try await proof(of: try request.session())
        var response = ServiceResponse.text("", type: "application/json")
        response.body = .whole(proof.document.encode())
        return response
    }

    /// The same as a value.
    func proof(of session: SessionID) async throws(ServiceProblem) -> SessionProof {
        do throws(SessionProofError) { return try await SessionProof(of: session, in: store) } catch
        {
            throw ServiceProblem(error)
        }
    }
}

extension ServiceProblem {
    /// Creates the problem for a proof that could not be made.
    fileprivate init(_ error: SessionProofError) {
        let hint = "'workflowctl checkpoint create' makes a checkpoint"
        switch error {
        case .unknownSession(let session): self.init(EngineError.unknownSession(session))
        case .notCovered:
            self.init(
                409,
                "checkpoint.not-covered",
                "no checkpoint covers the session yet",
                hint: hint
            )
        case .fault(let fault): self.init(500, fault.code, fault.message)
        case .tree(.noCheckpoint):
            self.init(409, "checkpoint.none", "the store has no checkpoint", hint: hint)
        case .tree(.store(let failure)): self.init(failure)
        case .tree(.wrongRoot), .tree(.tooManyLeaves):
            self.init(
                500,
                "checkpoint.wrong-root",
                "the store's leaves do not match the root of its latest checkpoint"
            )
        }
    }
}
