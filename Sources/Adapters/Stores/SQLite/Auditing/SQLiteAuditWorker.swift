internal import EventLog
internal import SwedbankPay

/// Checks the sessions of one share of a store, of which it is given the records in the order in which they were stored.
///
/// It holds the sessions that have begun and not come to their last record; each is compared with its row and forgotten
/// when it has. What is not as it should be is only noted: the audit looks closely at such a session afterwards, all its
/// records in one transaction, since a store may be written to while it is checked.
///
/// - Note: Isolation: one thread at a time.
final class SQLiteAuditWorker: @unchecked Sendable {
    // Unchecked: the audit gives out one piece after the other and waits for each, so no two threads meet here.

    /// How many sessions are followed at the same time; the ones that begin beyond that are looked at afterwards.
    static let maximumOpenSessions = 16_384

    /// A session that has begun.
    private final class Open {
        let session: SessionID
        let listed: ListedSession
        /// How many records the list of sessions says that it has.
        let length: Int64
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

        /// Whether the log says what the row says, as far as it can be told without keys.
        func isAsListed(by rules: SQLiteAuditRules) -> Bool {
            listed.contradictions(to: audit, by: rules.decider, current: rules.build).isEmpty
        }
    }

    /// What came of one piece of the store.
    struct Piece: Sendable {
        /// How many sessions came to their end and are as they should be.
        var sessions: Int64 = 0
        /// What these hold.
        var tally = LogTally()
        /// Their seals, if they are wanted.
        var sealed: [SealedRecords] = []
        /// Sessions to look at closely.
        var suspects: [SQLiteSuspect] = []
    }

    private let rules: SQLiteAuditRules
    private var open: [Int64: Open] = [:]
    private var suspects: Set<Int64> = []

    /// A worker for the sessions whose integer key leaves this remainder.
    init(share: Int, of shares: Int, rules: SQLiteAuditRules, suspects: [SQLiteSuspect]) {
        self.rules = rules
        self.suspects = Set(suspects.map(\.key).filter { abs($0 % Int64(shares)) == Int64(share) })
    }

    /// The sessions that have begun and not come to their end.
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
                try session.audit.take(lent)
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

    /// The session of a record; nothing when it is not followed.
    private func session(
        _ key: Int64,
        at position: Int64,
        _ sequence: Int64,
        _ connection: SQLiteConnection
    ) throws -> Open? {
        if let known = open[key] { return known }
        guard sequence == 1, open.count < Self.maximumOpenSessions else { return nil }
        let rows = try connection.statement(
            "SELECT \(SQLiteRows.listedColumns) FROM sessions WHERE key = ?1"
        )
        defer { rows.reset() }
        rows.bind(key, at: 1)
        guard try rows.step(), let listed = try? SQLiteRows.listed(in: rows) else { return nil }
        let session = Open(listed, at: position)
        open[key] = session
        return session
    }

    /// How many records the list of sessions says that a session has.
    private static func listed(
        _ key: Int64,
        _ connection: SQLiteConnection
    ) throws -> Int64? {
        let rows = try connection.statement("SELECT last_seq FROM sessions WHERE key = ?1")
        defer { rows.reset() }
        rows.bind(key, at: 1)
        return try rows.step() ? rows.integer(0) : nil
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

/// A session that has to be looked at closely.
struct SQLiteSuspect: Sendable {
    /// The session's integer key.
    var key: Int64
    /// Where in the store it was noticed.
    var position: Int64
    /// What was noticed, if something was.
    var fault: StoreFault?
    /// Whether it was counted as sound before it was noticed: it has more records than the list of sessions says.
    var wasCounted = false
}

/// What sessions are checked by.
struct SQLiteAuditRules: Sendable {
    /// The rules of this build.
    var decider: SessionDecider
    /// This build.
    var build: String?
    /// Whether seals are wanted.
    var opensSeals: Bool
}
