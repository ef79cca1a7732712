package import EventLog

extension LogFollower {
    /// Finds the records at a log position.
    ///
    /// - Parameters:
    ///   - cursor: The log position.
    ///   - store: The store.
    /// - Returns: A follower that continues there; `nil` when a lane lacks the record.
    /// - Throws: ``EventStoreError``, also ``EventStoreError/cursorRefused(_:)``.
    package static func find(
        _ cursor: LogCursor,
        in store: some LogFeed
    ) async throws(EventStoreError) -> LogFollower? {
        find(
            cursor,
            among: try await store.records(after: cursor.previous, limit: cursor.lanes)
        )
    }

    /// Reads the next records, and compares those that were read last.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - limit: The maximum number of records.
    /// - Returns: The records, with log positions that include what was read before.
    /// - Throws: ``EventStoreError``, also ``EventStoreError/cursorRefused(_:)`` for another store
    ///   or epoch.
    package func next(
        in store: some LogFeed,
        limit: Int
    ) async throws(EventStoreError) -> Step {
        let (cursor, limit) = page(limit)
        do throws(EventStoreError) {
            return step(over: try await store.records(after: cursor, limit: limit.read), limit.new)
        } catch .cursorRefused(.beyondEnd) where cursor != nil {
            return .missing
        }
    }
}
