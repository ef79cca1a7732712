package import EventLog
internal import Workflow

extension OperationSucceeded: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        let (name, raw): (String, Sealed?) =
            switch content {
            case .snapshot: ("snapshot", nil)
            case .empty: ("empty", nil)
            case .undecodable(let raw): ("undecodable", raw)
            }
        writer.object { writer in
            writer.member("content", name)
            writer.member("durationMilliseconds", durationMilliseconds)
            writer.member("effect", effect)
            writer.member("raw", raw)
            writer.member("rel", rel)
            writer.member("status", status)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OperationSucceeded {
        var object = try reader.beginObject()
        let name: String = try reader.require("content", in: &object)
        let duration: Int64 = try reader.require("durationMilliseconds", in: &object)
        let effect: EffectID = try reader.require("effect", in: &object)
        let raw: Sealed? = try reader.find("raw", in: &object)
        let rel: Rel = try reader.require("rel", in: &object)
        let status: Int = try reader.require("status", in: &object)
        try reader.endObject(&object)
        let content: AnswerContent
        switch name {
        case "snapshot": content = .snapshot
        case "empty": content = .empty
        case "undecodable": content = .undecodable(raw: raw)
        default: throw .unknownValue("AnswerContent")
        }
        return OperationSucceeded(
            effect: effect,
            rel: rel,
            status: status,
            durationMilliseconds: duration,
            content: content
        )
    }
}
