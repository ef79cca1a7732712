extension EventType {
    /// The challenge is shown to the payer.
    public static let threeDSShown = EventType("threeDSShown", of: ActionReported.self) {
        .threeDSShown($0)
    }
}
