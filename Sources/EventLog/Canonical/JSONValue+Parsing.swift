internal import FoundationEssentials

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
        // The library would also accept UTF-16 and UTF-32, in which brackets and colons cannot be
        // counted by bytes. All of those encodings contain NUL or are not valid UTF-8.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw .malformed(offset: nil)
        }
        let shape = JSONShape(of: bytes)
        guard shape.depth <= limits.depth else { throw .limit(name: "depth") }
        // The library accepts a comma before a closing bracket; JSON does not.
        guard !shape.hasTrailingComma else { throw .malformed(offset: nil) }
        // The library rounds: it reads 1.00000000000000000001 as 1.
        guard !exactNumbers || !shape.hasOtherNumber else { throw .number }
        do {
            self = try JSONDecoder().decode(Parsed.self, from: Data(bytes)).value
        } catch let error as EventDecodingError {
            throw error
        } catch {
            throw .malformed(offset: nil)
        }
        // The library keeps only one of two members with the same name; the number of colons shows
        // that there were two.
        guard memberCount == shape.colons else { throw .duplicateMember }
    }
}

/// What can be learned about JSON from its brackets, colons and digits alone.
private struct JSONShape {
    var depth = 0
    var colons = 0
    var hasTrailingComma = false
    /// Whether a number has a fraction or an exponent, or is a negative zero.
    var hasOtherNumber = false

    init(of bytes: [UInt8]) {
        var open = 0
        var previous: UInt8 = 0
        var isInString = false
        var isEscaped = false
        var last: UInt8 = 0
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: ":"): colons += 1
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    open += 1
                    depth = max(depth, open)
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    open -= 1
                    if last == UInt8(ascii: ",") { hasTrailingComma = true }
                case UInt8(ascii: "."), UInt8(ascii: "E"): hasOtherNumber = true
                case UInt8(ascii: "e") where isDigit(previous): hasOtherNumber = true
                case UInt8(ascii: "0") where previous == UInt8(ascii: "-"): hasOtherNumber = true
                default: break
                }
                previous = byte
                if byte > UInt8(ascii: " ") { last = byte }
            }
        }
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// A value as the library decodes it.
private struct Parsed: Decodable {
    let value: JSONValue

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [JSONValue.Member] = []
            for name in object.allKeys {
                let value = try object.decode(Parsed.self, forKey: name).value
                members.append(JSONValue.Member(name.stringValue, value))
            }
            members.sort { CanonicalOrder.precedes($0.name, $1.name) }
            value = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !list.isAtEnd { values.append(try list.decode(Parsed.self).value) }
            value = .array(values)
        } else {
            value = try Self.scalar(in: try decoder.singleValueContainer())
        }
    }

    private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let text = try? container.decode(String.self) { return .string(text) }
        guard let number = try? container.decode(Int64.self),
            number.magnitude <= UInt64(CanonicalWriter.greatestInteger)
        else { throw EventDecodingError.number }
        return .integer(number)
    }
}
