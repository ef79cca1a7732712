public import EventLog

/// A session that has ended and still has its data key.
public struct EndedSession: Hashable, Sendable {
    /// The position in the store's order, for reading the next batch.
    public var place: Int64
    /// The session.
    public var session: SessionID
    /// The outcome of the session, in the workflow's own word.
    public var outcome: String
    /// When the session ended, not counting later operator actions.
    public var endedAt: Instant
}

extension SQLiteEventStore {
    /// Returns the ended sessions that still have their data key, oldest first, in batches.
    public func endedSessions(
        withKeyOpenedBefore instant: Instant,
        following session: EndedSession?,
        limit: Int
    ) async throws(EventStoreError) -> [EndedSession] {
        try await endedSessions(
            withKeyOpenedBefore: instant,
            after: session?.place ?? 0,
            limit: limit
        )
    }

    /// Returns the ended sessions that still have their data key, oldest first, in batches.
    ///
    /// - Parameters:
    ///   - instant: Only sessions opened before this time; no session ends before it begins.
    ///   - place: The position of the last session of the previous batch; 0 for the first batch.
    ///   - limit: The maximum number of sessions.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError``.
    public func endedSessions(
        withKeyOpenedBefore instant: Instant,
        after place: Int64,
        limit: Int
    ) async throws(EventStoreError) -> [EndedSession] {
        try await readers.read { connection in
            let rows = try connection.statement(
                """
                SELECT key, id, outcome, ifnull(
                    (SELECT min(at) FROM events WHERE events.session = sessions.key
                        AND \(connection.sums.endsSession)), last_at)
                FROM sessions JOIN session_keys ON session_keys.session = sessions.key
                WHERE key > ?1 AND opened_at < ?2 AND outcome IS NOT NULL
                    AND wrapped <> zeroblob(length(wrapped))
                ORDER BY key LIMIT ?3
                """
            )
            defer { rows.reset() }
            rows.bind(place, at: 1)
            rows.bind(instant.microseconds, at: 2)
            rows.bind(Int64(max(0, limit)), at: 3)
            var ended: [EndedSession] = []
            while try rows.step() {
                let session = try SQLiteRows.session(in: rows, at: 1)
                guard let outcome = rows.text(2) else {
                    throw EventStoreError.corrupt(
                        stream: session,
                        sequence: nil,
                        reason: "its row of sessions has no outcome"
                    )
                }
                ended.append(
                    EndedSession(
                        place: rows.integer(0),
                        session: session,
                        outcome: outcome,
                        endedAt: Instant(microseconds: rows.integer(3))
                    )
                )
            }
            return ended
        }
    }
}
