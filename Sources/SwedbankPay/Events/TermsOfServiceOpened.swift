extension EventType {
    /// The payer opened the merchant's terms.
    public static let termsOfServiceOpened = EventType(
        "termsOfServiceOpened",
        of: ActionReported.self
    ) {
        .checkout(.termsOfServiceOpened($0))
    }
}
