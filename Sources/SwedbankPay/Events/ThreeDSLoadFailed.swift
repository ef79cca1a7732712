extension EventType {
    /// The challenge's page could not be loaded.
    public static let threeDSLoadFailed = EventType("threeDSLoadFailed") { .threeDSLoadFailed($0) }
}
