package import EventLog

extension Expectation: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("name", name)
            switch value {
            case .sealed(let sealed): writer.member("value", sealed)
            case .string(let text): writer.member("value", text)
            case .strings(let texts): writer.members("value", texts)
            case .bool(let bool): writer.member("value", bool)
            case .integer(let number): writer.member("value", number)
            case .null: writer.member("value", JSONValue.null)
            case .unknown(let type, let raw):
                writer.member("raw", raw)
                writer.member("type", type)
            }
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Expectation {
        var object = try reader.beginObject()
        let name: String = try reader.require("name", in: &object)
        let raw: Sealed? = try reader.find("raw", in: &object)
        let type: String? = try reader.find("type", in: &object)
        let value: Value
        if let raw {
            guard let type else { throw .missing(member: "type") }
            value = .unknown(type: type, raw: raw)
        } else {
            guard try reader.advance(to: "value", in: &object) else {
                throw .missing(member: "value")
            }
            value = try readValue(from: &reader)
        }
        try reader.endObject(&object)
        return Expectation(name: name, value: value)
    }

    private static func readValue(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Value {
        switch reader.next {
        case UInt8(ascii: "{"): return .sealed(try .read(from: &reader))
        case UInt8(ascii: "\""): return .string(try reader.string())
        case UInt8(ascii: "["): return .strings(try reader.list())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
        case UInt8(ascii: "n"):
            try reader.expect("null")
            return .null
        default: return .integer(try reader.integer())
        }
    }
}

extension RedirectTarget: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            switch self {
            case .complete: writer.member("kind", "complete")
            case .cancel: writer.member("kind", "cancel")
            case .payment: writer.member("kind", "payment")
            case .elsewhere(let host):
                writer.member("host", host)
                writer.member("kind", "elsewhere")
            case .unreadable: writer.member("kind", "unreadable")
            }
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> RedirectTarget {
        var object = try reader.beginObject()
        let host: String? = try reader.find("host", in: &object)
        let kind: String = try reader.require("kind", in: &object)
        try reader.endObject(&object)
        switch kind {
        case "complete": return .complete
        case "cancel": return .cancel
        case "payment": return .payment
        case "elsewhere":
            guard let host else { throw .missing(member: "host") }
            return .elsewhere(host: host)
        case "unreadable": return .unreadable
        default: throw .unknownValue("RedirectTarget")
        }
    }
}
