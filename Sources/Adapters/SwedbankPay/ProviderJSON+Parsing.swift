internal import FoundationEssentials

extension ProviderJSON {
    /// Reads JSON.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - maximumDepth: How deep lists and objects may be nested.
    /// - Throws: ``SnapshotRefusal/tooDeep`` or ``SnapshotRefusal/notJSON``.
    init(parsing bytes: [UInt8], maximumDepth: Int) throws(SnapshotRefusal) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        // The library descends by recursion, so the depth is measured first.
        guard Self.depth(of: text) <= maximumDepth else { throw .tooDeep }
        guard let parsed = try? JSONDecoder().decode(Parsed.self, from: Data(text)) else {
            throw .notJSON
        }
        self = parsed.value
    }

    private static func depth(of bytes: ArraySlice<UInt8>) -> Int {
        var depth = 0
        var open = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    open += 1
                    depth = max(depth, open)
                case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
                default: break
                }
            }
        }
        return depth
    }
}

/// A value as the library hands it out; the commonest kinds are asked for first.
private struct Parsed: Decodable {
    let value: ProviderJSON

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let scalar = try decoder.singleValueContainer()
        if let text = try? scalar.decode(String.self) {
            value = .string(text)
        } else if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [String: ProviderJSON] = [:]
            for name in object.allKeys {
                members[name.stringValue] = try object.decode(Parsed.self, forKey: name).value
            }
            value = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [ProviderJSON] = []
            while !list.isAtEnd { elements.append(try list.decode(Parsed.self).value) }
            value = .array(elements)
        } else if scalar.decodeNil() {
            value = .null
        } else if let truth = try? scalar.decode(Bool.self) {
            value = .bool(truth)
        } else if let whole = try? scalar.decode(Int64.self) {
            value = .integer(whole)
        } else {
            value = .number(try scalar.decode(Double.self))
        }
    }
}
