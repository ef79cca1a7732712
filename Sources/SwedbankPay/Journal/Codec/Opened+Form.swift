package import EventLog

extension Opened: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("callbackScheme", callbackScheme)
            writer.member("checkout", checkout)
            writer.member("host", host)
            writer.texts("metadata", metadata)
            writer.membersIfAny("preferences", preferences)
            writer.member("purpose", purpose?.rawValue)
            writer.member("reference", reference)
            writer.member("sessionURL", sessionURL)
            writer.member("userAgent", userAgent)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Opened {
        var object = try reader.beginObject()
        let callbackScheme: String? = try reader.find("callbackScheme", in: &object)
        let checkout: SessionID? = try reader.find("checkout", in: &object)
        let host: String = try reader.require("host", in: &object)
        let metadata = try reader.texts("metadata", in: &object)
        let preferences: [Preference]? = try reader.findList("preferences", in: &object)
        let purpose: String? = try reader.find("purpose", in: &object)
        let reference: OutsideText? = try reader.find("reference", in: &object)
        let sessionURL: Sealed = try reader.require("sessionURL", in: &object)
        let userAgent: String = try reader.require("userAgent", in: &object)
        try reader.endObject(&object)
        return Opened(
            sessionURL: sessionURL,
            host: host,
            reference: reference,
            metadata: metadata,
            userAgent: userAgent,
            preferences: preferences ?? [],
            callbackScheme: callbackScheme,
            checkout: checkout,
            purpose: purpose.map { PaymentOrderPurpose(rawValue: $0) }
        )
    }
}
