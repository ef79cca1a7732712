extension JSONValue {
    /// Reads JSON of any form.
    ///
    /// - Parameters:
    ///   - bytes: The JSON, in UTF-8.
    ///   - limits: The limits on length and nesting.
    ///   - exactNumbers: Whether numbers must be written as whole numbers, as in the canonical
    ///     form, which excludes `1.0`, `1e0` and `-0`. When false, any number with a whole value is
    ///     accepted.
    /// - Throws: ``EventDecodingError/malformed(offset:)`` when the bytes are not JSON in UTF-8,
    ///   ``EventDecodingError/number`` for a number that is not whole or lies outside ±(2^53 - 1),
    ///   ``EventDecodingError/duplicateMember`` for an object that has a name twice, and
    ///   ``EventDecodingError/limit(name:)`` for input that is too long or nested too deeply.
    public init(
        parsing bytes: [UInt8],
        limits: CanonicalLimits = .standard,
        exactNumbers: Bool = false
    ) throws(EventDecodingError) {
        guard bytes.count <= limits.lineBytes else { throw .limit(name: "lineBytes") }
        var parser = ForeignJSONParser(bytes: bytes, maximumDepth: limits.depth)
        let json = try parser.document()
        guard !parser.hasDuplicateMember else { throw .duplicateMember }
        guard !exactNumbers || !parser.hasOtherNumber else { throw .number }
        self = try JSONValue(json)
    }

    /// Converts a value whose numbers are whole.
    private init(_ json: ForeignJSON) throws(EventDecodingError) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let text): self = .string(text)
        case .integer, .number:
            guard let number = json.integer,
                number.magnitude <= UInt64(CanonicalWriter.greatestInteger)
            else { throw .number }
            self = .integer(number)
        case .array(let elements):
            var values: [JSONValue] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try JSONValue(element)) }
            self = .array(values)
        case .object(let json):
            var members: [Member] = []
            members.reserveCapacity(json.count)
            for (name, value) in json { members.append(Member(name, try JSONValue(value))) }
            members.sort { CanonicalOrder.precedes($0.name, $1.name) }
            self = .object(members)
        }
    }
}
