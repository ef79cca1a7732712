package import EventLog

extension Problem: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("actor", actor)
            writer.member("detail", detail)
            writer.member("failure", failure)
            writer.member("kind", kind)
            writer.member("origin", origin)
            writer.member("reference", reference)
            writer.member("rel", rel)
            writer.member("retryable", isRetryable)
            writer.member("status", status)
            writer.member("title", title)
            writer.member("type", type)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Problem {
        var object = try reader.beginObject()
        let actor: Actor = try reader.require("actor", in: &object)
        let detail: OutsideText? = try reader.find("detail", in: &object)
        let failure: PageFailure? = try reader.find("failure", in: &object)
        let kind: EngineProblemKind? = try reader.find("kind", in: &object)
        let origin: ProblemOrigin = try reader.require("origin", in: &object)
        let reference: Sealed? = try reader.find("reference", in: &object)
        let rel: Rel? = try reader.find("rel", in: &object)
        let isRetryable: Bool = try reader.require("retryable", in: &object)
        let status: Int? = try reader.find("status", in: &object)
        let title: OutsideText? = try reader.find("title", in: &object)
        let type: String? = try reader.find("type", in: &object)
        try reader.endObject(&object)
        return Problem(
            origin: origin,
            kind: kind,
            type: type,
            title: title,
            status: status,
            detail: detail,
            isRetryable: isRetryable,
            actor: actor,
            reference: reference,
            rel: rel,
            failure: failure
        )
    }
}

extension SessionProblem: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("acknowledge", acknowledge)
            writer.member("detail", detail)
            writer.member("originalDetail", originalDetail)
            writer.member("status", status)
            writer.member("title", title)
            writer.member("type", type)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> SessionProblem {
        var object = try reader.beginObject()
        let acknowledge: Operation? = try reader.find("acknowledge", in: &object)
        let detail: OutsideText? = try reader.find("detail", in: &object)
        let originalDetail: OutsideText? = try reader.find("originalDetail", in: &object)
        let status: Int? = try reader.find("status", in: &object)
        let title: OutsideText? = try reader.find("title", in: &object)
        let type: String = try reader.require("type", in: &object)
        try reader.endObject(&object)
        return SessionProblem(
            type: type,
            title: title,
            status: status,
            detail: detail,
            originalDetail: originalDetail,
            acknowledge: acknowledge
        )
    }
}

extension ProblemAcknowledged: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("accepted", accepted)
            writer.member("reference", reference)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> ProblemAcknowledged {
        var object = try reader.beginObject()
        let accepted: Bool = try reader.require("accepted", in: &object)
        let reference: Sealed = try reader.require("reference", in: &object)
        try reader.endObject(&object)
        return ProblemAcknowledged(reference: reference, accepted: accepted)
    }
}
