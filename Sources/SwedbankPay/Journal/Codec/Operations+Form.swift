package import EventLog
internal import Workflow

extension OperationStarted: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("attempt", attempt)
            writer.member("effect", effect)
            writer.member("rel", rel)
            writer.member("try", tryNumber)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OperationStarted {
        var object = try reader.beginObject()
        let attempt: Int? = try reader.find("attempt", in: &object)
        let effect: EffectID = try reader.require("effect", in: &object)
        let rel: Rel = try reader.require("rel", in: &object)
        let tryNumber: Int = try reader.require("try", in: &object)
        try reader.endObject(&object)
        return OperationStarted(effect: effect, rel: rel, attempt: attempt, tryNumber: tryNumber)
    }
}

extension OperationFailed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("code", code)
            writer.member("document", document)
            writer.member("durationMilliseconds", durationMilliseconds)
            writer.member("effect", effect)
            writer.member("reach", reach)
            writer.member("rel", rel)
            writer.member("retryAt", retryAt)
            writer.member("status", status)
            writer.member("try", tryNumber)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OperationFailed {
        var object = try reader.beginObject()
        let code: String = try reader.require("code", in: &object)
        let document: ProblemDocument? = try reader.find("document", in: &object)
        let durationMilliseconds: Int64 = try reader.require("durationMilliseconds", in: &object)
        let effect: EffectID = try reader.require("effect", in: &object)
        let reach: Reach = try reader.require("reach", in: &object)
        let rel: Rel = try reader.require("rel", in: &object)
        let retryAt: Instant? = try reader.find("retryAt", in: &object)
        let status: Int? = try reader.find("status", in: &object)
        let tryNumber: Int = try reader.require("try", in: &object)
        try reader.endObject(&object)
        return OperationFailed(
            effect: effect,
            rel: rel,
            reach: reach,
            code: code,
            status: status,
            document: document,
            durationMilliseconds: durationMilliseconds,
            tryNumber: tryNumber,
            retryAt: retryAt
        )
    }
}

extension ProblemDocument: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("detail", detail)
            writer.member("raw", raw)
            writer.member("status", status)
            writer.member("title", title)
            writer.member("type", type)
            writer.member("wellFormed", isWellFormed)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ProblemDocument {
        var object = try reader.beginObject()
        let detail: OutsideText? = try reader.find("detail", in: &object)
        let raw: Sealed? = try reader.find("raw", in: &object)
        let status: Int? = try reader.find("status", in: &object)
        let title: OutsideText? = try reader.find("title", in: &object)
        let type: String = try reader.require("type", in: &object)
        let isWellFormed: Bool = try reader.require("wellFormed", in: &object)
        try reader.endObject(&object)
        return ProblemDocument(
            type: type,
            title: title,
            status: status,
            detail: detail,
            raw: raw,
            isWellFormed: isWellFormed
        )
    }
}
