package import EventLog
internal import Foundation

/// A tree as the standard library decodes it, to compare our own reader with.
package struct LibraryJSON: Decodable {
    /// The tree.
    package let value: ForeignJSON

    /// Parses JSON.
    package init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads any value.
    package init(from decoder: any Decoder) throws {
        let scalar = try decoder.singleValueContainer()
        if let text = try? scalar.decode(String.self) {
            value = .string(text)
        } else if let object = try? decoder.container(keyedBy: Name.self) {
            var members: [String: ForeignJSON] = [:]
            for name in object.allKeys {
                members[name.stringValue] = try object.decode(LibraryJSON.self, forKey: name).value
            }
            value = .object(members)
        } else if var list = try? decoder.unkeyedContainer() {
            var elements: [ForeignJSON] = []
            while !list.isAtEnd { elements.append(try list.decode(LibraryJSON.self).value) }
            value = .array(elements)
        } else if scalar.decodeNil() {
            value = .null
        } else if let truth = try? scalar.decode(Bool.self) {
            value = .bool(truth)
        } else if let whole = try? scalar.decode(Int64.self) {
            value = .integer(whole)
        } else {
            value = .number(try scalar.decode(Double.self))
        }
    }
}
