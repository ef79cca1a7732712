extension EventType {
    /// The payer closed the wallet.
    public static let walletCanceled = EventType("walletCanceled") { .walletCanceled($0) }
}
