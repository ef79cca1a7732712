/// A JSON value as another program sends it, with any numbers and names.
package enum ForeignJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([ForeignJSON])
    case object([String: ForeignJSON])

    /// The members, if this is an object.
    package var object: [String: ForeignJSON]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The elements, if this is a list.
    package var array: [ForeignJSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The text, if this is a string.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The whole number, also when it was written with a zero fraction.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The whole number, if an event can contain it: it lies within ±(2^53 - 1).
    package var recordable: Int64? {
        integer.flatMap { number in
            number.magnitude <= UInt64(CanonicalWriter.greatestInteger) ? number : nil
        }
    }

    /// The Boolean, also when it was written as the text `true` or `false`.
    package var lenientBool: Bool? {
        switch self {
        case .bool(let value): return value
        case .string(let text):
            switch text.lowercased() {
            case "true": return true
            case "false": return false
            default: return nil
            }
        case .null, .integer, .number, .array, .object: return nil
        }
    }
}
