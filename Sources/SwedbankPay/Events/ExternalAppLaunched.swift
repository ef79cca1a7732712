extension EventType {
    /// The client opened the app.
    public static let externalAppLaunched = EventType(
        "externalAppLaunched",
        of: ActionAnswered.self
    ) {
        .externalAppLaunched($0)
    }
}
