extension SandboxOrder {
    /// Reads an order from the body of `POST /psp/paymentorders`.
    static func read(
        from body: JSON,
        contentType: String = ""
    )
        throws(ProblemDetail) -> SandboxOrder
    {
        var reader = BodyReader(body)
        let root = "paymentorder"
        if case .object? = reader.value(root) {
        } else {
            reader.refuse(root, "must be a JSON object")
            try reader.finish()
        }
        var order = SandboxOrder()
        let purpose = reader.string("\(root).operation")
        order.purpose = Purpose(rawValue: purpose) ?? .purchase
        if !purpose.isEmpty, Purpose(rawValue: purpose) == nil {
            reader.refuse(
                "\(root).operation",
                "must be Purchase, Verify, Recur or UnscheduledPurchase"
            )
        }
        order.currency = reader.string("\(root).currency")
        if order.purpose == .verify {
            order.amount = reader.optionalInteger("\(root).amount") ?? 0
            order.vatAmount = reader.optionalInteger("\(root).vatAmount") ?? 0
        } else {
            order.amount = reader.integer("\(root).amount")
            order.vatAmount = reader.integer("\(root).vatAmount")
        }
        order.description = reader.string("\(root).description")
        _ = reader.string("\(root).userAgent")
        order.language = reader.string("\(root).language")
        order.version = APIVersion.of(
            contentType: contentType,
            productName: reader.optionalString("\(root).productName")
        )
        order.details = OrderDetails.read(from: &reader, at: root)
        if let kind = order.purpose.tokenKind {
            order.details.agreementToken = reader.string("\(root).\(kind.member)")
        }
        order.payeeReference = reader.string("\(root).payeeInfo.payeeReference")
        order.payeeName = reader.optionalString("\(root).payeeInfo.payeeName")
        order.payerReference = reader.optionalString("\(root).payer.payerReference")
        order.msisdn = reader.optionalString("\(root).payer.msisdn")
        order.instrument = reader.optionalString("\(root).instrument")
        order.restrictedToInstruments =
            reader.optionalStrings("\(root).restrictedToInstruments")
        order.urls = URLs.read(
            from: &reader,
            at: "\(root).urls",
            withPages: order.purpose.tokenKind == nil
        )
        let place = reader.has("\(root).sandbox") ? "\(root).sandbox" : "sandbox"
        order.scenario = Scenario.read(from: &reader, at: place)
        try reader.finish()
        return order
    }

    /// Validates the rules within and between the fields.
    func validate() throws(ProblemDetail) {
        var problems: [FieldProblem] = []
        func require(_ condition: Bool, _ name: String, _ rule: String) {
            if !condition {
                problems.append(FieldProblem(name: "paymentorder." + name, description: rule))
            }
        }
        require(
            currency.utf8.count == 3 && currency.utf8.allSatisfy { (65...90).contains($0) },
            "currency",
            "must be three capital letters"
        )
        require(
            purpose == .verify ? amount == 0 : amount > 0,
            "amount",
            "must be positive minor units, or 0 for Verify"
        )
        require((0...max(amount, 0)).contains(vatAmount), "vatAmount", "must be 0 to amount")
        require((1...40).contains(description.count), "description", "must be 1 to 40 characters")
        require(
            Self.isReference(payeeReference),
            "payeeInfo.payeeReference",
            "must be 1 to 30 letters or digits"
        )
        if purpose.tokenKind == nil {
            require(!urls.hostURLs.isEmpty, "urls.hostUrls", "is required")
            require(!urls.completeURL.isEmpty, "urls.completeUrl", "is required")
        }
        require(
            details.consumerProfileRef == nil || payerReference == nil,
            "payer.payerReference",
            "must be left out with consumerProfileRef"
        )
        if let (field, rule) = OrderItems.mismatch(
            details.orderItems,
            amount: amount,
            vatAmount: vatAmount
        ) {
            require(false, field, rule)
        }
        if let callback = urls.callbackURL {
            require(
                CallbackAddress.isAcceptable(callback),
                "urls.callbackUrl",
                "must be https, or http to a loopback address"
            )
        }
        for (name, url) in urls.named {
            require(Self.isWebAddress(url), "urls.\(name)", "must be an absolute http or https URL")
        }
        if let msisdn {
            require(SwishNumber.isValid(msisdn), "payer.msisdn", "must be + and 7 to 15 digits")
        }
        for number in scenario.savedCards ?? [] where TestCard.all[number] == nil {
            require(false, "sandbox.savedCards", "must be numbers of test cards")
        }
        require(scenario.methods != [], "sandbox.methods", "must not be empty")
        require(
            scenario.faults.count <= FaultPlan.limit,
            "sandbox.faults",
            "must be at most \(FaultPlan.limit)"
        )
        guard problems.isEmpty else { throw .inputError(problems) }
        try validateConsent()
    }

