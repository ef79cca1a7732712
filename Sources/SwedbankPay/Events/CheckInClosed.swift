extension EventType {
    /// The payer continued without checking in.
    public static let checkInClosed = EventType("checkInClosed", of: ActionAnswered.self) {
        .checkout(.checkInClosed($0))
    }
}
