package import EventLog

extension CheckoutOpened: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("callbackScheme", callbackScheme)
            writer.member("consumer", consumer)
            writer.member("document", document)
            writer.member("gateway", gateway)
            writer.member("generation", generation)
            writer.member("host", host)
            writer.texts("metadata", metadata)
            writer.member("options", options)
            writer.member("payeeReference", payeeReference)
            writer.member("presents", presents)
            writer.member("reference", reference)
            writer.member("root", root)
            writer.member("terms", terms)
            writer.member("userAgent", userAgent)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckoutOpened {
        var object = try reader.beginObject()
        let callbackScheme: String? = try reader.find("callbackScheme", in: &object)
        let consumer: ConsumerTerms? = try reader.find("consumer", in: &object)
        let document: Sealed = try reader.require("document", in: &object)
        let gateway: OrderGateway = try reader.require("gateway", in: &object)
        let generation: CheckoutGeneration = try reader.require("generation", in: &object)
        let host: String = try reader.require("host", in: &object)
        let metadata = try reader.texts("metadata", in: &object)
        let options: CheckoutOptions = try reader.require("options", in: &object)
        let payeeReference: String? = try reader.find("payeeReference", in: &object)
        let presents: Bool = try reader.require("presents", in: &object)
        let reference: OutsideText? = try reader.find("reference", in: &object)
        let root: Sealed = try reader.require("root", in: &object)
        let terms: OrderTerms = try reader.require("terms", in: &object)
        let userAgent: String = try reader.require("userAgent", in: &object)
        try reader.endObject(&object)
        return CheckoutOpened(
            gateway: gateway,
            root: root,
            host: host,
            document: document,
            terms: terms,
            generation: generation,
            payeeReference: payeeReference,
            consumer: consumer,
            presents: presents,
            options: options,
            reference: reference,
            metadata: metadata,
            userAgent: userAgent,
            callbackScheme: callbackScheme
        )
    }
}

extension OrderTerms: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("amount", amount)
            writer.member("currency", currency)
            writer.member("instrument", instrument)
            writer.member("language", language)
            writer.member("purpose", purpose)
            writer.member("urls", urls)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OrderTerms {
        var object = try reader.beginObject()
        let amount: Int64? = try reader.find("amount", in: &object)
        let currency: String? = try reader.find("currency", in: &object)
        let instrument: PaymentMethodName? = try reader.find("instrument", in: &object)
        let language: String? = try reader.find("language", in: &object)
        let purpose: String = try reader.require("purpose", in: &object)
        let urls: OrderURLs = try reader.require("urls", in: &object)
        try reader.endObject(&object)
        return OrderTerms(
            purpose: purpose,
            currency: currency,
            amount: amount,
            language: language,
            instrument: instrument,
            urls: urls
        )
    }
}

extension ConsumerTerms: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("language", language)
            writer.membersIfAny("shippingCountries", shippingCountries)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ConsumerTerms {
        var object = try reader.beginObject()
        let language: String = try reader.require("language", in: &object)
        let shippingCountries: [String]? = try reader.findList("shippingCountries", in: &object)
        try reader.endObject(&object)
        return ConsumerTerms(
            language: language,
            shippingCountries: shippingCountries ?? []
        )
    }
}

extension CheckoutOptions: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("overridesTermsOfService", overridesTermsOfService)
            if !readsOrders { writer.member("readsOrders", false) }
            if recordsAddresses { writer.member("recordsAddresses", true) }
            writer.member("recordsNavigation", recordsNavigation)
            writer.membersIfAny("redirectHosts", redirectHosts)
            writer.member("redirects", redirects)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CheckoutOptions {
        var object = try reader.beginObject()
        let overridesTermsOfService: Bool = try reader.require(
            "overridesTermsOfService",
            in: &object
        )
        let readsOrders: Bool? = try reader.find("readsOrders", in: &object)
        let recordsAddresses: Bool? = try reader.find("recordsAddresses", in: &object)
        let recordsNavigation: Bool = try reader.require("recordsNavigation", in: &object)
        let redirectHosts: [String]? = try reader.findList("redirectHosts", in: &object)
        let redirects: CheckoutOptions.Redirects = try reader.require("redirects", in: &object)
        try reader.endObject(&object)
        return CheckoutOptions(
            redirects: redirects,
            overridesTermsOfService: overridesTermsOfService,
            recordsNavigation: recordsNavigation,
            readsOrders: readsOrders ?? true,
            redirectHosts: redirectHosts ?? [],
            recordsAddresses: recordsAddresses ?? false
        )
    }
}
