extension EventType {
    /// The menu is shown to the payer.
    public static let menuShown = EventType("menuShown", of: ActionReported.self) { .menuShown($0) }
}
