extension EventType {
    /// The client was asked to send the invisible 3-D Secure method request.
    public static let threeDSMethodRequested = EventType(
        "threeDSMethodRequested",
        of: TaskRequested.self
    ) {
        .threeDSMethodRequested($0)
    }
}
