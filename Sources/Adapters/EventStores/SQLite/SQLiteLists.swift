internal import EventLog

/// Copies the rows of sessions into the tables for lists and sums, following the log.
///
/// An append writes its session's row once, without the indexes of lists. The copy follows with a
/// progress of its own, written in the same transaction: whatever ends in between, it is as of a
/// log position, and the next one continues there. A session that was appended to many times
/// meanwhile is copied once. Sums change with the copies, in the same transaction.
///
/// - Note: Isolation: the thread of its connection.
final class SQLiteLists {
    private let connection: SQLiteConnection
    private let copies: SQLiteListedRows
    private let find: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        self.connection = connection
        copies = try SQLiteListedRows(connection)
        find = try connection.statement(
            "SELECT \(connection.columns.readWritten) FROM sessions WHERE key = ?1"
        )
    }

    /// The number of records whose sessions have not been copied since.
    static func lag(on connection: SQLiteConnection) throws(SQLiteFailure) -> Int64 {
        let (done, end) = try extent(on: connection)
        return end - done
    }

    /// The time of the first record whose session has not been copied since.
    static let firstUnfollowed = """
        SELECT at FROM events WHERE position > (SELECT position FROM listed_progress)
        ORDER BY position LIMIT 1
        """

    /// The log positions up to which rows were copied, and of the newest record.
    private static func extent(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> (done: Int64, end: Int64) {
        let row = try connection.statement(
            "SELECT position, (SELECT max(position) FROM events) FROM listed_progress"
        )
        defer { row.reset() }
        guard try row.step() else { return (0, 0) }
        return (row.integer(0), max(row.integer(0), row.integer(1)))
    }

    /// Copies the rows of the sessions that have some of the next records.
    ///
    /// - Parameter limit: The maximum number of records.
    /// - Returns: Whether the end of the log was reached.
    /// - Throws: ``SQLiteFailure``.
    func follow(limit: Int) throws(SQLiteFailure) -> Bool {
        guard try Self.lag(on: connection) > 0 else { return true }
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            let (done, end) = try Self.extent(on: connection)
            let reached = min(end, done + Int64(max(1, limit)))
            // By position: in the order of sessions, all records would be read.
            let sessions = try connection.statement(
                "SELECT DISTINCT +session FROM events WHERE position > ?1 AND position <= ?2"
            )
            sessions.bind(done, at: 1)
            sessions.bind(reached, at: 2)
            try copyCounted(try Self.keys(in: sessions))
            let advance = try connection.statement("UPDATE listed_progress SET position = ?1")
            advance.bind(reached, at: 1)
            try advance.run()
            try connection.execute("COMMIT")
            return reached == end
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Makes the copies of some sessions equal to their rows again, and removes those of sessions
    /// that do not exist; within a transaction.
    ///
    /// - Parameters:
    ///   - place: The last session of the previous batch; `nil` for the first one.
    ///   - limit: The maximum number of sessions.
    /// - Returns: The last session of the batch; `nil` when there is none.
    /// - Throws: ``SQLiteFailure``.
    func repair(after place: String?, limit: Int) throws(SQLiteFailure) -> String? {
        let last = try connection.statement(
            "SELECT max(id) FROM (SELECT id FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2)"
        )
        defer { last.reset() }
        last.bind(text: place ?? "", at: 1)
        last.bind(Int64(max(1, limit)), at: 2)
        let end = try last.step() ? last.text(0) : nil
        let isWithin = "id > ?1 AND (?2 IS NULL OR id <= ?2)"
        let strays = try connection.statement(
            "SELECT key FROM listed_sessions WHERE \(isWithin) AND key NOT IN (SELECT key FROM sessions)"
        )
        let rows = try connection.statement("SELECT key FROM sessions WHERE \(isWithin)")
        for statement in [strays, rows] {
            statement.bind(text: place ?? "", at: 1)
            statement.bind(text: end, at: 2)
        }
        try remove(try Self.keys(in: strays))
        try copyCounted(try Self.keys(in: rows))
        return end
    }

    private func remove(_ keys: [Int64]) throws(SQLiteFailure) {
        guard !keys.isEmpty else { return }
        try run(connection.sums.subtracting(Self.isOfKeys), for: keys)
        try run("DELETE FROM listed_sessions WHERE \(Self.isOfKeys)", for: keys)
    }

    /// Whether a row is one of some, whose integer keys are a JSON list.
    private static let isOfKeys = "key IN (SELECT value FROM json_each(?1))"

    private func run(_ sql: String, for keys: [Int64]) throws(SQLiteFailure) {
        let statement = try connection.statement(sql)
        statement.bind(text: "[\(keys.map(String.init).joined(separator: ","))]", at: 1)
        try statement.run()
    }

    /// Copies the rows of sessions, and changes the sums by what they contribute; within a
    /// transaction.
    func copyCounted(_ keys: [Int64]) throws(SQLiteFailure) {
        guard !keys.isEmpty else { return }
        try run(connection.sums.subtracting(Self.isOfKeys), for: keys)
        try copy(keys)
        try run(connection.sums.adding(Self.isOfKeys), for: keys)
    }

    private func copy(_ keys: [Int64]) throws(SQLiteFailure) {
        for key in keys {
            find.bind(key, at: 1)
            defer { find.reset() }
            guard try find.step() else { continue }
            if let row = try? SQLiteRows.summary(in: find, of: connection.columns.model) {
                try copies.write(row, key: key)
            } else {
                try copyUnread(key)
            }
        }
    }

    /// Copies a row that is no session's: whoever lists it is told so.
    private func copyUnread(_ key: Int64) throws(SQLiteFailure) {
        let copy = try connection.statement(
            """
            INSERT OR REPLACE INTO listed_sessions (\(connection.columns.listedWithKey))
            SELECT \(connection.columns.writtenWithKey) FROM sessions WHERE key = ?1
            """
        )
        copy.bind(key, at: 1)
        try copy.run()
    }

    private static func keys(in rows: SQLiteStatement) throws(SQLiteFailure) -> [Int64] {
        defer { rows.reset() }
        var keys: [Int64] = []
        while try rows.step() { keys.append(rows.integer(0)) }
        return keys
    }

    /// The integer keys of the sessions whose rows are still to be copied.
    private static let waiting = """
        SELECT session FROM events WHERE position > (SELECT position FROM listed_progress)
        """

    /// The rows for lists: the copies, and as long as some of these are old, the rows themselves in
    /// their place.
    static func table(behindBy records: Int64, _ columns: SessionColumns) -> String {
        guard records > 0 else { return "listed_sessions" }
        return """
            (SELECT \(columns.listedWithKey) FROM listed_sessions WHERE key NOT IN (\(waiting))
                UNION ALL SELECT \(columns.writtenWithKey) FROM sessions WHERE key IN (\(waiting)))
            """
    }

    /// The sessions whose copy is not their row, or missing, apart from those that are still to be
    /// copied; without a number, copies that are of no session.
    static func different(
        limit: Int,
        of session: SessionID?,
        on connection: SQLiteConnection
    ) throws -> [StoreFault] {
        let isIt = session == nil ? "" : " AND id = ?2"
        let isOne = session == nil ? "" : " AND s.id = ?2"
        let columns = connection.columns
        let listed = (["key"] + columns.listed).map { "l.\($0)" }.joined(separator: ", ")
        let written = (["s.key"] + columns.written(of: "s")).joined(separator: ", ")
        let rows = try connection.statement(
            """
            SELECT s.id, s.last_seq FROM sessions s LEFT JOIN listed_sessions l ON l.key = s.key
            WHERE (\(written)) IS NOT (\(listed)) AND s.key NOT IN (\(waiting))\(isOne)
            UNION ALL
            SELECT id, NULL FROM listed_sessions WHERE key NOT IN (SELECT key FROM sessions)\(isIt)
            LIMIT ?1
            """
        )
        defer { rows.reset() }
        rows.bind(Int64(max(0, limit)), at: 1)
        if let session { rows.bind(text: session.description, at: 2) }
        var faults: [StoreFault] = []
        while try rows.step() {
            faults.append(
                StoreFault(
                    session: rows.text(0).flatMap { SessionID($0) },
                    sequence: rows.isNull(1) ? nil : rows.sequence(1),
                    kind: .projection([ListedSession.copyMember])
                )
            )
        }
        return faults
    }
}
