internal import Workflow

/// Checks the sessions of one share of a store, of which it is given the records in storage order.
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
        let row: SessionSummary
        let position: Int64
        var audit: SessionAudit
        var sealed: [StoredRecord] = []

        init(_ row: SessionSummary, at position: Int64) {
            self.row = row
            self.position = position
            audit = SessionAudit(of: row.session)
        }
    }

    /// What came of one piece of the store.
    struct Piece: Sendable {
        /// The places of the records that were read, and their hashes.
        var hashes: [(position: Int64, hash: Digest256)] = []
        /// How many sessions came to their end and are as they should be.
        var sessions: Int64 = 0
        /// What these hold.
        var tally = LogTally()
        /// Their seals, if they are wanted.
        var sealed: [SealedRecords] = []
        /// Sessions to look at closely.
        var suspects: [SQLiteSuspect] = []
    }

    private let share: Int
    private let shares: Int
    private let rules: SQLiteAuditRules
    private var open: [Int64: Open] = [:]
    private var suspects: Set<Int64> = []

    /// A worker for the sessions whose integer key leaves this remainder.
    init(share: Int, of shares: Int, rules: SQLiteAuditRules, suspects: [SQLiteSuspect]) {
        self.share = share
        self.shares = shares
        self.rules = rules
        self.suspects = Set(suspects.map(\.key).filter { abs($0 % Int64(shares)) == Int64(share) })
    }

    /// The sessions that have begun and not come to their end.
    var unfinished: [SQLiteSuspect] {
        open.map { SQLiteSuspect(key: $0.key, position: $0.value.position) }
    }

    /// Checks the records at the places after one and up to another.
    func check(
        after first: Int64,
        through last: Int64,
        on connection: SQLiteConnection
    ) throws -> Piece {
        let rows = try connection.statement(
            """
            SELECT position, session, \(SQLiteRows.recordColumns) FROM events
            WHERE position > ?1 AND position <= ?2 AND abs(session % ?3) = ?4 ORDER BY position
            """
        )
        defer { rows.reset() }
        rows.bind(first, at: 1)
        rows.bind(last, at: 2)
        rows.bind(Int64(shares), at: 3)
        rows.bind(Int64(share), at: 4)
        var piece = Piece()
        while try rows.step() {
            let (position, key, sequence) = (rows.integer(0), rows.integer(1), rows.integer(2))
            piece.hashes.append((position, rows.withBytes(7, Digest256.init(stored:)) ?? .zero))
            guard !suspects.contains(key) else { continue }
            guard let session = try session(key, at: position, sequence, connection) else {
                let wasCounted = try Self.listed(key, connection).map { $0 < sequence } ?? false
                suspect(key, at: position, wasCounted: wasCounted, in: &piece)
                continue
            }
            do {
                let record = try SQLiteRows.record(in: rows, of: session.row.session, from: 2)
                try session.audit.take(record)
                if rules.opensSeals, !record.seals.isEmpty { session.sealed.append(record) }
                guard session.audit.head.sequence >= session.row.lastSequence else { continue }
                try finish(session, key, connection, &piece)
            } catch let damage as LogDamage {
                let fault = StoreFault(
                    session: session.row.session,
                    sequence: damage.sequence,
                    kind: .log(damage)
                )
                suspect(key, at: position, fault, in: &piece)
            } catch EventStoreError.corrupt(let stream, let sequence, let reason) {
                let fault = StoreFault(
                    session: stream,
                    sequence: sequence,
                    kind: .unreadable(reason)
                )
                suspect(key, at: position, fault, in: &piece)
            }
        }
        return piece
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
            "SELECT \(SQLiteRows.summaryColumns) FROM sessions WHERE key = ?1"
        )
        defer { rows.reset() }
        rows.bind(key, at: 1)
        guard try rows.step(), let row = try? SQLiteRows.summary(in: rows) else { return nil }
        let session = Open(row, at: position)
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
        _ connection: SQLiteConnection,
        _ piece: inout Piece
    ) throws {
        let agrees = session.audit.agrees(
            with: session.row,
            by: rules.decider,
            current: rules.build
        )
        guard agrees else { return suspect(key, at: session.position, in: &piece) }
        open[key] = nil
        piece.sessions += 1
        piece.tally.add(session.audit.tally)
        guard !session.sealed.isEmpty else { return }
        piece.sealed.append(
            SealedRecords(
                session: session.row.session,
                wrappedKey: try SQLiteEventStore.wrappedKey(ofKey: key, on: connection),
                records: session.sealed
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
