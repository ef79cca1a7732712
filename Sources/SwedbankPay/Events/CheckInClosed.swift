extension EventType {
    /// The payer went on without checking in.
    public static let checkInClosed = EventType("checkInClosed") { .checkout(.checkInClosed($0)) }
}
