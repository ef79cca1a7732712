/// A JSON value with whole numbers only, used for foreign or older data until it is converted to
/// the current form.
public indirect enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// A Boolean.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object.
    case object([Member])

    /// A name and a value in an object.
    public struct Member: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Creates a member of an object.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of an object's member; setting `nil` removes it.
    ///
    /// For other kinds of value it is `nil`, and setting it has no effect.
    public subscript(name: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            members.removeAll { $0.name == name }
            if let newValue { members.append(Member(name, newValue)) }
            self = .object(members)
        }
    }

    /// The value in canonical form (RFC 8785).
    ///
    /// - Throws: ``EventDecodingError/number`` for a number outside ±(2^53 - 1), or
    ///   ``EventDecodingError/duplicateMember`` for an object that has a name twice.
    public func canonical() throws(EventDecodingError) -> [UInt8] {
        try checkNames()
        var writer = CanonicalWriter()
        write(to: &writer)
        guard writer.isExact else { throw .number }
        return writer.bytes
    }

    private func checkNames() throws(EventDecodingError) {
        switch self {
        case .null, .bool, .integer, .string: return
        case .array(let values):
            for value in values { try value.checkNames() }
        case .object(let members):
            guard Set(members.lazy.map { Array($0.name.utf8) }).count == members.count else {
                throw .duplicateMember
            }
            for member in members { try member.value.checkNames() }
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object whose members keep the order in which they are written.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0, $1) })
    }
}

extension JSONValue: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        switch self {
        case .null: writer.literal("null")
        case .bool(let value): value.write(to: &writer)
        case .integer(let value): writer.integer(value)
        case .string(let value): writer.string(value)
        case .array(let values): writer.list(values)
        case .object(let members):
            writer.object { writer in
                for member in members.sorted(by: {
                    CanonicalOrder.precedes($0.name, $1.name)
                }) {
                    writer.name(member.name)
                    member.value.write(to: &writer)
                }
            }
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> JSONValue {
        switch reader.next {
        case UInt8(ascii: "{"):
            var members: [Member] = []
            var object = try reader.beginObject()
            while let name = try reader.nextMember(in: &object) {
                members.append(Member(name, try read(from: &reader)))
            }
            try reader.endObject(&object)
            return .object(members)
        case UInt8(ascii: "["): return .array(try reader.list())
        case UInt8(ascii: "\""): return .string(try reader.string())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
        case UInt8(ascii: "n"):
            try reader.expect("null")
            return .null
        default: return .integer(try reader.integer())
        }
    }
}
