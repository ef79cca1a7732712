extension EventType {
    /// The wallet could not be presented.
    public static let walletFailed = EventType("walletFailed", of: ActionFailed.self) {
        .walletFailed($0)
    }
}
