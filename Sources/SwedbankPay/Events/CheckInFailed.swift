extension EventType {
    /// The check-in could not be shown, or gave up.
    public static let checkInFailed = EventType("checkInFailed") { .checkout(.checkInFailed($0)) }
}
