package import EventLog

extension RetryRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("by", by)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> RetryRequested {
        var object = try reader.beginObject()
        let by: String = try reader.require("by", in: &object)
        try reader.endObject(&object)
        return RetryRequested(by: by)
    }
}

extension RefetchRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("by", by)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> RefetchRequested {
        var object = try reader.beginObject()
        let by: String = try reader.require("by", in: &object)
        try reader.endObject(&object)
        return RefetchRequested(by: by)
    }
}

extension AbortRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("by", by)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> AbortRequested {
        var object = try reader.beginObject()
        let by: String = try reader.require("by", in: &object)
        try reader.endObject(&object)
        return AbortRequested(by: by)
    }
}

extension Canceled: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("by", by)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Canceled {
        var object = try reader.beginObject()
        let by: Party = try reader.require("by", in: &object)
        try reader.endObject(&object)
        return Canceled(by: by)
    }
}

extension Completed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("evidence", evidence)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Completed {
        var object = try reader.beginObject()
        let evidence: Evidence = try reader.require("evidence", in: &object)
        try reader.endObject(&object)
        return Completed(evidence: evidence)
    }
}

extension Expired: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("reason", reason)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Expired {
        var object = try reader.beginObject()
        let reason: Reason = try reader.require("reason", in: &object)
        try reader.endObject(&object)
        return Expired(reason: reason)
    }
}

extension Failed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("host", host)
            writer.member("money", money)
            writer.member("reason", reason)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Failed {
        var object = try reader.beginObject()
        let host: String? = try reader.find("host", in: &object)
        let money: Money.Standing? = try reader.find("money", in: &object)
        let reason: Reason = try reader.require("reason", in: &object)
        try reader.endObject(&object)
        return Failed(reason: reason, host: host, money: money)
    }
}
