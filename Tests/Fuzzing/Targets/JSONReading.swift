import Foundation

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

    /// Returns what the standard library reads; `nil` when it refuses the text, or when the log
    /// cannot represent a number.
    static func library(_ bytes: [UInt8]) -> JSONValue? {
        try? JSONDecoder().decode(LibraryValue.self, from: Data(bytes)).value
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

/// A value as the standard library decodes it.
private struct LibraryValue: Decodable {
    let value: JSONValue

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let scalar = try decoder.singleValueContainer()
        if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [JSONValue.Member] = []
            for name in object.allKeys {
                let value = try object.decode(LibraryValue.self, forKey: name).value
                members.append(JSONValue.Member(name.stringValue, value))
            }
            members.sort { CanonicalOrder.precedes($0.name, $1.name) }
            value = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !list.isAtEnd { values.append(try list.decode(LibraryValue.self).value) }
            value = .array(values)
        } else if scalar.decodeNil() {
            value = .null
        } else if let truth = try? scalar.decode(Bool.self) {
            value = .bool(truth)
        } else if let text = try? scalar.decode(String.self) {
            value = .string(text)
        } else {
            value = .integer(try scalar.decode(Int64.self))
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
