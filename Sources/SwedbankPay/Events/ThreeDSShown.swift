extension EventType {
    /// The challenge is on the payer's screen.
    public static let threeDSShown = EventType("threeDSShown") { .threeDSShown($0) }
}
