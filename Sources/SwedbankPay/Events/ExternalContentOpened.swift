extension EventType {
    /// The payer was sent from the PSP's page to a bank or an app.
    public static let externalContentOpened = EventType("externalContentOpened") {
        .checkout(.externalContentOpened($0))
    }
}
