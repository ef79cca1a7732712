extension EventType {
    /// The PSP's page redirected the payer to a bank or an app.
    public static let externalContentOpened = EventType("externalContentOpened", of: Navigated.self)
    {
        .checkout(.externalContentOpened($0))
    }
}
