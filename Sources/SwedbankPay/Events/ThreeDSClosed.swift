extension EventType {
    /// The payer closed the challenge without completing it.
    public static let threeDSClosed = EventType("threeDSClosed", of: ActionReported.self) {
        .threeDSClosed($0)
    }
}
