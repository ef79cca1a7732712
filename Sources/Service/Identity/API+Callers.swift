internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Logging
internal import Workflow

extension PaymentAPI {
    /// Identifies the sender of a request by its token, or else by what a trusted proxy says.
    func caller(
        of head: HTTPRequest,
        from source: String?
    ) async throws(ServiceProblem) -> Caller {
        guard let token = Self.token(of: head) else {
            guard let person = policies.identity?.person(in: head, from: source) else {
                throw .unauthenticated
            }
            // Another site's page can have the browser of somebody who is signed in send a form,
            // but no JSON.
            guard head.method == .get || head.isJSON else { throw .wrongMediaType }
            return person
        }
        let now = clock.now()
        if let payer = try await payers.caller(with: token, at: now) { return payer }
        let caller: Caller?
        do throws(AccessTokens.Fault) {
            caller = try tokens.caller(with: token, at: now)
        } catch {
            log.error("the tokens cannot be read", metadata: ["reason": "\(error)"])
            throw ServiceProblem(503, "service.tokens", "the tokens cannot be read")
        }
        guard let caller else { throw .unauthenticated }
        return caller
    }

    /// Identifies a payer by its token, and the PSP by nothing: its callbacks prove nothing.
    ///
    /// - Throws: A problem when the address has sent too many requests, before any token is looked
    ///   at. The addresses of payers behind a trusted proxy are not known.
    func payer(
        of head: HTTPRequest,
        from source: String?,
        at route: Route
    ) async throws(ServiceProblem) -> Caller {
        try countAddress(source)
        if route == .orderCallback { return .psp }
        guard let token = Self.token(of: head),
            let payer = try await payers.caller(with: token, at: clock.now())
        else { throw .unauthenticated }
        return payer
    }

    /// Counts a request from an address.
    ///
    /// - Throws: A problem when too many came from there.
    func countAddress(_ source: String?) throws(ServiceProblem) {
        guard policies.identity?.trusts(source) != true else { return }
        try used.count(AddressRange.network(of: source ?? ""), at: clock.now())
    }

    private static func token(of head: HTTPRequest) -> String? {
        let scheme = "bearer "
        guard let value = head.headerFields[.authorization],
            value.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        return String(value.dropFirst(scheme.count))
    }
}
