extension EventType {
    /// The payer continued without checking in.
    public static let checkInClosed = EventType("checkInClosed", of: ActionReported.self) {
        .checkout(.checkInClosed($0))
    }
}
