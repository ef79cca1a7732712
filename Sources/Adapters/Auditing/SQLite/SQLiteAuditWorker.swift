internal import EventLog
internal import SwedbankPay

/// Checks the sessions of one share of a store, whose records it receives in storage order.
///
/// It keeps the sessions that have begun and not yet reached their last record; each is compared
/// with its row and dropped when it has. A mismatch is only recorded as a suspect: the audit
/// examines such a session again afterwards, all its records in one transaction, since the store
/// may be written to while it is checked.
///
/// - Note: Isolation: one thread at a time.
final class SQLiteAuditWorker: @unchecked Sendable {
    // Unchecked: the audit hands out one piece after another and waits for each, so no two threads
    // use a worker at once.

    /// The maximum number of sessions followed at once; sessions that begin beyond it are examined
    /// afterwards.
    static let maximumOpenSessions = 16_384

    /// A session that has begun.
    private final class Open {
        let session: SessionID
        let listed: ListedSession
        /// The number of records according to the session index.
        let length: SequenceNumber
        let position: Int64
        var audit: SessionAudit
        var sealed: [StoredRecord] = []
        var marks: [RecordMark] = []

        init(_ listed: ListedSession, at position: Int64) {
            session = listed.row.session
            self.listed = listed
            length = listed.row.lastSequence
            self.position = position
            audit = SessionAudit(of: listed.row.session)
        }

        /// Whether the log agrees with the row, as far as this can be determined without keys.
        func isAsListed(by rules: SQLiteAuditRules) -> Bool {
            listed.contradictions(to: audit, by: rules.decider, current: rules.build).isEmpty
        }
    }

    /// The outcome of one piece of the store.
    struct Piece: Sendable {
        /// The number of sessions that were completed and are intact.
        var sessions: Int64 = 0
        /// The tally of those sessions.
        var tally = LogTally()
        /// Their seals, if requested.
        var sealed: [SealedRecords] = []
        /// The sessions to examine again.
        var suspects: [SQLiteSuspect] = []
    }

    private let rules: SQLiteAuditRules
    private var open: [Int64: Open] = [:]
    private var suspects: Set<Int64> = []

    /// Creates a worker for the sessions whose integer key has this remainder.
    init(share: Int, of shares: Int, rules: SQLiteAuditRules, suspects: [SQLiteSuspect]) {
        self.rules = rules
        self.suspects = Set(suspects.map(\.key).filter { abs($0 % Int64(shares)) == Int64(share) })
    }

    /// The sessions that have begun and not reached their end.
    var unfinished: [SQLiteSuspect] {
        open.map { SQLiteSuspect(key: $0.key, position: $0.value.position) }
    }

    /// Checks the next records of its share.
    func check(_ parts: [AuditRows], on connection: SQLiteConnection) throws -> Piece {
        var piece = Piece()
        for rows in parts { try check(rows, on: connection, &piece) }
        return piece
    }

    private func check(
        _ rows: AuditRows,
        on connection: SQLiteConnection,
        _ piece: inout Piece
    ) throws {
        try rows.forEach { row, record in
            let key = row.key
            guard !suspects.contains(key) else { return }
            guard let session = try session(key, at: row.position, row.sequence, connection) else {
                let wasCounted = try Self.listed(key, connection).map { $0 < row.sequence } ?? false
                suspect(key, at: row.position, wasCounted: wasCounted, in: &piece)
                return
            }
            let stream = session.session
            guard let lent = record(stream) else {
                let fault = StoreFault(
                    session: stream,
                    sequence: row.sequence,
                    kind: .unreadable("the row does not hold a record")
                )
                return suspect(key, at: row.position, fault, in: &piece)
            }
            do throws(LogDamage) {
                try session.audit.check(lent)
            } catch {
                let fault = StoreFault(session: stream, sequence: error.sequence, kind: .log(error))
                return suspect(key, at: row.position, fault, in: &piece)
            }
            if rules.opensSeals {
                session.marks.append(RecordMark(hash: row.hash, mac: row.mac))
                if row.sealCount > 0 { session.sealed.append(rows.stored(row, of: stream)) }
            }
            guard session.audit.head.sequence >= session.length else { return }
            finish(session, key, &piece)
        }
    }

    /// The session of a record; `nil` when it is not followed.
    private func session(
        _ key: Int64,
        at position: Int64,
        _ sequence: SequenceNumber,
        _ connection: SQLiteConnection
    ) throws -> Open? {
        if let known = open[key] { return known }
        guard sequence == 1, open.count < Self.maximumOpenSessions else { return nil }
        let rows = try connection.statement(
            "SELECT \(SQLiteRows.listedColumns(connection.columns)) FROM sessions WHERE key = ?1"
        )
        defer { rows.reset() }
        rows.bind(key, at: 1)
        guard try rows.step(),
            let listed = try? SQLiteRows.listed(in: rows, of: connection.columns.model)
        else { return nil }
        let session = Open(listed, at: position)
        open[key] = session
        return session
    }

    /// The number of a session's records according to the session index.
    private static func listed(
        _ key: Int64,
        _ connection: SQLiteConnection
    ) throws -> SequenceNumber? {
        let rows = try connection.statement("SELECT last_seq FROM sessions WHERE key = ?1")
        defer { rows.reset() }
        rows.bind(key, at: 1)
        return try rows.step() ? rows.sequence(0) : nil
    }

    private func finish(
        _ session: Open,
        _ key: Int64,
        _ piece: inout Piece
    ) {
        guard session.isAsListed(by: rules) else {
            return suspect(key, at: session.position, in: &piece)
        }
        open[key] = nil
        piece.sessions += 1
        piece.tally.add(session.audit.tally)
        guard rules.opensSeals else { return }
        piece.sealed.append(
            SealedRecords(
                session.sealed,
                session.marks,
                of: session.audit,
                listed: session.listed
            )
        )
    }

    private func suspect(
        _ key: Int64,
        at position: Int64,
        _ fault: StoreFault? = nil,
        wasCounted: Bool = false,
        in piece: inout Piece
    ) {
        open[key] = nil
        suspects.insert(key)
        piece.suspects.append(
            SQLiteSuspect(key: key, position: position, fault: fault, wasCounted: wasCounted)
        )
    }
}

/// A session that must be examined again.
struct SQLiteSuspect: Sendable {
    /// The session's integer key.
    var key: Int64
    /// The log position at which it was noticed.
    var position: Int64
    /// The fault that was noticed, if any.
    var fault: StoreFault?
    /// Whether the session was counted as intact before, although it has more records than the
    /// session index states.
    var wasCounted = false
}

/// The rules by which sessions are checked.
struct SQLiteAuditRules: Sendable {
    /// The rules of this build.
    var decider: SessionDecider
    /// The name of this build.
    var build: String?
    /// Whether seals are requested.
    var opensSeals: Bool
}
