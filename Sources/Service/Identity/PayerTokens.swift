internal import EventLog
internal import SwedbankPay

/// The tokens with which a payer's app or page follows one session and acts in it.
///
/// A token names its session and its end, and is signed by the store's vault: every node of the
/// store accepts it, and nothing has to be kept. It cannot be revoked, so it lives for a day at
/// most; with its session's end nothing is left to do with it.
struct PayerTokens: Sendable {
    let vault: any KeyVault

    /// The beginning of every token.
    static let prefix = "ppt_"
    /// How long a token is valid at most: as long as a payment session.
    static let longest = Duration.seconds(86_400)
    /// How long a token is valid unless something else is wanted.
    static let usual = Duration.seconds(3600)

    /// Makes a token for the payer of a session.
    func token(
        for session: SessionID,
        until end: Instant
    ) async throws(ServiceProblem) -> String {
        let claim = "\(session).\(end.microseconds / 1_000_000)"
        return "\(Self.prefix)\(claim).\(try await signature(of: claim))"
    }

    /// Returns the payer with a token; `nil` for one that is not ours, or over.
    func caller(with token: String, at now: Instant) async throws(ServiceProblem) -> Caller? {
        guard token.hasPrefix(Self.prefix), token.utf8.count <= 160 else { return nil }
        let parts = token.dropFirst(Self.prefix.count).pieces(
            between: ".",
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let session = SessionID(parts[0]), let end = Int64(parts[1]),
            let given = Digest256(hexadecimal: parts[2]),
            try await isSigned("\(parts[0]).\(parts[1])", given),
            now.microseconds < end.multipliedReportingOverflow(by: 1_000_000).partialValue
        else { return nil }
        return Caller(payerOf: session)
    }

    /// Whether the signature was made with the vault's key, or with one that it had before.
    private func isSigned(
        _ claim: String,
        _ signature: Digest256
    ) async throws(ServiceProblem) -> Bool {
        if signature == (try await self.signature(of: claim)) { return true }
        let former = try? await vault.formerAddressFingerprints(of: Self.text(claim))
        return former?.contains(signature) == true
    }

    private static func text(_ claim: String) -> String { "payer-token:\(claim)" }

    /// The vault's HMAC of the claim; no address has this form, so that no address has its HMAC.
    private func signature(of claim: String) async throws(ServiceProblem) -> Digest256 {
        do throws(KeyVaultError) {
            return try await vault.addressFingerprint(of: Self.text(claim))
        } catch {
            throw ServiceProblem(503, error.code, "the keys are not available")
        }
    }
}
