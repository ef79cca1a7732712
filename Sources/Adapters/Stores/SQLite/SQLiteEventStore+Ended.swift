public import EventLog
public import SwedbankPay

/// A session that is over and still has its data key.
public struct EndedSession: Hashable, Sendable {
    /// The place in the store's order, for reading on.
    public var place: Int64
    /// The session.
    public var session: SessionID
    /// How it ended.
    public var outcome: Outcome
    /// When it ended: what people did afterwards doesn't count.
    public var endedAt: Instant
}

extension SQLiteEventStore {
    /// The sessions that are over and still have their data key, oldest first, a part at a time.
    ///
    /// - Parameters:
    ///   - instant: Only those that were taken in before; no session ends before it begins.
    ///   - place: The last place seen; 0 to begin.
    ///   - limit: How many at the most.
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
                        AND type IN ('completed', 'canceled', 'failed', 'expired')), last_at)
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
                guard let outcome = rows.text(2).flatMap(Outcome.init(rawValue:)) else {
                    throw EventStoreError.corrupt(
                        stream: session,
                        sequence: nil,
                        reason: "its row of sessions has unknown words"
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
