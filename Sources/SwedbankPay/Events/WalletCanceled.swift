extension EventType {
    /// The payer closed the wallet.
    public static let walletCanceled = EventType("walletCanceled", of: ActionReported.self) {
        .walletCanceled($0)
    }
}
