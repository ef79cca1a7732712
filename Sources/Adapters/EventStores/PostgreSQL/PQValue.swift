internal import EventLog

/// A value sent to the server in its binary form.
///
/// - Note: Source: PostgreSQL 15, binary formats of `int8`, `text`, `bytea`, `uuid` and
///   one-dimensional arrays of them.
package enum PQValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case integers([Int64?])
    case texts([String?])
    case blobs([[UInt8]?])
    /// An array written by a ``PQArrayWriter``.
    case array([UInt8])

    /// A sequence number.
    static func sequence(_ number: SequenceNumber) -> PQValue { .integer(number.rawValue) }

    /// The server's OIDs of types.
    enum TypeID: UInt32 {
        case bytes = 17
        case integer = 20
        case text = 25
        case identity = 2950
        case identities = 2951
        case blobs = 1001
        case integers = 1016
        case texts = 1009
    }

    /// The bytes; `nil` for null.
    var encoded: [UInt8]? {
        var bytes: [UInt8] = []
        switch self {
        case .null: return nil
        case .integer(let value): Self.append(value, to: &bytes)
        case .text(let value): bytes += value.withoutNUL.utf8
        case .bytes(let value), .array(let value): return value
        case .integers(let values):
            Self.append(.integer, values, to: &bytes, bytesEach: { _ in 8 }) { value, bytes in
                Self.append(value, to: &bytes)
            }
        case .texts(let values):
            let values = values.map { $0?.withoutNUL }
            Self.append(.text, values, to: &bytes, bytesEach: { $0.utf8.count }) { value, bytes in
                bytes += value.utf8
            }
        case .blobs(let values):
            Self.append(.bytes, values, to: &bytes, bytesEach: { $0.count }) { value, bytes in
                bytes += value
            }
        }
        return bytes
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends an array: dimensions, whether there are nulls, the type of the elements, their
    /// number, the first index; then each with its length, which is -1 for null.
    private static func append<Element>(
        _ type: TypeID,
        _ values: [Element?],
        to bytes: inout [UInt8],
        bytesEach: (Element) -> Int,
        _ write: (Element, inout [UInt8]) -> Void
    ) {
        bytes.reserveCapacity(values.reduce(20) { $0 + 4 + ($1.map(bytesEach) ?? 0) })
        // An empty array has no dimension.
        append(Int32(values.isEmpty ? 0 : 1), to: &bytes)
        append(Int32(values.contains { $0 == nil } ? 1 : 0), to: &bytes)
        append(type.rawValue, to: &bytes)
        guard !values.isEmpty else { return }
        append(Int32(clamping: values.count), to: &bytes)
        append(Int32(1), to: &bytes)
        for value in values {
            guard let value else {
                append(Int32(-1), to: &bytes)
                continue
            }
            append(Int32(clamping: bytesEach(value)), to: &bytes)
            write(value, &bytes)
        }
    }
}

/// A statement, which is usually prepared once per connection.
package struct PQStatement: Sendable {
    /// Its name on the server.
    var name: String
    /// Its text.
    var sql: String
    /// The types of its parameters.
    var parameters: [PQValue.TypeID]
    /// Whether the server keeps it prepared, and after a few executions also its plan, which then
    /// fits any values.
    ///
    /// Otherwise it is planned each time, for the values.
    var isKept = true

    /// Whether it reads or changes whole tables, so that its limit is
    /// ``PostgreSQLOptions/maintenanceTimeout``.
    var isLong = false

    /// The same statement, with the limit of those that read or change whole tables.
    var ofWholeTables: PQStatement {
        var statement = self
        statement.isLong = true
        return statement
    }

    /// The same statement, planned each time.
    var plannedEachTime: PQStatement {
        var statement = self
        statement.isKept = false
        return statement
    }

    init(_ name: String, _ sql: String, _ parameters: PQValue.TypeID...) {
        self.init(name, sql, parameters)
    }

    init(_ name: String, _ sql: String, _ parameters: [PQValue.TypeID]) {
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

    /// The same command, with the limit of those that read or change whole tables.
    var ofWholeTables: PQCommand {
        var command = self
        command.statement = statement.ofWholeTables
        return command
    }
}
