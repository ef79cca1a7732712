internal import CSQLite
package import EventLog
internal import Glibc

/// A prepared statement of one connection.
///
/// - Note: Isolation: the thread of its connection.
package final class SQLiteStatement {
    private let database: OpaquePointer
    private let handle: OpaquePointer

    package init(_ sql: String, on database: OpaquePointer) throws(SQLiteFailure) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &handle,
            nil
        )
        guard code == SQLITE_OK, let handle else {
            throw SQLiteFailure(code: code, on: database)
        }
        self.database = database
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Prepares the statement for new values; bytes that were bound may be freed afterwards.
    package func reset() { sqlite3_reset(handle) }

    /// Advances to the next row.
    ///
    /// - Returns: `false` when there are no more rows.
    package func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let failure = SQLiteFailure(code: code, on: database)
            sqlite3_reset(handle)
            throw failure
        }
    }

    /// Runs a statement that returns no rows, and resets it.
    package func run() throws(SQLiteFailure) {
        // Cleared, so that a failure finds only its own code.
        errno = 0
        _ = try step()
        sqlite3_reset(handle)
    }

    /// Runs a statement that must write exactly one row.
    ///
    /// - Throws: A failure of alteration when it wrote none: something in the file discarded the
    ///   row.
    package func writeOne() throws(SQLiteFailure) {
        try run()
        try expectOneChange()
    }

    /// Throws unless the last statement wrote one row, not counting rows written by
    /// triggers.
    package func expectOneChange() throws(SQLiteFailure) {
        guard sqlite3_changes(database) == 1 else {
            throw SQLiteFailure(alteration: "a row that was written is not there")
        }
    }

    package func bind(_ value: Int64, at index: Int32) {
        sqlite3_bind_int64(handle, index, value)
    }

    package func bind(_ value: Int64?, at index: Int32) {
        if let value { bind(value, at: index) } else { sqlite3_bind_null(handle, index) }
    }

    package func bind(sequence number: SequenceNumber, at index: Int32) {
        bind(number.rawValue, at: index)
    }

    /// Binds a copy of a text; its bytes need not be valid UTF-8.
    package func bind(text: String?, at index: Int32) {
        guard var text else {
            sqlite3_bind_null(handle, index)
            return
        }
        text.withUTF8 { bind(textBytes: UnsafeRawBufferPointer($0), at: index) }
    }

    /// Binds a copy of text bytes.
    package func bind(textBytes bytes: UnsafeRawBufferPointer, at index: Int32) {
        guard let start = bytes.baseAddress else {
            csqlite_bind_text(handle, index, "", 0)
            return
        }
        csqlite_bind_text(
            handle,
            index,
            start.assumingMemoryBound(to: CChar.self),
            Int32(clamping: bytes.count)
        )
    }

    /// Binds a copy of bytes.
    package func bind(copying bytes: UnsafeRawBufferPointer, at index: Int32) {
        guard let start = bytes.baseAddress, bytes.count > 0 else {
            sqlite3_bind_zeroblob(handle, index, 0)
            return
        }
        csqlite_bind_blob_copy(handle, index, start, Int32(clamping: bytes.count))
    }

    /// Binds bytes without copying them: they must stay valid until the statement is reset.
    package func bind(lasting bytes: UnsafeRawBufferPointer, at index: Int32) {
        guard let start = bytes.baseAddress, bytes.count > 0 else {
            sqlite3_bind_zeroblob(handle, index, 0)
            return
        }
        csqlite_bind_blob(handle, index, start, Int32(clamping: bytes.count))
    }

    package func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func sequence(_ column: Int32) -> SequenceNumber {
        SequenceNumber(rawValue: integer(column))
    }

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    package func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    package func text(_ column: Int32) -> String? {
        guard let text = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Lends the bytes of a column; empty when it is null.
    package func withBytes<Value>(
        _ column: Int32,
        _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value {
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    /// Lends the bytes of a text.
    ///
    /// - Returns: `nil` when the column is null.
    package func withTextBytes<Value>(
        _ column: Int32,
        _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value? {
        guard let text = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return body(UnsafeRawBufferPointer(start: text, count: count))
    }

    package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }
}
