/// A store of session logs: the port that every store implements.
///
/// - Note: Isolation: any; a store serializes its own work. It never blocks the caller's thread.
public protocol EventStore: StreamStore, SessionIndex, LogFeed, LeaseStore {
    /// Refuses a store that may be an earlier state or a copy of the live one.
    ///
    /// It is called before a session is begun, or read in order to be driven, and is cheap once it
    /// has succeeded.
    ///
    /// - Throws: ``EventStoreError/notAdopted(reason:)``, or the error of the check itself.
    func confirmLiving() async throws(EventStoreError)

    /// Writes pending data and closes; every later call fails with ``EventStoreError/closed``.
    func close() async
}

extension EventStore {
    /// Does nothing: the store ends with the process.
    public func confirmLiving() async throws(EventStoreError) {}

    /// Reads the key, the row and the records one after the other, for stores that can't read them
    /// in one operation.
    public func beginning(
        of stream: SessionID,
        limit: Int
    ) async throws(EventStoreError) -> LogBeginning {
        // Read the row first: a record appended in between is then among the records but not in the
        // row.
        let (wrapped, row) = (try await wrappedKey(of: stream), try await row(of: stream))
        return LogBeginning(
            wrappedKey: wrapped,
            row: row,
            records: try await read(stream, from: 1, limit: limit)
        )
    }
}
