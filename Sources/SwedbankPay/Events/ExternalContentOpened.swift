extension EventType {
    /// The PSP's page redirected the payer to a bank or an app.
    public static let externalContentOpened = EventType("externalContentOpened") {
        .checkout(.externalContentOpened($0))
    }
}
