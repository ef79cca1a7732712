extension Opened: CanonicalForm {
    func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("callbackScheme", callbackScheme)
            writer.member("host", host)
            if !metadata.isEmpty {
                writer.name("metadata")
                writer.object { writer in
                    for (name, value) in metadata.sorted(by: {
                        CanonicalOrder.precedes($0.key, $1.key)
                    }) {
                        writer.name(name)
                        writer.string(value)
                    }
                }
            }
            writer.membersIfAny("preferences", preferences)
            writer.member("reference", reference)
            writer.member("sessionURL", sessionURL)
            writer.member("userAgent", userAgent)
        }
    }

    static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Opened {
        var object = try reader.beginObject()
        let callbackScheme: String? = try reader.find("callbackScheme", in: &object)
        let host: String = try reader.require("host", in: &object)
        var metadata: [String: String] = [:]
        if try reader.advance(to: "metadata", in: &object) {
            var entries = try reader.beginObject()
            while let name = try reader.nextMember(in: &entries) {
                metadata[name] = try reader.string()
            }
            try reader.endObject(&entries)
        }
        let preferences: [Preference]? = try reader.findList("preferences", in: &object)
        let reference: String? = try reader.find("reference", in: &object)
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
            callbackScheme: callbackScheme
        )
    }
}
