package import EventLog

extension Operation: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        contentType = try members.find("contentType", value?.contentType)
        expects = try members.find("expects", value?.expects, else: [])
        href = try members.find("href", value?.href)
        method = try members.find("method", value?.method)
        isNext = try members.require("next", value?.isNext)
        rel = try members.require("rel", value?.rel)
        target = try members.find("target", value?.target)
        tasks = try members.find("tasks", value?.tasks, else: [])
    }
}

extension IntegrationTask: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        contentType = try members.find("contentType", value?.contentType)
        expects = try members.find("expects", value?.expects, else: [])
        href = try members.find("href", value?.href)
        method = try members.find("method", value?.method)
        rel = try members.require("rel", value?.rel)
        scheme = try members.find("scheme", value?.scheme)
    }
}

extension Expectation: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        var unknown: (type: String, raw: Sealed)?
        if case .unknown(let type, let raw)? = value?.value { unknown = (type, raw) }
        name = try members.require("name", value?.name)
        let raw = try members.find("raw", unknown?.raw)
        let type = try members.find("type", unknown?.type)
        if let raw {
            guard let type else { throw .missing(member: "type") }
            self.value = .unknown(type: type, raw: raw)
        } else {
            self.value = try members.require("value", value?.value)
        }
    }
}

/// A value of a kind that this build knows; its JSON form identifies the kind.
extension Expectation.Value: MemberForm {
    package func write(to writer: inout CanonicalWriter) {
        switch self {
        case .sealed(let sealed): writer.seal(sealed)
        case .string(let text): writer.string(text)
        case .strings(let texts): texts.write(to: &writer)
        case .bool(let bool): bool.write(to: &writer)
        case .integer(let number): writer.integer(number)
        case .null: writer.literal("null")
        case .unknown: preconditionFailure("what is unknown stands in raw")
        }
    }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Self
    {
        switch reader.next {
        case UInt8(ascii: "{"): return .sealed(try .read(from: &reader))
        case UInt8(ascii: "\""): return .string(try reader.string())
        case UInt8(ascii: "["): return .strings(try .read(from: &reader))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
        case UInt8(ascii: "n"):
            try reader.expect("null")
            return .null
        default: return .integer(try reader.integer())
        }
    }

    package static func sample(by sampler: inout FormSampler) -> Self {
        sampler.one([
            .sealed(.sample(by: &sampler)), .string(.sample(by: &sampler)),
            .strings([.sample(by: &sampler)]), .bool(.sample(by: &sampler)),
            .integer(.sample(by: &sampler)), .null,
        ])
    }
}

extension RedirectTarget: ObjectForm {
    private enum Kind: String, CaseIterable, NameForm {
        case complete, cancel, payment, elsewhere, unreadable
    }

    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        var (place, kind): (String?, Kind?)
        switch value?.whole {
        case nil: break
        case .complete: kind = .complete
        case .cancel: kind = .cancel
        case .payment: kind = .payment
        case .elsewhere(let host): (place, kind) = (host, .elsewhere)
        case .unreadable: kind = .unreadable
        }
        let host = try members.find("host", place)
        switch try members.require("kind", kind) {
        case .complete: self = .complete
        case .cancel: self = .cancel
        case .payment: self = .payment
        case .elsewhere:
            guard let host else { throw .missing(member: "host") }
            self = .elsewhere(host: host)
        case .unreadable: self = .unreadable
        }
    }
}
