extension EventType {
    /// The payer closed the challenge without finishing it.
    public static let threeDSClosed = EventType("threeDSClosed") { .threeDSClosed($0) }
}
