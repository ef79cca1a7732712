extension EventType {
    /// The payer continued without checking in.
    public static let checkInClosed = EventType("checkInClosed") { .checkout(.checkInClosed($0)) }
}
