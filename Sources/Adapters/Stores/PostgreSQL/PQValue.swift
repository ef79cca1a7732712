/// A value that goes to the server, in its binary form.
///
/// - Note: Source: PostgreSQL 15, binary formats of `int8`, `text`, `bytea` and one-dimensional arrays of them.
package enum PQValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case integers([Int64?])
    case texts([String?])
    case blobs([[UInt8]?])

    /// The server's names of types.
    enum TypeID: UInt32 {
        case bytes = 17
        case integer = 20
        case text = 25
        case blobs = 1001
        case integers = 1016
        case texts = 1009
    }

    /// The bytes; nothing for null.
    var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let value): Self.bigEndian(value)
        case .text(let value): Array(value.utf8)
        case .bytes(let value): value
        case .integers(let values): Self.array(of: .integer, values) { Self.bigEndian($0) }
        case .texts(let values): Self.array(of: .text, values) { Array($0.utf8) }
        case .blobs(let values): Self.array(of: .bytes, values) { $0 }
        }
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// An array: dimensions, whether there are nulls, the type of the elements, their number, the first index; then each
    /// with its length, which is -1 for null.
    private static func array<Element>(
        of type: TypeID,
        _ values: [Element?],
        _ encode: (Element) -> [UInt8]
    ) -> [UInt8] {
        // An empty array has no dimension.
        var bytes = bigEndian(Int32(values.isEmpty ? 0 : 1))
        bytes += bigEndian(Int32(values.contains { $0 == nil } ? 1 : 0))
        bytes += bigEndian(type.rawValue)
        guard !values.isEmpty else { return bytes }
        bytes += bigEndian(Int32(clamping: values.count))
        bytes += bigEndian(Int32(1))
        for value in values {
            guard let value else {
                bytes += bigEndian(Int32(-1))
                continue
            }
            let element = encode(value)
            bytes += bigEndian(Int32(clamping: element.count))
            bytes += element
        }
        return bytes
    }
}

/// A statement that is prepared once on each connection.
package struct PQStatement: Sendable {
    /// Its name on the server.
    var name: String
    /// Its text.
    var sql: String
    /// What its parameters are.
    var parameters: [PQValue.TypeID]

    init(_ name: String, _ sql: String, _ parameters: PQValue.TypeID...) {
        self.name = name
        self.sql = sql
        self.parameters = parameters
    }
}

/// A statement with its values.
package struct PQCommand: Sendable {
    var statement: PQStatement
    var values: [PQValue]

    init(_ statement: PQStatement, _ values: PQValue...) {
        self.statement = statement
        self.values = values
    }
}
