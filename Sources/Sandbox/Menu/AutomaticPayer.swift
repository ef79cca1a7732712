/// A payer who proceeds automatically in the hosted pages, for demonstrations.
struct AutomaticPayer: Sendable {
    let delay: Duration

    /// Fills empty fields with a test card, and presses the button to continue.
    var script: String {
        let parts = delay.components
        let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
        return Self.code.rewriting("DELAY_MILLISECONDS", as: "\(milliseconds)")
    }

    private static let code = String(decoding: PackageResources.automaticPayer_js, as: UTF8.self)
}
