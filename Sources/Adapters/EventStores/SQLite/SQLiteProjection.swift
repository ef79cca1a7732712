internal import EventLog

/// Writes the rows of `sessions`, in the transaction of the records that they derive from.
///
/// SQLite updates an index entry whenever the statement names its column, even when the value stays
/// the same. The indexed columns change rarely, so there is a statement for each set of columns:
/// most appends touch no index at all.
///
/// Recently written rows are cached, which saves a search per append. The cache is valid as long as
/// no other connection has committed, which is checked in each transaction, under its lock.
///
/// - Note: Isolation: the writer's thread.
final class SQLiteProjection {
    /// The maximum number of cached rows; beyond it, all are dropped.
    static let maximumRecentRows = 4096

    /// The maximum number of kept statements; beyond it, all are dropped.
    ///
    /// A payment needs about a dozen.
    private static let maximumStatements = 256

    /// The writer's data about a stored session.
    struct Known {
        /// Its integer key.
        var key: Int64
        /// The last event's sequence number.
        var lastSequence: SequenceNumber
        /// The columns to change.
        fileprivate var changes: Columns
    }

    /// The columns of a row that change, besides those that change with each event.
    fileprivate struct Columns: OptionSet, Hashable {
        var rawValue: UInt32

        static let phase = Columns(rawValue: 1)
        static let outcome = Columns(rawValue: 2)
        static let problem = Columns(rawValue: 4)
        static let label = Columns(rawValue: 8)
        /// When the session is due next.
        static let due = Columns(rawValue: 16)
        /// The data of a session that are set when it is opened.
        static let identity = Columns(rawValue: 32)
        /// The facts for lists and sums.
        static let facts = Columns(rawValue: 64)
        static let all: Columns = [.phase, .outcome, .problem, .label, .due, .identity, .facts]

        init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The columns in which two rows of a session differ.
        init(from old: SessionSummary, to new: SessionSummary) {
            self = []
            if old.phase != new.phase { insert(.phase) }
            if old.outcome != new.outcome { insert(.outcome) }
            if old.problem != new.problem { insert(.problem) }
            if old.label != new.label { insert(.label) }
            if old.dueAt != new.dueAt { insert(.due) }
            if old.openedAt != new.openedAt || old.reference != new.reference
                || old.addressFingerprint != new.addressFingerprint || old.origin != new.origin
            {
                insert(.identity)
            }
            // A row without facts of this build may have another one's.
            if old.facts != new.facts || new.facts == nil { insert(.facts) }
        }
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
    private let connection: SQLiteConnection
    /// The statements, by the columns that they change.
    private var updates: [Columns: SQLiteStatement] = [:]

    init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        dataVersion = try connection.statement("PRAGMA data_version")
        self.connection = connection
        find = try connection.statement(
            "SELECT \(connection.columns.readWritten), key FROM sessions WHERE id = ?1"
        )
        findAddress = try connection.statement(
            "SELECT id FROM sessions WHERE address_fp = ?1 ORDER BY id DESC LIMIT 1"
        )
        insert = try connection.statement(
            """
            INSERT INTO sessions (phase, outcome, settled, last_seq, last_at, label, problem,
                due_at, opened_at, reference, address_fp, head_mac, imported, facts, id)
            VALUES (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?1)
            RETURNING key
            """
        )
    }

    /// The statement that changes some columns of a row; kept, since it runs with each append.
    ///
    /// It names no other column: SQLite would rewrite index entries that stay the same.
    private func update(_ columns: Columns) throws(SQLiteFailure) -> SQLiteStatement {
        if let known = updates[columns] { return known }
        var assignments = "settled = ?4, last_seq = ?5, last_at = ?6, head_mac = ?13"
        if columns.contains(.phase) { assignments += ", phase = ?2" }
        if columns.contains(.outcome) { assignments += ", outcome = ?3" }
        if columns.contains(.problem) { assignments += ", problem = ?8" }
        if columns.contains(.label) { assignments += ", label = ?7" }
        if columns.contains(.due) { assignments += ", due_at = ?9" }
        if columns.contains(.identity) {
            // An engine that had the session in memory when it was erased must not restore its
            // address.
            assignments +=
                ", opened_at = ?10, reference = ?11, "
                + "address_fp = iif(?12 IS NULL OR EXISTS (\(SQLiteRows.usableKey) "
                + "AND session = ?1), ?12, NULL)"
        }
        if columns.contains(.facts) { assignments += ", facts = ?15" }
        let statement = try SQLiteStatement(
            "UPDATE sessions SET \(assignments) WHERE key = ?1 AND last_seq < ?5",
            on: connection.database
        )
        if updates.count >= Self.maximumStatements { updates = [:] }
        updates[columns] = statement
        return statement
    }

