internal import CPQ
internal import EventLog

/// The result of a statement, in binary form.
package final class PQRows: @unchecked Sendable {
    // Unchecked: libpq's results never change after they were received, and any thread may read
    // them.
    private let result: OpaquePointer

    /// Takes ownership of a libpq result.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    /// The number of rows.
    var count: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement has changed.
    var changed: Int {
        guard let words = PQcmdTuples(result) else { return 0 }
        return Int(String(cString: words)) ?? 0
    }

    /// Whether a value is null or does not exist.
    func isNull(_ row: Int, _ column: Int32) -> Bool {
        // libpq would write a warning about a missing row to standard error.
        row >= count || PQgetisnull(result, Int32(row), column) != 0
    }

    /// Lends the bytes of a value; empty for null.
    func withBytes<Value>(
        _ row: Int,
        _ column: Int32,
        _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value {
        guard !isNull(row, column), let start = PQgetvalue(result, Int32(row), column) else {
            return body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let length = Int(PQgetlength(result, Int32(row), column))
        return body(UnsafeRawBufferPointer(start: start, count: length))
    }

    /// The bytes of a value.
    func bytes(_ row: Int, _ column: Int32) -> [UInt8] { withBytes(row, column) { Array($0) } }

    /// A sequence number; `nil` for null.
    func sequence(_ row: Int, _ column: Int32) -> SequenceNumber? {
        integer(row, column).map { SequenceNumber(rawValue: $0) }
    }

    /// An integer of eight, four or two bytes, or a Boolean of one; `nil` for null and everything
    /// else.
    func integer(_ row: Int, _ column: Int32) -> Int64? {
        guard !isNull(row, column) else { return nil }
        return withBytes(row, column) { bytes in
            switch bytes.count {
            case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            case 1: Int64(bytes[0])
            default: nil
            }
        }
    }

    /// A text; `nil` for null and for invalid UTF-8.
    func text(_ row: Int, _ column: Int32) -> String? {
        guard !isNull(row, column) else { return nil }
        return withBytes(row, column) { String(validating: $0, as: UTF8.self) }
    }
}
