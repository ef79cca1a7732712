package import EventLog
package import Inspection

/// A session's log as it is read for a decision: rows only propose sessions, and their logs decide.
package struct EvidentLog: Sendable {
    /// The log, whose records have their hashes.
    package let log: SessionLog
    /// The session's row and wrapped key, and the records.
    package let stored: LogBeginning

    /// Reads a session.
    ///
    /// - Throws: ``LogReadingError``.
    package init(
        of session: SessionID,
        in store: any EventStore
    ) async throws(LogReadingError) {
        do throws(EventStoreError) { stored = try await store.whole(session) } catch {
            throw .store(error)
        }
        guard !stored.records.isEmpty else { throw .unknownSession(session) }
        do throws(LogDamage) {
            log = try SessionLog(session, stored.records)
            try log.checkSound(upTo: .max)
        } catch {
            throw .damaged(error)
        }
    }
}
