/// Knows which payers' references and stored cards belong to a caller: the host's part.
///
/// Whoever may name a payer's reference sees that payer's stored cards in the payment menu.
public protocol PayerOwnership: Sendable {
    /// Whether a payer's reference is the caller's own.
    func isOwn(payerReference: String, of caller: Caller) async throws -> Bool

    /// Whether a stored card is the caller's own, as far as the host knows.
    ///
    /// In any case the PSP must list the card under the payer's reference.
    func isOwn(
        paymentToken: String,
        payerReference: String,
        of caller: Caller
    ) async throws -> Bool
}

extension PayerOwnership {
    /// Leaves it to the PSP's list of the caller's own payer reference.
    public func isOwn(
        paymentToken: String,
        payerReference: String,
        of caller: Caller
    ) async throws -> Bool {
        try await isOwn(payerReference: payerReference, of: caller)
    }
}

/// No caller has a payer's reference: for shops whose payers are all guests.
public struct GuestsOnly: PayerOwnership {
    /// The rule.
    public init() {}

    /// No.
    public func isOwn(payerReference: String, of caller: Caller) async throws -> Bool { false }
}
