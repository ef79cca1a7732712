public import EventLog

/// The records of all sessions, lane by lane in commit order.
///
/// Log positions are assigned while the end of the lane is locked until the commit, so no record
/// becomes visible after a later one of its lane.
extension PostgreSQLEventStore {
    private static let size = PQStatement("log_size", "SELECT \(PostgreSQLLanes.size)")
    private static let extent = PQStatement(
        "log_extent",
        "SELECT id, epoch, \(PostgreSQLLanes.ends) FROM store_identity"
    )
    static let changes = Page("changes", "session::text, seq, position", position: 2)
    static let allRecords = Page(
        "all_records",
        "seq, type, at, record, prev, hash, seals, mac, session::text, position",
        position: 9
    )
    /// The column of the session in ``allRecords``.
    private static let sessionColumn: Int32 = 8

    /// The statement that reads the next records.
    struct Page {
        /// The column of the position.
        let position: Int32
        /// For stores with one lane.
        let single: PQStatement
        /// For stores with several: one record of each lane in turn, beginning after the lane that
        /// was read last.
        ///
        /// The rows are fetched one by one, however many the planner expects.
        let several: PQStatement

        init(_ name: String, _ columns: String, position: Int32) {
            self.position = position
            single = PQStatement(
                name,
                """
                SELECT \(columns) FROM events WHERE position > $1
                ORDER BY position LIMIT $2
                """,
                .integer,
                .integer
            )
            several = PQStatement(
                name + "_of_lanes",
                """
                SELECT e.* FROM (
                    SELECT next.position, next.position - known.position AS distance,
                        (known.lane - 2 - $3 + cardinality($1)) % cardinality($1) AS turn
                    FROM unnest($1) WITH ORDINALITY AS known (position, lane)
                    CROSS JOIN LATERAL (
                        SELECT position FROM events WHERE position > known.position
                            AND position <= \(PostgreSQLLanes.lastInLane(of: "known.position"))
                        ORDER BY position LIMIT $2) AS next
                    ORDER BY distance, turn LIMIT $2
                ) AS page CROSS JOIN LATERAL (
                    SELECT \(columns) FROM events WHERE position = page.position LIMIT 1
                ) AS e ORDER BY distance, turn
                """,
                .integers,
                .integer,
                .integer
            )
        }

        func command(after positions: [Int64], last lane: Int, limit: Int) -> PQCommand {
            let limit = PQValue.integer(Int64(max(0, limit)))
            guard positions.count > 1 else {
                return PQCommand(single, .integer(positions[0]), limit)
            }
            return PQCommand(several, .integers(positions), limit, .integer(Int64(lane)))
        }
    }

    /// Returns the number of records of all sessions.
    public func changeCounter() async throws(EventStoreError) -> Int64 {
        try await rows(PQCommand(Self.size))[0].integer(0, 0) ?? 0
    }

    /// Returns the log position of the newest records.
    func end() async throws(EventStoreError) -> LogExtent {
        try LogExtent(try await rows(PQCommand(Self.extent))[0], lanes)
    }

    /// Reads records of all sessions, those of each lane in commit order.
    public func records(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord] {
        let (found, start) = try await page(Self.allRecords, after: cursor, limit: limit)
        let decompressor = try await decompressor(for: found)
        var records: [PositionedRecord] = []
        records.reserveCapacity(found.count)
        var (bytes, reached) = (0, start)
        for row in 0..<found.count {
            let position = found.integer(row, Self.allRecords.position)
            let cursor = try reached.advance(to: position, lanes)
            guard let stream = found.text(row, Self.sessionColumn).flatMap({ SessionID($0) }) else {
                throw .corrupt(
                    stream: nil,
                    sequence: found.sequence(row, 0),
                    reason:
                        "a record after the log position \(cursor.previous) belongs to no session"
                )
            }
            let record = try Self.record(in: found, row, of: stream, by: decompressor)
            try RecordDecompressor.count(record, &bytes)
            records.append(PositionedRecord(cursor: cursor, record: record))
        }
        return records
    }

    /// Returns what was appended after a log position; none is skipped.
    public func changes(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> StoreChanges? {
        guard let cursor else {
            let end = try await end()
            return StoreChanges(cursor: try end.cursor(lanes))
        }
        let limit = max(1, limit)
        let (found, start) = try await page(Self.changes, after: cursor, limit: limit)
        var changes = StoreChanges(cursor: cursor, isComplete: found.count < limit)
        var reached = start
        for row in 0..<found.count {
            changes.cursor = try reached.advance(
                to: found.integer(row, Self.changes.position),
                lanes
            )
            guard let session = found.text(row, 0).flatMap({ SessionID($0) }) else { continue }
            changes.heads[session] = max(changes.heads[session] ?? 0, found.sequence(row, 1) ?? 0)
        }
        return changes
    }

    /// Reads the next rows, and the identity of the store and the ends of its lanes just before
    /// them on the same connection: another connection may lead to a standby that lags behind, and
    /// another process may have adopted the store.
    private func page(
        _ page: Page,
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> (rows: PQRows, start: LogExtent) {
        let positions = lanes.positions(of: cursor)
        let found = try await rows(
            PQCommand(Self.extent),
            page.command(after: positions, last: cursor?.lane ?? lanes.count - 1, limit: limit)
        )
        var extent = try LogExtent(found[0], lanes)
        _ = try cursor?.positions(in: extent.store, lanes: lanes.count)
        // A lane may have grown beyond the end that was read before the rows.
        let read = Set(
            (0..<found[1].count).map { found[1].integer($0, page.position).flatMap(lanes.lane) }
        )
        for (lane, end) in extent.positions.enumerated() where limit > 0 {
            guard positions[lane] <= end || read.contains(lane) else {
                throw .cursorRefused(.beyondEnd)
            }
        }
        extent.positions = positions
        return (found[1], extent)
    }
}

/// The identity of a store, and a position in each of its lanes in the stored form.
struct LogExtent {
    let store: StoreIdentity
    var positions: [Int64]

    /// Reads the identity and the ends of the lanes.
    init(_ rows: PQRows, _ lanes: PostgreSQLLanes) throws(EventStoreError) {
        do throws(PQFailure) {
            store = try PostgreSQLLineage.identity(in: rows)
        } catch {
            throw error.storeError
        }
        guard let positions = lanes.parse(rows.text(0, 2)) else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "the table log_end does not have one row for each of \(lanes.count) lanes"
            )
        }
        self.positions = positions
    }

    /// The log position; its last lane is the first one that has records.
    func cursor(_ lanes: PostgreSQLLanes) throws(EventStoreError) -> LogCursor {
        try lanes.cursor(in: store, positions)
    }

    /// Moves to the position of a record.
    ///
    /// - Returns: The log position then.
    mutating func advance(
        to position: Int64?,
        _ lanes: PostgreSQLLanes
    ) throws(EventStoreError) -> LogCursor {
        guard let position, let lane = lanes.lane(at: position) else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "a record has a log position in a lane that the store does not have"
            )
        }
        positions[lane] = position
        return try lanes.cursor(in: store, positions, last: lane)
    }
}