    /// Validates that the payer can be asked for consent.
    private func validateConsent() throws(ProblemDetail) {
        guard details.asksForConsent == true, !details.hidesStoredOptions || purpose == .verify
        else { return }
        throw .orderInputError([
            FieldProblem(
                name: "paymentorder.enablePaymentDetailsConsentCheckbox",
                description: "needs disableStoredPaymentDetails, and no Verify order"
            )
        ])
    }

    /// The methods with which the order can be paid.
    ///
    /// - Note: Source: payment order API: Verify supports cards and Trustly.
    func methods(or usual: [String]) -> [String] {
        let methods = scenario.methods ?? usual
        guard purpose == .verify else { return methods }
        return methods.filter { $0 == MethodName.creditCard || $0 == MethodName.trustly }
    }

    /// Validates the order's methods against the enabled ones.
    func validate(against methods: [String]) throws(ProblemDetail) {
        var problems: [FieldProblem] = []
        if let instrument, !methods.contains(instrument) {
            problems.append(
                FieldProblem(name: "paymentorder.instrument", description: "is not enabled")
            )
        }
        if let names = restrictedToInstruments, !Set(names).isSubset(of: methods) {
            problems.append(
                FieldProblem(
                    name: "paymentorder.restrictedToInstruments",
                    description: "names a method that is not enabled"
                )
            )
        }
        if methods.isEmpty {
            problems.append(
                FieldProblem(name: "sandbox.methods", description: "leaves none for the order")
            )
        }
        guard problems.isEmpty else { throw .inputError(problems) }
    }

    /// Whether the text can be a `payeeReference`: the PSP refuses other characters.
    ///
    /// - Note: Source: payment order API, payeeReference: letters and digits, at most 30.
    static func isReference(_ text: String) -> Bool {
        (1...30).contains(text.utf8.count) && text.utf8.allSatisfy(isReferenceCharacter)
    }

    private static func isReferenceCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    private static func isWebAddress(_ text: String) -> Bool {
        guard let separator = text.unicodeScalars.firstRange(of: "://".unicodeScalars) else {
            return false
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...]
        return (scheme == "https" || scheme == "http")
            && rest.first.map { $0 != "/" && $0 != "?" } == true
            && !text.unicodeScalars.contains(" ")
    }
}

extension SandboxOrder.URLs {
    /// Every given address, with its wire name.
    var named: [(String, String)] {
        let single = [
            ("completeUrl", completeURL.isEmpty ? nil : completeURL), ("cancelUrl", cancelURL),
            ("paymentUrl", paymentURL),
            ("callbackUrl", callbackURL), ("termsOfServiceUrl", termsOfServiceURL),
        ]
        return hostURLs.map { ("hostUrls", $0) }
            + single.compactMap { name, url in url.map { (name, $0) } }
    }

    /// Reads the addresses; those of pages are required only when a payer takes part.
    static func read(
        from reader: inout BodyReader,
        at path: String,
        withPages: Bool
    ) -> Self {
        var urls = Self()
        urls.hostURLs = reader.optionalStrings("\(path).hostUrls") ?? []
        urls.completeURL =
            withPages
            ? reader.string("\(path).completeUrl")
            : reader.optionalString("\(path).completeUrl") ?? ""
        urls.cancelURL = reader.optionalString("\(path).cancelUrl")
        urls.paymentURL = reader.optionalString("\(path).paymentUrl")
        urls.callbackURL = reader.optionalString("\(path).callbackUrl")
        urls.termsOfServiceURL = reader.optionalString("\(path).termsOfServiceUrl")
        return urls
    }

    /// The member `urls` of an order and of a session.
    var document: JSON {
        [
            "hostUrls": .strings(hostURLs), "completeUrl": .string(completeURL),
            "cancelUrl": .optional(cancelURL), "paymentUrl": .optional(paymentURL),
            "callbackUrl": .optional(callbackURL),
            "termsOfServiceUrl": .optional(termsOfServiceURL),
        ]
    }
}
