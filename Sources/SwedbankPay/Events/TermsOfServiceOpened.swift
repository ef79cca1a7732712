extension EventType {
    /// The payer asked for the merchant's terms.
    public static let termsOfServiceOpened = EventType("termsOfServiceOpened") {
        .checkout(.termsOfServiceOpened($0))
    }
}
