extension EventType {
    /// The client was asked to show the issuer's challenge.
    public static let threeDSRequested = EventType("threeDSRequested", of: TaskRequested.self) {
        .threeDSRequested($0)
    }
}
