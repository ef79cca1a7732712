internal import CSQLite
package import EventLog
internal import Glibc

/// One connection to a database file, with its prepared statements.
///
/// - Note: Isolation: one thread at a time; SQLite's own locking is disabled
///   (`SQLITE_OPEN_NOMUTEX`).
package final class SQLiteConnection {
    /// The maximum number of prepared statements; beyond it, all are dropped and prepared again.
    package static let maximumStatements = 128

    package let database: OpaquePointer
    /// Restores compressed records; it knows the dictionaries that were needed so far.
    package let decompressor = RecordDecompressor()
    /// The statements on sessions' rows and on the sums over them.
    let sums: SumStatements
    private let patience: BusyPatience
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens an existing file.
    ///
    /// `isImmutable` says that nobody can change it: then it is read without its write-ahead log
    /// and without locks, which need files beside it.
    package convenience init(
        path: String,
        readOnly: Bool,
        isImmutable: Bool = false,
        busyTimeout: Duration,
        readModel: ReadModel = ReadModel()
    ) throws(SQLiteFailure) {
        // A relative path gets a prefix, since some names (`:memory:`) have a special meaning in
        // SQLite.
        let name = path.hasPrefix("/") ? path : "./" + path
        try self.init(
            name: isImmutable
                ? "file:\(PercentEncoding.encoded(name))?immutable=1" : name,
            access: isImmutable
                ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                : readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE,
            busyTimeout: busyTimeout,
            readModel: readModel
        )
    }

    /// Creates a private database that exists as long as the connection.
    package static func inMemory(_ readModel: ReadModel) throws(SQLiteFailure) -> SQLiteConnection {
        try SQLiteConnection(
            name: ":memory:",
            access: SQLITE_OPEN_READWRITE,
            busyTimeout: .zero,
            readModel: readModel
        )
    }

    private init(
        name: String,
        access: Int32,
        busyTimeout: Duration,
        readModel: ReadModel
    ) throws(SQLiteFailure) {
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var database: OpaquePointer?
        let code = sqlite3_open_v2(name, &database, flags, nil)
        guard code == SQLITE_OK, let database else {
            let failure = SQLiteFailure(code: code, on: database)
            sqlite3_close_v2(database)
            throw failure
        }
        self.database = database
        sums = SumStatements(model: readModel, dialect: .sqlite)
        patience = BusyPatience(limit: busyTimeout)
        sqlite3_busy_handler(
            database,
            { context, tries in
                guard let context else { return 0 }
                let patience = Unmanaged<BusyPatience>.fromOpaque(context).takeUnretainedValue()
                return patience.waitsOnce(afterTries: tries) ? 1 : 0
            },
            Unmanaged.passUnretained(patience).toOpaque()
        )
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(database)
    }

    /// The columns of sessions' rows.
    package var columns: SessionColumns { sums.columns }

    /// Whether the file can only be read, because of how it was opened or because of its
    /// permissions.
    package var isReadOnly: Bool { sqlite3_db_readonly(database, "main") != 0 }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

    /// The file's path as SQLite resolved it: absolute, without symbolic links.
    package var resolvedPath: String? {
        guard let name = sqlite3_db_filename(database, "main"), name.pointee != 0 else {
            return nil
        }
        return String(cString: name)
    }

    /// The prepared statement for a text, prepared once.
    package func statement(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        if let known = statements[sql] { return known }
        if statements.count >= Self.maximumStatements { statements = [:] }
        let statement = try SQLiteStatement(sql, on: database)
        statements[sql] = statement
        return statement
    }

    /// Runs statements without bound values.
    package func execute(_ sql: String) throws(SQLiteFailure) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code, on: database) }
    }

    /// The first column of the first row, as an integer.
    package func integer(_ sql: String) throws(SQLiteFailure) -> Int64? {
        let statement = try SQLiteStatement(sql, on: database)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row, as a text.
    package func text(_ sql: String) throws(SQLiteFailure) -> String? {
        let statement = try SQLiteStatement(sql, on: database)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Rolls back the open transaction, if there is one.
    package func rollBack() {
        guard isInTransaction else { return }
        sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
    }
}

/// Waits for another writer: with short pauses, up to the busy timeout.
///
/// SQLite's own handler sleeps up to 100 ms between tries, so that two busy writers would starve
/// each other.
///
/// - Note: Isolation: the thread of its connection.
private final class BusyPatience {
    private static let pauseMicroseconds: UInt32 = 500
    private let limit: Duration
    private var start = ContinuousClock.now

    package init(limit: Duration) { self.limit = limit }

    package func waitsOnce(afterTries tries: Int32) -> Bool {
        if tries == 0 { start = .now }
        guard ContinuousClock.now - start < limit else { return false }
        usleep(Self.pauseMicroseconds)
        return true
    }
}
