internal import EventLog
internal import SwedbankPay

/// Writes the rows of `sessions`, in the transaction of the records that they follow from.
///
/// SQLite moves an index entry whenever the statement names its column, even when the value stays. The indexed
/// columns change seldom, so there is a statement for each kind of change: most appends touch no index at all.
///
/// Rows that were written lately are remembered, which spares a search per append. They hold as long as no other
/// connection has committed, and that is looked up in each transaction, under its lock.
///
/// - Note: Isolation: the writer's thread.
final class SQLiteProjection {
    /// How many rows are remembered; past it all are forgotten.
    static let maximumRecentRows = 4096

    /// What the writer needs to know of a stored session.
    struct Known {
        /// Its integer key.
        var key: Int64
        /// The last event's place.
        var lastSequence: Int64
        /// Whether the columns that a session keeps from its opening are as in the new row.
        fileprivate var keepsIdentity: Bool
        /// Whether the next due time is as in the new row.
        fileprivate var keepsDueAt: Bool
    }

    private struct Recent {
        var key: Int64
        var row: SessionSummary
    }

    private var recent: [SessionID: Recent] = [:]
    private var version: Int64?
    private let dataVersion: SQLiteStatement
    private let find: SQLiteStatement
    private let findAddress: SQLiteStatement
    private let insert: SQLiteStatement
    private let updateProgress: SQLiteStatement
    private let updateDue: SQLiteStatement
    private let updateAll: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        dataVersion = try connection.statement("PRAGMA data_version")
        find = try connection.statement(
            """
            SELECT key, last_seq, opened_at = ?2 AND reference IS ?3 AND address_fp IS ?4,
                due_at IS ?5
            FROM sessions WHERE id = ?1
            """
        )
        findAddress = try connection.statement(
            "SELECT id FROM sessions WHERE address_fp = ?1 ORDER BY id DESC LIMIT 1"
        )
        insert = try connection.statement(
            """
            INSERT INTO sessions (phase, outcome, settled, last_seq, last_at, instrument, problem,
                due_at, opened_at, reference, address_fp, head_mac, imported, id)
            VALUES (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?1) RETURNING key
            """
        )
        let progress = """
            UPDATE sessions SET phase = ?2, outcome = ?3, settled = ?4, last_seq = ?5, last_at = ?6,
                instrument = ?7, problem = ?8, head_mac = ?13
            """
        let condition = " WHERE key = ?1 AND last_seq < ?5"
        updateProgress = try connection.statement(progress + condition)
        updateDue = try connection.statement(progress + ", due_at = ?9" + condition)
        updateAll = try connection.statement(
            // An engine that had the session in memory when it was erased must not bring its address back.
            progress + ", due_at = ?9, opened_at = ?10, reference = ?11, address_fp = iif("
                + "?12 IS NULL OR EXISTS (\(SQLiteRows.usableKey) AND session = ?1), ?12, NULL)"
                + condition
        )
    }

    /// Forgets what another connection may have changed; to be called first in each transaction.
    ///
    /// - Returns: Whether another connection has committed since, or this is the first transaction.
    func beginTransaction() throws(SQLiteFailure) -> Bool {
        defer { dataVersion.reset() }
        let current = try dataVersion.step() ? dataVersion.integer(0) : nil
        let isChanged = current == nil || current != version
        if current != version || recent.count > Self.maximumRecentRows { recent = [:] }
        version = current
        return isChanged
    }

    /// Forgets what was written by a transaction that was given up.
    func forget() { recent = [:] }

    /// Looks a session up and compares its row with the one that is to replace it.
    func find(_ summary: SessionSummary) throws(SQLiteFailure) -> Known? {
        if let known = recent[summary.session] {
            let row = known.row
            return Known(
                key: known.key,
                lastSequence: row.lastSequence,
                keepsIdentity: row.openedAt == summary.openedAt
                    && row.reference == summary.reference
                    && row.addressFingerprint == summary.addressFingerprint,
                keepsDueAt: row.dueAt == summary.dueAt
            )
        }
        summary.session.utf8.withUnsafeBytes { find.bind(textBytes: $0, at: 1) }
        find.bind(summary.openedAt.microseconds, at: 2)
        find.bind(text: summary.reference, at: 3)
        bind(summary.addressFingerprint, to: find, at: 4)
        find.bind(summary.dueAt?.microseconds, at: 5)
        defer { find.reset() }
        guard try find.step() else { return nil }
        return Known(
            key: find.integer(0),
            lastSequence: find.integer(1),
            keepsIdentity: find.integer(2) == 1,
            keepsDueAt: find.integer(3) == 1
        )
    }

    /// The session that has an address, written by whomever; no other writer can add one while this transaction lasts.
    func session(ofAddress fingerprint: Digest256) throws(SQLiteFailure) -> SessionID? {
        bind(fingerprint, to: findAddress, at: 1)
        defer { findAddress.reset() }
        guard try findAddress.step() else { return nil }
        return findAddress.text(0).flatMap { SessionID($0) }
    }

    /// Writes the first row of a session.
    ///
    /// - Returns: Its integer key.
    func insert(_ summary: SessionSummary) throws(SQLiteFailure) -> Int64 {
        summary.session.utf8.withUnsafeBytes { insert.bind(textBytes: $0, at: 1) }
        bindProgress(of: summary, to: insert)
        insert.bind(summary.dueAt?.microseconds, at: 9)
        bindIdentity(of: summary, to: insert)
        insert.bind(summary.origin == .imported ? 1 : 0, at: 14)
        let isWritten = try insert.step()
        let key = insert.integer(0)
        // One more step ends the statement; the row is written by then.
        if isWritten { try insert.run() } else { insert.reset() }
        try insert.expectOneChange()
        recent[summary.session] = Recent(key: key, row: summary)
        return key
    }

    /// Replaces the row of a session, unless it is of a later event.
    func update(_ known: Known, to summary: SessionSummary) throws(SQLiteFailure) {
        let statement: SQLiteStatement
        if !known.keepsIdentity {
            statement = updateAll
            bindIdentity(of: summary, to: statement)
            statement.bind(summary.dueAt?.microseconds, at: 9)
        } else if !known.keepsDueAt {
            statement = updateDue
            statement.bind(summary.dueAt?.microseconds, at: 9)
        } else {
            statement = updateProgress
        }
        statement.bind(known.key, at: 1)
        bindProgress(of: summary, to: statement)
        try statement.writeOne()
        recent[summary.session] = Recent(key: known.key, row: summary)
    }

    private func bindProgress(of summary: SessionSummary, to statement: SQLiteStatement) {
        statement.bind(text: summary.phase, at: 2)
        statement.bind(text: summary.outcome, at: 3)
        statement.bind(summary.isSettled ? 1 : 0, at: 4)
        statement.bind(summary.lastSequence, at: 5)
        statement.bind(summary.lastAt.microseconds, at: 6)
        statement.bind(text: summary.label, at: 7)
        statement.bind(text: summary.problem, at: 8)
        bind(summary.headMAC, to: statement, at: 13)
    }

    private func bindIdentity(of summary: SessionSummary, to statement: SQLiteStatement) {
        statement.bind(summary.openedAt.microseconds, at: 10)
        statement.bind(text: summary.reference, at: 11)
        bind(summary.addressFingerprint, to: statement, at: 12)
    }

    private func bind(
        _ fingerprint: Digest256?,
        to statement: SQLiteStatement,
        at index: Int32
    ) {
        guard let fingerprint else { return statement.bindNull(at: index) }
        fingerprint.withBytes { statement.bind(copying: $0, at: index) }
    }
}
