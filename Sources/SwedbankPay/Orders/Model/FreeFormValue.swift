/// A value of a form that nobody prescribes: the merchant's own data, and members that the model does not know.
public indirect enum FreeFormValue: Hashable, Sendable {
    /// Explicitly nothing.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([FreeFormValue])
    /// Members by name.
    case members([String: FreeFormValue])
}

extension FreeFormValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A list.
    public init(arrayLiteral elements: FreeFormValue...) { self = .list(elements) }

    /// Members; of two with the same name the last one counts.
    public init(dictionaryLiteral elements: (String, FreeFormValue)...) {
        self = .members(Dictionary(elements) { _, last in last })
    }
}

extension FreeFormValue: CustomStringConvertible, CustomReflectable {
    /// Never the value, of which nobody knows what it holds.
    public var description: String { "•••" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
