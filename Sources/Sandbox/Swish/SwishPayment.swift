/// A payment request that the Swish stand-in holds.
struct SwishPayment: Sendable {
    /// Names the request in the app link; nil when the payer is on another device.
    let token: String?
    /// When the request ends by itself; nil means never.
    let endsAt: ContinuousClock.Instant?
    /// How it ends by itself; nil means never.
    let outcome: SwishOutcome?

    /// The outcome once its time has come.
    func outcome(at now: ContinuousClock.Instant) -> SwishOutcome? {
        guard let endsAt, endsAt <= now else { return nil }
        return outcome
    }

    /// The link that opens the app.
    var appLink: String? {
        token.map { "swish://paymentrequest?token=\($0)" }
    }
}
