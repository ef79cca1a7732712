/// Finds the position at which a text stops being JSON.
///
/// - Note: Source: the grammar of RFC 8259.
struct JSONSyntax {
    /// The maximum nesting depth of a document.
    static let depthLimit = 128

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The line and the column of the first error, from 1; `nil` when there is none.
    static func mistake(in bytes: [UInt8]) -> (line: Int, column: Int)? {
        var syntax = JSONSyntax(bytes)
        let isValue = syntax.value(depth: 0)
        syntax.skipSpace()
        guard !isValue || syntax.position < bytes.count else { return nil }
        let before = bytes.prefix(syntax.position)
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return (line, syntax.position - start + 1)
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) {
            position += 1
        }
    }

    private mutating func consume(_ character: Character) -> Bool {
        guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
        position += 1
        return true
    }

    /// Skips a value; stops at an error if there is one.
    private mutating func value(depth: Int) -> Bool {
        skipSpace()
        guard position < bytes.count, depth < Self.depthLimit else { return false }
        switch Character(Unicode.Scalar(bytes[position])) {
        case "{": return members(depth: depth)
        case "[": return elements(depth: depth)
        case "\"": return string()
        case "t": return word("true")
        case "f": return word("false")
        case "n": return word("null")
        default: return number()
        }
    }

    private mutating func members(depth: Int) -> Bool {
        position += 1
        skipSpace()
        if consume("}") { return true }
        repeat {
            skipSpace()
            guard position < bytes.count, bytes[position] == 0x22, string() else { return false }
            skipSpace()
            guard consume(":"), value(depth: depth + 1) else { return false }
            skipSpace()
        } while consume(",")
        return consume("}")
    }

    private mutating func elements(depth: Int) -> Bool {
        position += 1
        skipSpace()
        if consume("]") { return true }
        repeat {
            guard value(depth: depth + 1) else { return false }
            skipSpace()
        } while consume(",")
        return consume("]")
    }

    private mutating func string() -> Bool {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case 0x22:
                position += 1
                return true
            case 0..<0x20: return false
            case 0x5C: position += 2
            default: position += 1
            }
        }
        return false
    }

    private mutating func word(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func number() -> Bool {
        let start = position
        while position < bytes.count, "+-.0123456789eE".utf8.contains(bytes[position]) {
            position += 1
        }
        guard Double(String(decoding: bytes[start..<position], as: UTF8.self)) != nil else {
            position = start
            return false
        }
        return true
    }
}
