public import EventLog

extension SQLiteEventStore {
    /// The number of records that most sessions do not exceed.
    private static let usualRecords = 32

    /// Reads records of a session in order.
    public func read(
        _ stream: SessionID,
        from first: SequenceNumber,
        limit: Int
    ) async throws(EventStoreError) -> [StoredRecord] {
        guard limit > 0 else { return try await readers.read { _ in [] } }
        return try await readers.read { connection in
            try Self.records(of: stream, from: first, limit: limit, on: connection)
        }
    }

    /// Reads everything that is needed to load a session, in one read.
    public func beginning(
        of stream: SessionID,
        limit: Int
    ) async throws(EventStoreError) -> LogBeginning {
        try await readers.read { connection in
            // The row first: what is appended in between is then among the records, though not in
            // the row.
            LogBeginning(
                wrappedKey: try Self.wrappedKey(of: stream, on: connection),
                row: try Self.row(of: stream, on: connection),
                records: try Self.records(of: stream, from: 1, limit: limit, on: connection)
            )
        }
    }

    static func row(
        of stream: SessionID,
        on connection: SQLiteConnection
    ) throws -> SessionSummary? {
        let row = try connection.statement(
            "SELECT \(connection.columns.readWritten) FROM sessions WHERE id = ?1"
        )
        defer { row.reset() }
        row.bind(text: stream.description, at: 1)
        return try row.step() ? try SQLiteRows.summary(in: row, of: connection.columns.model) : nil
    }

    private static func records(
        of stream: SessionID,
        from first: SequenceNumber,
        limit: Int,
        on connection: SQLiteConnection
    ) throws -> [StoredRecord] {
        let rows = try connection.statement(
            """
            SELECT \(SQLiteRows.recordColumns) FROM events
            WHERE session = (SELECT key FROM sessions WHERE id = ?1) AND seq >= ?2
            ORDER BY seq LIMIT ?3
            """
        )
        defer { rows.reset() }
        rows.bind(text: stream.description, at: 1)
        rows.bind(sequence: first, at: 2)
        rows.bind(Int64(limit), at: 3)
        var records: [StoredRecord] = []
        records.reserveCapacity(min(limit, Self.usualRecords))
        var bytes = 0
        while try rows.step() {
            let record = try SQLiteRows.record(in: rows, of: stream, on: connection)
            try RecordDecompressor.count(record, &bytes)
            records.append(record)
        }
        return records
    }

    /// Returns the end of a session's log; `nil` for an unknown session.
    public func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead? {
        try await readers.read { connection in
            let row = try connection.statement(
                """
                SELECT seq, hash FROM events
                WHERE session = (SELECT key FROM sessions WHERE id = ?1)
                ORDER BY seq DESC LIMIT 1
                """
            )
            defer { row.reset() }
            row.bind(text: stream.description, at: 1)
            guard try row.step() else { return nil }
            guard let hash = row.withBytes(1, Digest256.init(bytes:)) else {
                throw EventStoreError.corrupt(
                    stream: stream,
                    sequence: row.sequence(0),
                    reason: "the hash has a wrong length"
                )
            }
            return StreamHead(sequence: row.sequence(0), hash: hash)
        }
    }

    /// Returns the wrapped data key of a session; `nil` for an unknown or erased session.
    public func wrappedKey(of stream: SessionID) async throws(EventStoreError) -> [UInt8]? {
        try await readers.read { try Self.wrappedKey(of: stream, on: $0) }
    }

    private static func wrappedKey(
        of stream: SessionID,
        on connection: SQLiteConnection
    ) throws -> [UInt8]? {
        let row = try connection.statement(
            """
            \(SQLiteRows.usableKey)
                AND session = (SELECT key FROM sessions WHERE id = ?1)
            """
        )
        defer { row.reset() }
        row.bind(text: stream.description, at: 1)
        return try row.step() ? row.bytes(0) : nil
    }

    /// Returns a number that changes when any process, including this one, has appended to the
    /// store.
    public func changeCounter() async throws(EventStoreError) -> Int64 {
        try await readers.changeCounter()
    }

    /// Returns what was appended after a log position; rows are numbered in commit order, since
    /// there is one writer at a time.
    public func changes(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> StoreChanges? {
        try await readers.read { connection in
            // Read each time: another process may have adopted the store.
            let identity = try SQLiteLineage(connection).identity()
            guard let cursor else {
                let end = try connection.integer("SELECT max(position) FROM events") ?? 0
                return StoreChanges(cursor: LogCursor(store: identity, position: end))
            }
            let position = try cursor.position(in: identity)
            let changes = try Self.changes(
                after: cursor,
                at: position,
                limit: max(1, limit),
                on: connection
            )
            if changes.cursor == cursor { try Self.refuse(position, ifBeyondEndOn: connection) }
            return changes
        }
    }

    private static func changes(
        after cursor: LogCursor,
        at position: Int64,
        limit: Int,
        on connection: SQLiteConnection
    ) throws -> StoreChanges {
        let rows = try connection.statement(
            """
            SELECT events.position, sessions.id, events.seq
            FROM events JOIN sessions ON sessions.key = events.session
            WHERE events.position > ?1 ORDER BY events.position LIMIT ?2
            """
        )
        defer { rows.reset() }
        rows.bind(position, at: 1)
        rows.bind(Int64(limit), at: 2)
        var changes = StoreChanges(cursor: cursor)
        var count = 0
        while try rows.step() {
            changes.cursor = LogCursor(store: cursor.store, position: rows.integer(0))
            count += 1
            // A row whose session has no readable identity is skipped.
            guard let session = rows.text(1).flatMap({ SessionID($0) }) else { continue }
            changes.heads[session] = max(changes.heads[session] ?? 0, rows.sequence(2))
        }
        changes.isComplete = count < limit
        return changes
    }
}
