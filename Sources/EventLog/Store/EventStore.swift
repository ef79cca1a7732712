/// Where session logs are kept: the port that every store implements.
///
/// - Note: Isolation: any; a store serialises its own work. It never blocks the caller's thread.
public protocol EventStore: StreamStore, SessionIndex, LogFeed, LeaseStore {
    /// Refuses a store that may be an earlier state, or a copy, of the one that lives: asked before a session is begun or read to
    /// be driven, and cheap when it was answered before.
    ///
    /// - Throws: ``EventStoreError/notAdopted(reason:)``, and what looking fails with.
    func confirmLiving() async throws(EventStoreError)

    /// Writes out what is pending and closes; every later call fails with ``EventStoreError/closed``.
    func close() async
}

extension EventStore {
    /// Nothing: the store ends with the process.
    public func confirmLiving() async throws(EventStoreError) {}

    /// Reads the key, the row and the records one after the other, for stores that can't read them at once.
    public func beginning(
        of stream: SessionID,
        limit: Int
    ) async throws(EventStoreError) -> LogBeginning {
        // The row first: what is appended in between is in the records then, not in the row.
        let (wrapped, row) = (try await wrappedKey(of: stream), try await row(of: stream))
        return LogBeginning(
            wrappedKey: wrapped,
            row: row,
            records: try await read(stream, from: 1, limit: limit)
        )
    }
}
