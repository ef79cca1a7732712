internal import CSQLiteBare
internal import EventLog
internal import SwedbankPay

/// SQLite as a plain loop would use it: prepared statements, one thread, no other code.
///
/// The store created the file, so tables, indexes and settings are the same.
///
/// - Note: Isolation: one thread at a time.
final class BareDatabase {
    /// An error of SQLite.
    struct Failure: Error { var code: Int32 }

    private let database: OpaquePointer
    private let begin: OpaquePointer
    private let commit: OpaquePointer
    private let update: OpaquePointer
    private let insert: OpaquePointer
    private let select: OpaquePointer
    private let selectAll: OpaquePointer

    /// Opens a file with the store's settings.
    init(path: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            path,
            &opened,
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
            nil
        )
        guard code == SQLITE_OK, let database = opened else { throw Failure(code: code) }
        self.database = database
        let settings = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
            PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = 67108864;
            """
        try Self.check(sqlite3_exec(database, settings, nil, nil, nil))
        begin = try Self.prepare("BEGIN IMMEDIATE", database)
        commit = try Self.prepare("COMMIT", database)
        update = try Self.prepare(
            """
            UPDATE sessions SET phase = ?2, settled = ?3, last_seq = ?4, last_at = ?5
            WHERE key = ?1 AND last_seq < ?4
            """,
            database
        )
        insert = try Self.prepare(
            """
            INSERT INTO events (session, seq, type, at, record, prev, hash, seals)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            database
        )
        select = try Self.prepare(
            """
            SELECT seq, type, at, record, prev, hash, seals FROM events
            WHERE session = (SELECT key FROM sessions WHERE id = ?1) ORDER BY seq
            """,
            database
        )
        selectAll = try Self.prepare(
            "SELECT seq, type, at, record, prev, hash, seals FROM events ORDER BY position",
            database
        )
    }

    deinit {
        for statement in [begin, commit, update, insert, select, selectAll] {
            sqlite3_finalize(statement)
        }
        sqlite3_close_v2(database)
    }

    /// Inserts the rows of several appends, each with its session's integer key, in one
    /// transaction.
    func write(_ appends: [BareAppend]) throws {
        try run(begin)
        for append in appends {
            sqlite3_bind_int64(update, 1, append.key)
            bind(append.phase, to: update, at: 2)
            sqlite3_bind_int64(update, 3, 0)
            sqlite3_bind_int64(update, 4, append.sequence.rawValue)
            sqlite3_bind_int64(update, 5, append.at)
            try run(update)
            sqlite3_bind_int64(insert, 1, append.key)
            sqlite3_bind_int64(insert, 2, append.sequence.rawValue)
            bind(append.type, to: insert, at: 3)
            sqlite3_bind_int64(insert, 4, append.at)
            bind(append.record, to: insert, at: 5)
            bind(append.previous, to: insert, at: 6)
            bind(append.hash, to: insert, at: 7)
            if append.seals.isEmpty {
                sqlite3_bind_null(insert, 8)
            } else {
                bind(append.seals, to: insert, at: 8)
            }
            try run(insert)
        }
        try run(commit)
    }

    /// Reads all rows of a session, touches every column, and returns the numbers of rows and
    /// bytes.
    func read(_ session: String) throws -> (rows: Int, bytes: Int) {
        bind(Array(session.utf8), to: select, at: 1)
        return try rows(of: select)
    }

    /// Reads all rows in storage order, and every column.
    func readAll() throws -> (rows: Int, bytes: Int) { try rows(of: selectAll) }

    /// Reads all rows in storage order, hashes each record with the hash before it, and returns the
    /// number of correct hashes.
    func hashAll() throws -> Int {
        defer { sqlite3_reset(selectAll) }
        var sound = 0
        while true {
            let code = sqlite3_step(selectAll)
            if code == SQLITE_DONE { return sound }
            guard code == SQLITE_ROW else { throw Failure(code: code) }
            let previous = Digest256(bytes: bytes(of: 4)) ?? .zero
            let hash = HashChain.hash(previous, bytes(of: 3))
            if hash.bytes == bytes(of: 5) { sound += 1 }
        }
    }

    private func bytes(of column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(selectAll, column)
        let count = Int(sqlite3_column_bytes(selectAll, column))
        return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func rows(of select: OpaquePointer) throws -> (rows: Int, bytes: Int) {
        defer { sqlite3_reset(select) }
        var rows = 0
        var bytes = 0
        while true {
            let code = sqlite3_step(select)
            if code == SQLITE_DONE { return (rows, bytes) }
            guard code == SQLITE_ROW else { throw Failure(code: code) }
            rows += 1
            bytes &+= Int(truncatingIfNeeded: sqlite3_column_int64(select, 0))
            bytes &+= Int(truncatingIfNeeded: sqlite3_column_int64(select, 2))
            for column in [1, 3, 4, 5, 6] as [Int32]
            where sqlite3_column_blob(select, column) != nil {
                bytes &+= Int(sqlite3_column_bytes(select, column))
            }
        }
    }

    /// Returns the identifiers of all sessions.
    func sessions() throws -> [String] {
        try identities("SELECT id FROM sessions ORDER BY key")
    }

    /// Returns the sessions that are due by a time, the longest overdue first.
    func sessions(due time: Int64) throws -> [String] {
        try identities("SELECT id FROM sessions WHERE due_at <= \(time) ORDER BY due_at")
    }

    private func identities(_ text: String) throws -> [String] {
        let statement = try Self.prepare(text, database)
        defer { sqlite3_finalize(statement) }
        var identities: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) {
                identities.append(String(cString: text))
            }
        }
        return identities
    }

    private func bind(_ bytes: [UInt8], to statement: OpaquePointer, at index: Int32) {
        // SQLite reads the array's own memory, which the caller keeps until the statement has run.
        let count = Int32(clamping: bytes.count)
        bytes.withUnsafeBytes { pointer in
            _ =
                index == 3 || statement == update || statement == select
                ? bare_bind_text(statement, index, pointer.baseAddress, count)
                : bare_bind_blob(statement, index, pointer.baseAddress, count)
        }
    }

    private func run(_ statement: OpaquePointer) throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw Failure(code: code) }
    }

    private static func prepare(
        _ sql: String,
        _ database: OpaquePointer
    ) throws -> OpaquePointer {
        var statement: OpaquePointer?
        try check(
            sqlite3_prepare_v3(
                database,
                sql,
                -1,
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &statement,
                nil
            )
        )
        guard let statement else { throw Failure(code: SQLITE_MISUSE) }
        return statement
    }

    private static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }
}

/// One event to be written by the bare loop: bytes only.
struct BareAppend: Sendable {
    var key: Int64
    var sequence: SequenceNumber
    var type: [UInt8]
    var phase: [UInt8]
    var at: Int64
    var record: [UInt8]
    var previous: [UInt8]
    var hash: [UInt8]
    var seals: [UInt8]
}
