extension EventType {
    /// The menu is on the payer's screen.
    public static let menuShown = EventType("menuShown") { .menuShown($0) }
}
