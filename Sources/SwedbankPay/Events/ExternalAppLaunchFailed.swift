extension EventType {
    /// The client could not open the app.
    public static let externalAppLaunchFailed = EventType(
        "externalAppLaunchFailed",
        of: ActionFailed.self
    ) {
        .externalAppLaunchFailed($0)
    }
}
