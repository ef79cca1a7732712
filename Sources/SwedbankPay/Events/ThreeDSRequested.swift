extension EventType {
    /// The client was asked to show the issuer's challenge.
    public static let threeDSRequested = EventType("threeDSRequested") { .threeDSRequested($0) }
}
