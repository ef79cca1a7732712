extension EventType {
    /// The client was asked to make the invisible 3-D Secure method call.
    public static let threeDSMethodRequested = EventType("threeDSMethodRequested") {
        .threeDSMethodRequested($0)
    }
}
