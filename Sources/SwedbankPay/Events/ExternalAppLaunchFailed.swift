extension EventType {
    /// The client could not open it.
    public static let externalAppLaunchFailed = EventType("externalAppLaunchFailed") {
        .externalAppLaunchFailed($0)
    }
}
