internal import EventLog
internal import SwedbankPay

/// A check of one session with all its data as of one moment.
struct SQLiteCloseCheck: Sendable {
    var session: SessionID?
    /// The tally of the intact records.
    var tally = LogTally()
    /// The first fault.
    var fault: StoreFault?
    /// The seals, if requested.
    var sealed: SealedRecords?

    /// Checks a session in one transaction.
    ///
    /// - Returns: `nil` when there is no such session.
    static func at(
        _ wanted: Wanted,
        by rules: SQLiteAuditRules,
        on connection: SQLiteConnection
    ) throws -> SQLiteCloseCheck? {
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        var check = SQLiteCloseCheck()
        guard let (key, listed) = try check.row(of: wanted, on: connection) else {
            return check.fault == nil ? nil : check
        }
        let session = listed.row.session
        check.session = session
        var audit = SessionAudit(of: session)
        var records: [StoredRecord] = []
        var marks: [RecordMark] = []
        check.fault = try read(key, of: session, on: connection) { record throws(LogDamage) in
            try audit.check(record)
            guard rules.opensSeals else { return }
            marks.append(RecordMark(hash: record.hash, mac: record.mac))
            if !record.seals.isEmpty { records.append(record) }
        }
        check.tally = audit.tally
        if check.fault == nil { check.fault = compare(audit, with: listed, by: rules) }
        if rules.opensSeals {
            check.sealed = SealedRecords(records, marks, of: audit, listed: listed)
        }
        return check
    }

    /// Which session to check.
    enum Wanted: Sendable {
        case key(Int64)
        case session(SessionID)
    }

    private mutating func row(
        of wanted: Wanted,
        on connection: SQLiteConnection
    ) throws -> (key: Int64, listed: ListedSession)? {
        let condition =
            switch wanted {
            case .key: "key = ?1"
            case .session: "id = ?1"
            }
        let rows = try connection.statement(
            "SELECT \(SQLiteRows.listedColumns(connection.columns)), key FROM sessions WHERE \(condition)"
        )
        defer { rows.reset() }
        switch wanted {
        case .key(let key): rows.bind(key, at: 1)
        case .session(let session): rows.bind(text: session.description, at: 1)
        }
        guard try rows.step() else {
            if case .key = wanted {
                fault = StoreFault(session: nil, sequence: nil, kind: .noSession)
            }
            return nil
        }
        do {
            return (
                rows.integer(SQLiteRows.listedCount),
                try SQLiteRows.listed(in: rows, of: connection.columns.model)
            )
        } catch .corrupt(let stream, _, let reason) {
            session = stream
            fault = StoreFault(session: stream, sequence: nil, kind: .unreadable(reason))
            return nil
        }
    }

    /// Reads a session's records in order.
    ///
    /// - Returns: The first fault of a record.
    private static func read(
        _ key: Int64,
        of session: SessionID,
        on connection: SQLiteConnection,
        _ check: (StoredRecord) throws(LogDamage) -> Void
    ) throws -> StoreFault? {
        let rows = try connection.statement(
            "SELECT \(SQLiteRows.recordColumns) FROM events WHERE session = ?1 ORDER BY seq"
        )
        defer { rows.reset() }
        rows.bind(key, at: 1)
        do {
            while try rows.step() {
                try check(try SQLiteRows.record(in: rows, of: session, on: connection))
            }
            return nil
        } catch let damage as LogDamage {
            return StoreFault(session: session, sequence: damage.sequence, kind: .log(damage))
        } catch EventStoreError.corrupt(_, let sequence, let reason) {
            return StoreFault(session: session, sequence: sequence, kind: .unreadable(reason))
        } catch let failure as SQLiteFailure {
            guard case .corrupt(_, _, let reason) = failure.storeError else { throw failure }
            return StoreFault(session: session, sequence: nil, kind: .unreadable(reason))
        }
    }

    private static func compare(
        _ audit: SessionAudit,
        with listed: ListedSession,
        by rules: SQLiteAuditRules
    ) -> StoreFault? {
        let row = listed.row
        let found = audit.head.sequence
        guard found == row.lastSequence else {
            return StoreFault(
                session: row.session,
                sequence: min(found, row.lastSequence) + 1,
                kind: .missingRecords(listed: row.lastSequence, found: found)
            )
        }
        let wrong = listed.contradictions(to: audit, by: rules.decider, current: rules.build)
        guard wrong.isEmpty else {
            return StoreFault(session: row.session, sequence: found, kind: .projection(wrong))
        }
        return nil
    }
}