    /// Drops cached rows that another connection may have changed; call this first in each
    /// transaction.
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

    /// Drops the rows written by a transaction that was rolled back.
    func forget() { recent = [:] }

    /// Finds a session and compares its row with the one that is to replace it.
    func find(_ summary: SessionSummary) throws(SQLiteFailure) -> Known? {
        if let known = recent[summary.session] {
            return Known(
                key: known.key,
                lastSequence: known.row.lastSequence,
                changes: Columns(from: known.row, to: summary)
            )
        }
        summary.session.utf8.withUnsafeBytes { find.bind(textBytes: $0, at: 1) }
        defer { find.reset() }
        guard try find.step() else { return nil }
        // An unreadable row is replaced as a whole.
        let stored = try? SQLiteRows.summary(in: find, of: connection.columns.model)
        return Known(
            key: find.integer(SQLiteRows.summaryCount),
            lastSequence: find.sequence(4),
            changes: stored.map { Columns(from: $0, to: summary) } ?? .all
        )
    }

    /// The session with an address, whichever writer added it; no other writer can add one during
    /// this transaction.
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
        insert.bind(text: summary.phase, at: 2)
        insert.bind(text: summary.outcome, at: 3)
        insert.bind(text: summary.problem, at: 8)
        insert.bind(text: summary.label, at: 7)
        insert.bind(summary.dueAt?.microseconds, at: 9)
        bindIdentity(of: summary, to: insert)
        insert.bind(summary.origin == .imported ? 1 : 0, at: 14)
        bind(summary.facts, to: insert)
        let isWritten = try insert.step()
        let key = insert.integer(0)
        // A further step ends the statement; the row is written by then.
        if isWritten { try insert.run() } else { insert.reset() }
        try insert.expectOneChange()
        recent[summary.session] = Recent(key: key, row: summary)
        return key
    }

    /// Replaces the row of a session, unless it describes a later event.
    func update(_ known: Known, to summary: SessionSummary) throws(SQLiteFailure) {
        let statement = try update(known.changes)
        statement.bind(known.key, at: 1)
        bindProgress(of: summary, to: statement)
        let changes = known.changes
        if changes.contains(.phase) { statement.bind(text: summary.phase, at: 2) }
        if changes.contains(.outcome) { statement.bind(text: summary.outcome, at: 3) }
        if changes.contains(.problem) { statement.bind(text: summary.problem, at: 8) }
        if changes.contains(.label) { statement.bind(text: summary.label, at: 7) }
        if changes.contains(.due) { statement.bind(summary.dueAt?.microseconds, at: 9) }
        if changes.contains(.identity) { bindIdentity(of: summary, to: statement) }
        if changes.contains(.facts) { bind(summary.facts, to: statement) }
        try statement.writeOne()
        recent[summary.session] = Recent(key: known.key, row: summary)
    }

    private func bindProgress(of summary: SessionSummary, to statement: SQLiteStatement) {
        statement.bind(summary.isSettled ? 1 : 0, at: 4)
        statement.bind(sequence: summary.lastSequence, at: 5)
        statement.bind(summary.lastAt.microseconds, at: 6)
        bind(summary.headMAC, to: statement, at: 13)
    }

    private func bindIdentity(of summary: SessionSummary, to statement: SQLiteStatement) {
        statement.bind(summary.openedAt.microseconds, at: 10)
        statement.bind(text: summary.reference, at: 11)
        bind(summary.addressFingerprint, to: statement, at: 12)
    }

    private func bind(_ facts: SessionFacts?, to statement: SQLiteStatement) {
        SQLiteRows.bind(facts, of: connection.columns.model, to: statement, at: 15)
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
