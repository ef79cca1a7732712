extension ForeignJSON {
    /// The value as JSON without whitespace, members sorted by name: equal values have equal texts.
    package var text: String {
        var writer = CanonicalWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(to writer: inout CanonicalWriter) {
        switch self {
        case .null: writer.literal("null")
        case .bool(let value): writer.literal(value ? "true" : "false")
        case .integer(let value): writer.appendDecimal(value)
        case .number(let value):
            writer.verbatim(Array((value.isFinite ? value.description : "null").utf8))
        case .string(let value): writer.string(value)
        case .array(let elements):
            writer.append(UInt8(ascii: "["))
            for element in elements {
                writer.separate(after: UInt8(ascii: "["))
                element.write(to: &writer)
            }
            writer.append(UInt8(ascii: "]"))
        case .object(let members):
            writer.beginObject()
            for (name, value) in members.sorted(by: { CanonicalOrder.precedes($0.key, $1.key) }) {
                writer.name(name)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}

extension ForeignJSON: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral value: String) { self = .string(value) }

    package init(dictionaryLiteral elements: (String, ForeignJSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }

    /// A string, or an explicit `null`.
    package static func optional(_ text: String?) -> ForeignJSON {
        text.map { .string($0) } ?? .null
    }
}
