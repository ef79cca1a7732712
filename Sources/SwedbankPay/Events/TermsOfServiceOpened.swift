extension EventType {
    /// The payer opened the merchant's terms.
    public static let termsOfServiceOpened = EventType("termsOfServiceOpened") {
        .checkout(.termsOfServiceOpened($0))
    }
}
