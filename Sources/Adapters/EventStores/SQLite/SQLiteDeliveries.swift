internal import EventLog

/// Writes the progress of consumers on the connection that appends.
///
/// - Note: Isolation: the writer's thread.
final class SQLiteDeliveries {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Makes the changes in one transaction.
    func change(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) throws(SQLiteFailure) -> [DeliveryProgress?] {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            var results: [DeliveryProgress?] = []
            for change in changes {
                switch change {
                case .claim(let session): results.append(try claimSession(session, claim, now))
                case .advance(let session, let progress):
                    results.append(try note(progress, of: session, claim, keeps: true))
                case .release(let session, let progress):
                    results.append(try note(progress, of: session, claim, keeps: false))
                }
            }
            try connection.execute("COMMIT")
            return results
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func claimSession(
        _ session: SessionID,
        _ claim: DeliveryClaim,
        _ now: Instant
    ) throws(SQLiteFailure) -> DeliveryProgress? {
        let row = try connection.statement(
            """
            INSERT INTO deliveries (session, consumer, position, dropped, worker, claimed_until)
            SELECT key, ?2, 0, 0, ?3, ?4 FROM sessions WHERE id = ?1
            ON CONFLICT (session, consumer) DO UPDATE
                SET worker = excluded.worker, claimed_until = excluded.claimed_until
                WHERE worker IS NULL OR worker = excluded.worker OR claimed_until <= ?5
            RETURNING position, dropped
            """
        )
        row.bind(text: session.description, at: 1)
        row.bind(text: claim.consumer, at: 2)
        row.bind(claim.worker, at: 3)
        row.bind(claim.until.microseconds, at: 4)
        row.bind(now.microseconds, at: 5)
        return try progress(in: row)
    }

    private func note(
        _ progress: DeliveryProgress,
        of session: SessionID,
        _ claim: DeliveryClaim,
        keeps: Bool
    ) throws(SQLiteFailure) -> DeliveryProgress? {
        let row = try connection.statement(
            """
            UPDATE deliveries SET dropped = iif(?4 >= position, ?5, dropped),
                position = max(position, ?4), worker = ?6, claimed_until = ?7
            WHERE session = (SELECT key FROM sessions WHERE id = ?1) AND consumer = ?2
                AND worker = ?3
            RETURNING position, dropped
            """
        )
        row.bind(text: session.description, at: 1)
        row.bind(text: claim.consumer, at: 2)
        row.bind(claim.worker, at: 3)
        row.bind(sequence: progress.position, at: 4)
        row.bind(progress.dropped, at: 5)
        row.bind(keeps ? claim.worker : nil, at: 6)
        row.bind(keeps ? claim.until.microseconds : nil, at: 7)
        return try self.progress(in: row)
    }

    private func progress(in row: SQLiteStatement) throws(SQLiteFailure) -> DeliveryProgress? {
        defer { row.reset() }
        guard try row.step() else { return nil }
        let progress = DeliveryProgress(position: row.sequence(0), dropped: row.integer(1))
        // A further step ends the statement; the row is written by then.
        _ = try row.step()
        return progress
    }
}
