internal import Adapters
internal import EventLog
package import HTTPTypes
internal import Logging
internal import Workflow

/// How somebody who signed in with a token stays signed in: by a claim that names the token, when
/// it was presented and when it was last used, signed by the store's vault.
///
/// Every node of the store accepts it, and nothing has to be kept. It is over with its token, and
/// tells nothing of it.
package struct BrowserSession: Sendable, Hashable {
    /// Who it is.
    package let caller: Caller
    /// What the browser sends back.
    package let claim: String
    /// Whether the claim should be sent to the browser again, since time has passed.
    package let isRenewed: Bool

    /// How long it lives without a request.
    package static let idle = Duration.seconds(15 * 60)
    /// How long it lives at most; then the token has to be presented again.
    package static let longest = Duration.seconds(10 * 3600)
    /// After how long a claim is renewed.
    static let renewal = Duration.seconds(60)
    /// The longest claim that is read, in bytes.
    static let claimLimit = 256
}

extension PaymentAPI {
    /// Signs in somebody who presents a token; `nil` for a token that is unknown, expired or
    /// revoked.
    ///
    /// - Throws: A problem when the tokens or keys cannot be read, or when too many requests came
    ///   from the address.
    package func signIn(
        with token: String,
        from source: String?
    ) async throws(ServiceProblem) -> BrowserSession? {
        try countAddress(source)
        let now = clock.now()
        guard
            let entry = try known({ () throws(AccessTokens.Fault) in
                try tokens.entry(with: token, at: now)
            })
        else { return nil }
        return try await session(of: entry, begun: now, used: now)
    }

    /// Returns the session that a browser claims; `nil` for a claim that is not ours, or over.
    package func browserSession(
        _ claim: String
    ) async throws(ServiceProblem) -> BrowserSession? {
        guard claim.utf8.count <= BrowserSession.claimLimit else { return nil }
        let parts = claim.pieces(between: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let begun = Self.instant(parts[2]),
            let used = Self.instant(parts[3]), let given = Digest256(hexadecimal: parts[4])
        else { return nil }
        let text = parts[..<4].joined(separator: ".")
        guard try await isSigned(text, given) else { return nil }
        let now = clock.now()
        guard now < used + BrowserSession.idle, now < begun + BrowserSession.longest,
            let entry = try known({ () throws(AccessTokens.Fault) in
                try tokens.entry(named: parts[0], mark: parts[1], at: now)
            })
        else { return nil }
        guard now - used >= BrowserSession.renewal else {
            return BrowserSession(caller: entry.caller, claim: claim, isRenewed: false)
        }
        return try await session(of: entry, begun: begun, used: now)
    }

    /// Returns the person whom a trusted proxy has signed in.
    package func person(in head: HTTPRequest, from source: String?) -> Caller? {
        policies.identity?.person(in: head, from: source)
    }

    private func session(
        of entry: AccessTokens.Entry,
        begun: Instant,
        used: Instant
    ) async throws(ServiceProblem) -> BrowserSession {
        let times = [begun, used].map { "\($0.microseconds / 1_000_000)" }
        let text = ([entry.id, entry.mark] + times).joined(separator: ".")
        let signature = try await signature(of: text)
        return BrowserSession(
            caller: entry.caller,
            claim: "\(text).\(signature)",
            isRenewed: true
        )
    }

    private static func instant(_ text: String) -> Instant? {
        guard let seconds = Int64(text), (0...Int64.max / 1_000_000).contains(seconds) else {
            return nil
        }
        return Instant(microseconds: seconds * 1_000_000)
    }

    private func known(
        _ entry: () throws(AccessTokens.Fault) -> AccessTokens.Entry?
    ) throws(ServiceProblem) -> AccessTokens.Entry? {
        do throws(AccessTokens.Fault) { return try entry() } catch {
            log.error("the tokens cannot be read", metadata: ["reason": "\(error)"])
            throw ServiceProblem(503, "service.tokens", "the tokens cannot be read")
        }
    }

    /// The vault's HMAC of the claim; no address has this form, so that no address has its HMAC.
    private func signature(of claim: String) async throws(ServiceProblem) -> Digest256 {
        do throws(KeyVaultError) {
            return try await payers.vault.addressFingerprint(of: "browser-session:\(claim)")
        } catch {
            throw ServiceProblem(503, error.code, "the keys are not available")
        }
    }

    private func isSigned(
        _ claim: String,
        _ given: Digest256
    ) async throws(ServiceProblem) -> Bool {
        if given == (try await signature(of: claim)) { return true }
        let former = try? await payers.vault.formerAddressFingerprints(
            of: "browser-session:\(claim)"
        )
        return former?.contains(given) == true
    }
}

extension AccessTokens.Entry {
    /// Whoever holds the token.
    var caller: Caller { Caller(name: name, roles: Set(roles.compactMap(Role.init))) }

    /// What tells the token from another one of the same identifier.
    var mark: String { String(digest.prefix(16)) }
}
