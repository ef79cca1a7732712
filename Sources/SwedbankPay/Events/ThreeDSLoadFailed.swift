extension EventType {
    /// The challenge's page could not be loaded.
    public static let threeDSLoadFailed = EventType("threeDSLoadFailed", of: ActionFailed.self) {
        .threeDSLoadFailed($0)
    }
}
