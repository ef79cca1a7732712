package import EventLog

extension MethodsOffered: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.members("methods", methods)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> MethodsOffered {
        var object = try reader.beginObject()
        let methods: [MethodOffer] = try reader.requireList("methods", in: &object)
        try reader.endObject(&object)
        return MethodsOffered(methods: methods)
    }
}

extension MethodOffer: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("instrument", instrument)
            writer.member("paymentMethod", method)
            writer.membersIfAny("prefills", prefills)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> MethodOffer {
        var object = try reader.beginObject()
        let instrument: Instrument = try reader.require("instrument", in: &object)
        let method: PaymentMethodName = try reader.require("paymentMethod", in: &object)
        let prefills: [Prefill]? = try reader.findList("prefills", in: &object)
        try reader.endObject(&object)
        return MethodOffer(instrument: instrument, method: method, prefills: prefills ?? [])
    }
}

extension OfferedMethod: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.membersIfAny("allowedCardAuthMethods", allowedCardAuthMethods)
            writer.member("amount", amount)
            writer.membersIfAny("cardBrands", cardBrands)
            writer.member("environment", environment)
            writer.membersIfAny("merchantCapabilities", merchantCapabilities)
            writer.membersIfAny("operations", operations)
            writer.member("paymentMethod", name)
            writer.membersIfAny("prefills", prefills)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OfferedMethod {
        var object = try reader.beginObject()
        let allowedCardAuthMethods: [String]? = try reader.findList(
            "allowedCardAuthMethods",
            in: &object
        )
        let amount: Int64? = try reader.find("amount", in: &object)
        let cardBrands: [String]? = try reader.findList("cardBrands", in: &object)
        let environment: String? = try reader.find("environment", in: &object)
        let merchantCapabilities: [String]? = try reader.findList(
            "merchantCapabilities",
            in: &object
        )
        let operations: [Operation]? = try reader.findList("operations", in: &object)
        let name: PaymentMethodName = try reader.require("paymentMethod", in: &object)
        let prefills: [Prefill]? = try reader.findList("prefills", in: &object)
        try reader.endObject(&object)
        return OfferedMethod(
            name: name,
            prefills: prefills ?? [],
            operations: operations ?? [],
            cardBrands: cardBrands ?? [],
            merchantCapabilities: merchantCapabilities ?? [],
            allowedCardAuthMethods: allowedCardAuthMethods ?? [],
            environment: environment,
            amount: amount
        )
    }
}

extension CardExpiry: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("month", month)
            writer.member("year", year)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CardExpiry {
        var object = try reader.beginObject()
        let month: Int = try reader.require("month", in: &object)
        let year: Int = try reader.require("year", in: &object)
        try reader.endObject(&object)
        return CardExpiry(year: year, month: month)
    }
}
