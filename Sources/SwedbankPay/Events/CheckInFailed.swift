extension EventType {
    /// The check-in could not be shown, or failed.
    public static let checkInFailed = EventType("checkInFailed", of: ActionFailed.self) {
        .checkout(.checkInFailed($0))
    }
}
