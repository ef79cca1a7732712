package import EventLog
package import SwedbankPay

/// Writes JSON in the order of its members.
package enum JSONDocument {
    /// Returns the value as text: on one line, or indented by two blanks per level.
    package static func text(_ value: JSONValue, indented: Bool = false) -> String {
        var text = ""
        write(value, to: &text, level: indented ? 0 : nil)
        return text
    }

    private static func write(_ value: JSONValue, to text: inout String, level: Int?) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .string(let string): text += quoted(string)
        case .array(let values):
            list(values, "[", "]", to: &text, level: level) { value, text, level in
                write(value, to: &text, level: level)
            }
        case .object(let members):
            list(members, "{", "}", to: &text, level: level) { member, text, level in
                text += quoted(member.name) + (level == nil ? ":" : ": ")
                write(member.value, to: &text, level: level)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        to text: inout String,
        level: Int?,
        _ body: (Element, inout String, Int?) -> Void
    ) {
        text += open
        let inner = level.map { $0 + 1 }
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: "  ", count: inner) }
            body(element, &text, inner)
        }
        if let level, !elements.isEmpty {
            text += "\n" + String(repeating: "  ", count: level)
        }
        text += close
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
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
