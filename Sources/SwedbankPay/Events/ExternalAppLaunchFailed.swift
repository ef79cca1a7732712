extension EventType {
    /// The client could not open the app.
    public static let externalAppLaunchFailed = EventType("externalAppLaunchFailed") {
        .externalAppLaunchFailed($0)
    }
}
