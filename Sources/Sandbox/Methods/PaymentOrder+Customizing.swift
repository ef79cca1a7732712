extension PaymentOrder {
    /// Switches between the full menu, a restricted one and a single method.
    ///
    /// - Note: Source: payment session API, `customize-payment`; null carries meaning here.
    mutating func customize(_ body: JSON) throws(ProblemDetail) {
        var reader = BodyReader(body)
        for name in ["paymentMethod", "restrictToPaymentMethods"] where !reader.has(name) {
            reader.refuse(name, "is required, null included")
        }
        let method = reader.optionalString("paymentMethod")
        let restriction = reader.optionalStrings("restrictToPaymentMethods")
        _ = reader.optionalBool("hideStoredPaymentOptions")
        _ = reader.optionalBool("showConsentAffirmation")
        if let method, !methods.contains(method) {
            reader.refuse("paymentMethod", "is not enabled for the order")
        }
        if method != nil, restriction != nil {
            reader.refuse("restrictToPaymentMethods", "must be null when a method is chosen")
        }
        for name in restriction ?? [] where !methods.contains(name) {
            reader.refuse("restrictToPaymentMethods", "names a method that is not enabled")
        }
        if restriction == [] {
            reader.refuse("restrictToPaymentMethods", "must not be empty; send null instead")
        }
        try reader.finish()
        instrumentMode = method
        self.restriction = restriction
        expanded = nil
    }
}
