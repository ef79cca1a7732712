package import EventLog

extension CallbackReceived: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("by", by)
            writer.member("digest", digest)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> CallbackReceived {
        var object = try reader.beginObject()
        let by: String? = try reader.find("by", in: &object)
        let digest: Digest256 = try reader.require("digest", in: &object)
        try reader.endObject(&object)
        return CallbackReceived(digest: digest, by: by)
    }
}

extension NoteAdded: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("by", by)
            writer.member("text", text)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> NoteAdded {
        var object = try reader.beginObject()
        let by: String = try reader.require("by", in: &object)
        let text: Sealed = try reader.require("text", in: &object)
        try reader.endObject(&object)
        return NoteAdded(by: by, text: text)
    }
}

extension OperatorActed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            writer.member("by", by)
            writer.member("reason", reason)
            writer.member("resolution", resolution)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OperatorActed {
        var object = try reader.beginObject()
        let action: String = try reader.require("action", in: &object)
        let by: String = try reader.require("by", in: &object)
        let reason: String? = try reader.find("reason", in: &object)
        let resolution: MoneyResolution? = try reader.find("resolution", in: &object)
        try reader.endObject(&object)
        return OperatorActed(by: by, action: action, reason: reason, resolution: resolution)
    }
}

extension MoneyResolution: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("amount", amount)
            writer.member("verdict", verdict)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> MoneyResolution {
        var object = try reader.beginObject()
        let amount: Int64? = try reader.find("amount", in: &object)
        let verdict: Verdict = try reader.require("verdict", in: &object)
        try reader.endObject(&object)
        return MoneyResolution(verdict: verdict, amount: amount)
    }
}
