/// A value of any form: the merchant's own data, and members that the model does not know.
public indirect enum FreeFormValue: Hashable, Sendable {
    /// An explicit `null`.
    case null
    /// A Boolean.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([FreeFormValue])
    /// Members keyed by name.
    case members([String: FreeFormValue])
}

extension FreeFormValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a list.
    public init(arrayLiteral elements: FreeFormValue...) { self = .list(elements) }

    /// Creates members; of two with the same name the last one is used.
    public init(dictionaryLiteral elements: (String, FreeFormValue)...) {
        self = .members(Dictionary(elements) { _, last in last })
    }
}

extension FreeFormValue: CustomStringConvertible, CustomReflectable {
    /// Dots; never the value, which may hold anything.
    public var description: String { "•••" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
