extension EventType {
    /// The wallet could not be presented.
    public static let walletFailed = EventType("walletFailed") { .walletFailed($0) }
}
