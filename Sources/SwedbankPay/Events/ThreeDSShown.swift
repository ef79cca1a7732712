extension EventType {
    /// The challenge is shown to the payer.
    public static let threeDSShown = EventType("threeDSShown") { .threeDSShown($0) }
}
