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

extension EventStore {
    /// Returns the row, the wrapped key and all records of a session; the row is not newer than the
    /// records.
    package func whole(_ session: SessionID) async throws(EventStoreError) -> LogBeginning {
        var stored = try await beginning(of: session, limit: SessionLog.batch)
        var isWhole = stored.records.count < SessionLog.batch
        while !isWhole {
            let first = SequenceNumber(stored.records.count).next
            let more = try await read(session, from: first, limit: SessionLog.batch)
            stored.records += more
            isWhole = more.count < SessionLog.batch
        }
        return stored
    }
}

extension LogBeginning {
    /// Returns what the MACs of a whole log say.
    package func finding(
        in session: SessionID,
        with vault: any KeyVault
    ) async -> ForgeryCheck.Finding {
        guard row?.isForeign != true, let wrappedKey,
            let keys = try? await vault.keys(unwrapping: wrappedKey, for: session)
        else { return .unknown }
        if let forged = keys.forgery(in: self) { return .forged(forged) }
        return .authentic
    }
}
