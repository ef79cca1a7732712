extension PaymentOrder {
    /// Switches between the full menu, a restricted one and a single method.
    ///
    /// A list that is null, empty or complete restricts nothing.
    ///
    /// - Note: Source: payment session API, `customize-payment`; null is significant here.
    mutating func customize(_ body: JSON) throws(ProblemDetail) {
        var reader = BodyReader(body)
        for name in ["paymentMethod", "restrictToPaymentMethods"] where !reader.has(name) {
            reader.refuse(name, "is required, null included")
        }
        var method = reader.optionalString("paymentMethod")
        var names = reader.optionalStrings("restrictToPaymentMethods")
        let hides = reader.optionalBool("hideStoredPaymentOptions")
        let asks = reader.optionalBool("showConsentAffirmation")
        if method != nil, names?.isEmpty == false {
            reader.refuse("restrictToPaymentMethods", "must be null when a method is chosen")
        }
        if request.scenario.unknownMethods == .ignored {
            if let named = method, !methods.contains(named) { method = nil }
            names = names?.filter { methods.contains($0) }
        }
        if let method, !methods.contains(method) {
            reader.refuse("paymentMethod", "is not enabled for the order")
        }
        if let names, !Set(names).isSubset(of: methods) {
            reader.refuse("restrictToPaymentMethods", "names a method that is not enabled")
        }
        try reader.finish()
        guard request.scenario.customizing == .normal else { return }
        instrumentMode = method
        restriction = Self.restriction(names, of: methods)
        menu = Menu(of: request, hidesStoredOptions: hides, asksForConsent: asks)
        expanded = nil
    }

    /// The restriction by a list of methods; `nil` when it permits all of them.
    static func restriction(_ names: [String]?, of methods: [String]) -> [String]? {
        guard let names, !names.isEmpty, Set(names) != Set(methods) else { return nil }
        return names
    }
}
