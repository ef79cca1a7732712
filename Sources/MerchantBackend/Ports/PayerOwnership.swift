/// Knows which payer references and stored cards belong to a caller; implemented by the host
/// application.
///
/// A caller that may name a payer reference sees that payer's stored cards in the payment menu.
public protocol PayerOwnership: Sendable {
    /// Whether a payer reference is the caller's own.
    func isOwn(payerReference: String, of caller: Caller) async throws -> Bool

    /// Whether a stored card is the caller's own, as far as the host application knows.
    ///
    /// In any case the PSP must list the card under the payer reference.
    func isOwn(
        paymentToken: String,
        payerReference: String,
        of caller: Caller
    ) async throws -> Bool
}

extension PayerOwnership {
    /// Relies on the PSP's list of cards for the caller's own payer reference.
    public func isOwn(
        paymentToken: String,
        payerReference: String,
        of caller: Caller
    ) async throws -> Bool {
        try await isOwn(payerReference: payerReference, of: caller)
    }
}

/// No caller has a payer reference: for shops whose payers are all guests.
public struct GuestsOnly: PayerOwnership {
    /// Creates the rule.
    public init() {}

    /// Returns false.
    public func isOwn(payerReference: String, of caller: Caller) async throws -> Bool { false }
}
