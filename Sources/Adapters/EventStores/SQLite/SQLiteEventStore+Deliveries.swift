public import EventLog

extension SQLiteEventStore {
    /// Returns the sessions with records that a consumer has not received yet, oldest first;
    /// claimed ones are skipped.
    public func sessionsUndelivered(
        matching query: UndeliveredQuery
    ) async throws(EventStoreError) -> [SessionID] {
        try await readers.read { connection in
            guard query.limit > 0 else { return [] }
            let rows = try connection.statement(
                """
                SELECT id FROM sessions
                LEFT JOIN deliveries ON deliveries.session = sessions.key AND consumer = ?1
                WHERE opened_at >= ?2 AND id > ?3 AND last_seq > ifnull(position, 0)
                    AND (worker IS NULL OR claimed_until <= ?4)
                ORDER BY id LIMIT ?5
                """
            )
            defer { rows.reset() }
            rows.bind(text: query.consumer, at: 1)
            rows.bind(query.openedSince.microseconds, at: 2)
            rows.bind(text: query.after?.description ?? "", at: 3)
            rows.bind(query.now.microseconds, at: 4)
            rows.bind(Int64(query.limit), at: 5)
            var sessions: [SessionID] = []
            while try rows.step() { sessions.append(try SQLiteRows.session(in: rows)) }
            return sessions
        }
    }

    /// Changes a consumer's progress in one transaction, after the waiting appends.
    public func changeDeliveries(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) async throws(EventStoreError) -> [DeliveryProgress?] {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.change(changes, by: claim, at: now)
    }
}
