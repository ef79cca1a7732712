extension EventType {
    /// The check-in is shown to the payer.
    public static let checkInShown = EventType("checkInShown", of: ActionReported.self) {
        .checkout(.checkInShown($0))
    }
}
