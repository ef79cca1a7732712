extension EventType {
    /// The client opened the app.
    public static let externalAppLaunched = EventType("externalAppLaunched") {
        .externalAppLaunched($0)
    }
}
