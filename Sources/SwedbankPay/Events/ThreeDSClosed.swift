extension EventType {
    /// The payer closed the challenge without completing it.
    public static let threeDSClosed = EventType("threeDSClosed", of: ActionAnswered.self) {
        .threeDSClosed($0)
    }
}
