internal import CUV
internal import EventLog
internal import SwedbankPay

extension StoreAudit {
    /// The number of reading threads with which an audit uses the whole machine, at most
    /// ``maximumWorkers``.
    public static var usefulReaders: Int {
        min(maximumWorkers, max(SQLiteOptions().readers, Int(uv_available_parallelism())))
    }
}

extension SQLiteEventStore {
    /// The number of concurrent reads.
    var readerCount: Int { readers.count }

    /// The log position from which an audit starts or resumes.
    ///
    /// - Throws: ``EventStoreError/foreign(reason:)`` when the store does not have the records that
    ///   the audit has seen.
    func auditPosition(
        from known: StoreAuditPosition?
    ) async throws(EventStoreError) -> StoreAuditPosition {
        try await readers.read { connection in
            func place(_ condition: String) throws -> StoreAuditPosition.Place? {
                let row = try connection.statement(
                    "SELECT position, hash FROM events WHERE \(condition) LIMIT 1"
                )
                defer { row.reset() }
                guard try row.step() else { return nil }
                let hash = row.withBytes(1, Digest256.init(stored:)) ?? .zero
                return StoreAuditPosition.Place(position: row.integer(0), hash: hash)
            }
            let first = try place("position = (SELECT min(position) FROM events)")
            guard let known else {
                let end = try connection.integer("SELECT max(position) FROM events") ?? 0
                // Log positions start at 1, but an altered file may have any.
                let start = max(first?.position ?? 1, Int64.min + 1) - 1
                return StoreAuditPosition(
                    first: first,
                    last: nil,
                    done: min(0, start),
                    end: max(end, min(0, start)),
                    digest: .zero
                )
            }
            let last = try known.last.flatMap { try place("position = \($0.position)") }
            guard known.first == first, known.last == last else {
                throw EventStoreError.foreign(
                    reason: "it does not have the records that were checked before"
                )
            }
            return known
        }
    }

    /// The log position after which the next piece with records begins, when one has none.
    func auditStep(
        after position: Int64,
        before end: Int64
    ) async throws(EventStoreError) -> Int64 {
        try await readers.read { connection in
            let row = try connection.statement(
                "SELECT min(position) FROM events WHERE position > ?1"
            )
            defer { row.reset() }
            row.bind(position, at: 1)
            guard try row.step(), let next = row.optionalInteger(0) else { return end }
            return min(next - 1, end)
        }
    }

    /// The sessions of the index without any record.
    func sessionsWithoutRecords(limit: Int) async throws(EventStoreError) -> [StoreFault] {
        try await readers.read { connection in
            let rows = try connection.statement(
                """
                SELECT id, last_seq FROM sessions
                WHERE NOT EXISTS (SELECT 1 FROM events WHERE session = sessions.key) LIMIT ?1
                """
            )
            defer { rows.reset() }
            rows.bind(Int64(limit), at: 1)
            var faults: [StoreFault] = []
            while try rows.step() {
                faults.append(
                    StoreFault(
                        session: rows.text(0).flatMap { SessionID($0) },
                        sequence: 1,
                        kind: .missingRecords(listed: rows.sequence(1), found: 0)
                    )
                )
            }
            return faults
        }
    }
}
