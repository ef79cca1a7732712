internal import EventLog
internal import SwedbankPay

/// Rows of `events` as stored in the file, one after another in one block of memory.
///
/// One thread reads them and others check them, so that a file is read once, however many threads
/// check it.
struct AuditRows: Sendable {
    struct Row: Sendable {
        var position: Int64
        /// The session's integer key.
        var key: Int64
        var sequence: SequenceNumber
        var at: Int64
        var previous: Digest256
        var hash: Digest256
        var mac: Digest256?
        /// Whether the columns have the form that a record requires.
        var isWhole: Bool
        var sealCount: Int
        /// The location in memory of the type, the record and the seals, one after another.
        var start: Int
        var (typeBytes, recordBytes, sealBytes): (Int, Int, Int)
    }

    /// The columns of a row, in the order in which ``append(_:)`` reads them.
    static let columns = "position, session, \(SQLiteRows.recordColumns)"

    /// The rows in storage order.
    private(set) var rows: [Row] = []
    private var bytes: [UInt8] = []

    /// Appends the current row of a statement of the connection.
    ///
    /// - Returns: The record's hash; zero when the column does not hold a hash.
    mutating func append(
        _ statement: SQLiteStatement,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Digest256 {
        let previous = statement.withBytes(6, Digest256.init(stored:))
        let hash = statement.withBytes(7, Digest256.init(stored:))
        let sealCount = statement.withBytes(8, SQLiteRows.sealCount(in:))
        let hasMAC = !statement.isNull(9)
        let mac = hasMAC ? statement.withBytes(9, Digest256.init(stored:)) : nil
        let start = bytes.count
        let type = statement.withTextBytes(3) { append($0) }
        let record = try record(in: statement, on: connection)
        let seals = statement.withBytes(8) { append($0) }
        rows.append(
            Row(
                position: statement.integer(0),
                key: statement.integer(1),
                sequence: statement.sequence(2),
                at: statement.integer(4),
                previous: previous ?? .zero,
                hash: hash ?? .zero,
                mac: mac,
                isWhole: type != nil && record != nil && previous != nil && hash != nil
                    && sealCount != nil && hasMAC == (mac != nil),
                sealCount: sealCount ?? 0,
                start: start,
                typeBytes: type ?? 0,
                recordBytes: record ?? 0,
                sealBytes: seals
            )
        )
        return hash ?? .zero
    }

    /// The total size of the rows' types, records and seals in bytes.
    var byteCount: Int { bytes.count }

    /// Removes the rows and keeps the memory.
    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends the current row's record.
    ///
    /// - Returns: Its size; `nil` when it is compressed and cannot be restored.
    private mutating func record(
        in statement: SQLiteStatement,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Int? {
        let isCompressed = statement.withBytes(5) { RecordDecompressor.dictionary(of: $0) != nil }
        guard isCompressed else { return statement.withBytes(5) { append($0) } }
        guard case .record(let canonical) = try connection.decompressed(statement, 5) else {
            return nil
        }
        return canonical.withUnsafeBytes { append($0) }
    }

    private mutating func append(_ lent: UnsafeRawBufferPointer) -> Int {
        bytes.append(contentsOf: lent)
        return lent.count
    }

    /// Lends each row's record in order; `nil` for a row that does not hold one.
    func forEach(_ body: (Row, (SessionID) -> LentRecord?) throws -> Void) rethrows {
        try bytes.withUnsafeBufferPointer { bytes in
            for row in rows {
                try body(row) { session in row.isWhole ? Self.record(row, session, bytes) : nil }
            }
        }
    }

    private static func record(
        _ row: Row,
        _ session: SessionID,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> LentRecord {
        let record = row.start + row.typeBytes
        return LentRecord(
            stream: session,
            sequence: row.sequence,
            type: String(decoding: bytes[row.start..<record], as: UTF8.self),
            at: Instant(microseconds: row.at),
            canonical: UnsafeBufferPointer(rebasing: bytes[record..<record + row.recordBytes]),
            previous: row.previous,
            hash: row.hash,
            sealCount: row.sealCount
        )
    }

    /// A row's record with its seals, copied out of the shared memory.
    func stored(_ row: Row, of session: SessionID) -> StoredRecord {
        let (record, seals) = (
            row.start + row.typeBytes, row.start + row.typeBytes + row.recordBytes
        )
        return StoredRecord(
            stream: session,
            sequence: row.sequence,
            type: String(decoding: bytes[row.start..<record], as: UTF8.self),
            at: Instant(microseconds: row.at),
            canonical: Array(bytes[record..<seals]),
            previous: row.previous,
            hash: row.hash,
            mac: row.mac,
            seals: bytes[seals..<seals + row.sealBytes].withUnsafeBytes(SQLiteRows.seals(from:))
                ?? []
        )
    }
}
