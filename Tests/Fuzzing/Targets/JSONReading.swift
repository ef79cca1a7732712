@testable import Adapters
@testable import EventLog
@testable import SwedbankPay

/// An independent reading of JSON, to compare the tested parsers with.
enum JSONReading {
    /// Returns the depth of nested brackets outside of strings.
    static func depth(_ bytes: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            index += 1
        }
        return deepest
    }

    /// Whether one value contains everything that another one does.
    ///
    /// The numbers of sealed values may differ, because they are assigned when a record is written.
    static func isPart(_ part: JSONValue, of whole: JSONValue) -> Bool {
        switch (part, whole) {
        case (.object(let members), .object):
            return members.allSatisfy { member in
                guard let other = value(of: member.name, in: whole) else { return false }
                return member.name == "$sealed" || isPart(member.value, of: other)
            }
        case (.array(let values), .array(let others)):
            return values.count == others.count
                && zip(values, others).allSatisfy { isPart($0, of: $1) }
        case (.string(let text), .string(let other)): return text.utf8.elementsEqual(other.utf8)
        default: return part == whole
        }
    }

    /// Returns the value of a member; names are compared as bytes.
    private static func value(of name: String, in object: JSONValue) -> JSONValue? {
        guard case .object(let members) = object else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Whether a value of the log is what another reader made of the same text.
    static func isSame(_ value: JSONValue, as other: ForeignJSON) -> Bool {
        switch (value, other) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.integer(let left), .integer), (.integer(let left), .number):
            return left == other.integer
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { isSame($0, as: $1) }
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.allSatisfy { member in
                    right[member.name].map { isSame(member.value, as: $0) } ?? false
                }
        default: return false
        }
    }

    /// Returns whether an object has two names that Swift treats as equal, though their bytes
    /// differ.
    static func hasEquivalentNames(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .string: false
        case .array(let values): values.contains(where: hasEquivalentNames)
        case .object(let members):
            Set(members.map(\.name)).count < members.count
                || members.contains { hasEquivalentNames($0.value) }
        }
    }
}

/// Growing shapes of JSON.
extension FuzzTarget.Growth {
    /// Shapes that every JSON parser has to withstand.
    static let json: [FuzzTarget.Growth] = [
        .repeating("["), .repeating("{\"a\":"), .repeating("1,", after: "[", before: "1]"),
        .repeating("[],", after: "[", before: "[]]"),
        .repeating("a", after: "\"", before: "\""),
        .repeating("\\u0041", after: "\"", before: "\""),
        .repeating("\\\\", after: "\"", before: "\""),
        .repeating("\u{E9}", after: "\"", before: "\""),
        .repeating("9"), .repeating("9", after: "1e"), .repeating(" "), .repeating("\""),
        .repeating("}"), .repeating(","), .repeating("\"a\":1,", after: "{", before: "\"a\":1}"),
        FuzzTarget.Growth(name: "many names") { length in
            let names = (0..<max(1, length / 12)).map { "\"n\(1_000_000 + $0)\":1" }
            return Array(("{" + names.joined(separator: ",") + "}").utf8)
        },
    ]
}
