package import EventLog
package import SwedbankPay

/// Writes JSON in the order of its members.
package enum JSONDocument {
    /// Returns the value as text: on one line, or indented by two blanks per level.
    package static func text(_ value: JSONValue, indented: Bool = false) -> String {
        var writer = CanonicalWriter()
        write(value, to: &writer, level: indented ? 0 : nil)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ value: JSONValue, to writer: inout CanonicalWriter, level: Int?) {
        switch value {
        case .null: writer.literal("null")
        case .bool(let flag): writer.literal(flag ? "true" : "false")
        case .integer(let number): writer.appendDecimal(number)
        case .string(let string): writer.shownString(string)
        case .array(let values):
            list(values, "[", "]", to: &writer, level: level) { value, writer, level in
                write(value, to: &writer, level: level)
            }
        case .object(let members):
            list(members, "{", "}", to: &writer, level: level) { member, writer, level in
                writer.shownString(member.name)
                writer.literal(level == nil ? ":" : ": ")
                write(member.value, to: &writer, level: level)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element],
        _ open: StaticString,
        _ close: StaticString,
        to writer: inout CanonicalWriter,
        level: Int?,
        _ body: (Element, inout CanonicalWriter, Int?) -> Void
    ) {
        writer.literal(open)
        let inner = level.map { $0 + 1 }
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.literal(",") }
            if let inner { breakLine(&writer, level: inner) }
            body(element, &writer, inner)
        }
        if let level, !elements.isEmpty { breakLine(&writer, level: level) }
        writer.literal(close)
    }

    private static func breakLine(_ writer: inout CanonicalWriter, level: Int) {
        writer.literal("\n")
        for _ in 0..<level { writer.literal("  ") }
    }
}

extension JSONValue {
    /// The text, or `null`.
    package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// The number, or `null`.
    package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

    /// The amount in minor units, or `null`.
    package init(_ amount: Amount?) { self.init(amount?.minorUnits) }

    /// A sequence number; `null` for `nil`.
    package init(_ number: SequenceNumber?) { self.init(number?.rawValue) }

    /// A sequence number.
    package static func sequence(_ number: SequenceNumber) -> JSONValue {
        .integer(number.rawValue)
    }
}
