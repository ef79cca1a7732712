internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension PaymentAPI {
    /// Lists the stored payment tokens of a payer, without the tokens themselves.
    ///
    /// The payer's reference comes by `POST`, since it may be personal; it is not logged.
    func listStoredTokens(
        _ request: ServiceRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let content = try request.content(StoredTokensContent.self)
        let desk = try await desk(content.backend, content.psp)
        do throws(OrderAPIError) {
            let tokens = try await desk.tokens(of: content.payer)
            return .json(.array(tokens.enumerated().map { $1.json(number: $0 + 1) }))
        } catch {
            throw ServiceProblem(error)
        }
    }

    /// Deletes a stored payment token, if it still is the one that the caller has seen.
    func deleteStoredToken(
        _ request: ServiceRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let content = try request.content(TokenDeletionContent.self)
        try content.check()
        let desk = try await desk(content.backend, content.psp)
        let deleted: PayerToken?
        do throws(OrderAPIError) {
            deleted = try await desk.delete(
                content.number,
                of: content.payer,
                comment: content.comment ?? Self.usualComment
            ) { $0.displayName == content.name }
        } catch {
            throw ServiceProblem(error)
        }
        guard let deleted else {
            throw ServiceProblem(
                404,
                "tokens.unknown",
                "the payer has no token with this number and name",
                hint: "list them again"
            )
        }
        return .json(["deleted": JSONValue(deleted.displayName)])
    }

    /// The reason for the PSP's records, unless the caller gives one.
    private static let usualComment = "Deleted by the merchant"

    private func desk(
        _ backend: String?,
        _ psp: String?
    ) async throws(ServiceProblem) -> TokenDesk {
        let (gateway, root) = try gateway(backend, psp)
        if gateway == .psp { try await requireToken(for: root) }
        guard let transport = policies.transport, let access = policies.orders else {
            throw ServiceProblem(
                500,
                "configuration.token",
                "the service does not have the merchant's credentials for stored tokens"
            )
        }
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = reach.allowsInsecureLoopback
        do throws(OrderAPIError) {
            return try TokenDesk(
                at: gateway,
                root,
                over: transport,
                access: access,
                options: options
            )
        } catch {
            throw ServiceProblem(error)
        }
    }
}

extension ServiceProblem {
    /// Creates the problem for what the PSP or the backend refused, or did not respond to.
    fileprivate init(_ error: OrderAPIError) {
        let isRefused =
            switch error {
            case .problem, .missingOperation, .notInInstrumentMode: true
            default: false
            }
        let isInvalid =
            switch error {
            case .foreignDomain, .malformedRoot, .malformedLink, .malformedValue: true
            default: false
            }
        let status = isInvalid ? 422 : isRefused && !error.isTransient ? 409 : 503
        self.init(status, error.code, error.description)
        if status == 503 {
            hint = "nobody knows whether a deletion was carried out: list the tokens again"
            retryAfterSeconds = Self.secondsToRetry
        }
    }

    /// After how many seconds a PSP that did not respond is asked again.
    private static let secondsToRetry = 10
}
