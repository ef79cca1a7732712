extension EventType {
    /// The client opened it.
    public static let externalAppLaunched = EventType("externalAppLaunched") {
        .externalAppLaunched($0)
    }
}
