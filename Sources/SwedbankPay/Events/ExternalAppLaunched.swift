extension EventType {
    /// The client opened the app.
    public static let externalAppLaunched = EventType(
        "externalAppLaunched",
        of: ActionReported.self
    ) {
        .externalAppLaunched($0)
    }
}
