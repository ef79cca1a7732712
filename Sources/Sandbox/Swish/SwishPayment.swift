/// A payment request at the simulated Swish.
struct SwishPayment: Sendable {
    /// The token of the request in the app link; `nil` when the payer is on another device.
    let token: String?
    /// When the request ends on its own; `nil` means never.
    let endsAt: ContinuousClock.Instant?
    /// How the request ends on its own; `nil` means never.
    let outcome: SwishOutcome?

    /// The outcome, once it is due.
    func outcome(at now: ContinuousClock.Instant) -> SwishOutcome? {
        guard let endsAt, endsAt <= now else { return nil }
        return outcome
    }

    /// The link that opens the app.
    var appLink: String? {
        token.map { "swish://paymentrequest?token=\($0)" }
    }
}
