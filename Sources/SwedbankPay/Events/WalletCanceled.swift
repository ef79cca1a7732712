extension EventType {
    /// The payer closed the wallet.
    public static let walletCanceled = EventType("walletCanceled", of: ActionAnswered.self) {
        .walletCanceled($0)
    }
}
