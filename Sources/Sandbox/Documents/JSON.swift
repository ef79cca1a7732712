/// A JSON document, as the sandbox reads and writes it.
///
/// Amounts are in minor units, so whole numbers have a case of their own.
indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The member with this name, if this is an object that has one.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The value at a path of member names and array indices such as `client.screens.0`.
    func value(at path: String) -> JSON? {
        var current = self
        for step in path.pieces(between: ".") {
            switch current {
            case .object(let members):
                guard let member = members[String(step)] else { return nil }
                current = member
            case .array(let elements):
                guard let index = Int(step), elements.indices.contains(index) else { return nil }
                current = elements[index]
            case .null, .bool, .integer, .number, .string:
                return nil
            }
        }
        return current
    }

    /// The text of a string; `nil` for any other value.
    var text: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// A string, or an explicit null.
    static func optional(_ value: String?) -> JSON {
        value.map(JSON.string) ?? .null
    }

    /// A list of strings.
    static func strings(_ values: [String]) -> JSON {
        .array(values.map(JSON.string))
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
