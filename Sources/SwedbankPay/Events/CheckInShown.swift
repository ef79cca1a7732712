extension EventType {
    /// The check-in is on the payer's screen.
    public static let checkInShown = EventType("checkInShown") { .checkout(.checkInShown($0)) }
}
