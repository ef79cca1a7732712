package import EventLog
package import Inspection

/// Reads all logs of a store, for whoever needs every event.
package struct StoreScan: Sendable {
    /// The number of logs that could not be read.
    package private(set) var unreadable = 0
    /// The sessions whose logs were read and that came from elsewhere.
    package private(set) var imported: Set<SessionID> = []
    private let store: any PersistentStore

    /// Creates a scan of a store that has read nothing yet.
    package init(of store: any PersistentStore) { self.store = store }

    /// Reads the logs of the matching sessions, newest first, and passes each to `body`.
    ///
    /// A log that cannot be read is told and skipped, because sums of money must not silently lack
    /// it. With `soundOnly`, an altered log counts as unreadable.
    package mutating func read(
        _ query: SessionQuery,
        soundOnly: Bool = false,
        telling tell: (LogReadingNews) -> Void,
        _ body: (SessionSummary, SessionLog) async -> Void
    ) async throws(LogReadingError) {
        let sessions: [SessionSummary]
        do throws(EventStoreError) { sessions = try await store.allRows(matching: query) } catch {
            throw .store(error)
        }
        try await read(sessions, soundOnly: soundOnly, telling: tell) { row, log in
            await body(row, log)
            return true
        }
    }

    /// Reads the logs of these sessions, and passes each to `body`.
    ///
    /// `body` returns whether to continue with the next one.
    package mutating func read(
        _ sessions: [SessionSummary],
        soundOnly: Bool = false,
        telling tell: (LogReadingNews) -> Void,
        whileTrue body: (SessionSummary, SessionLog) async -> Bool
    ) async throws(LogReadingError) {
        for (index, row) in sessions.enumerated() {
            guard !Task.isCancelled else { break }
            tell(.reached(Int64(index), of: Int64(sessions.count)))
            let log: SessionLog
            do throws(LogReadingError) {
                log = try await store.log(of: row.session, isSound: soundOnly)
            } catch {
                guard error.isDamage else { throw error }
                tell(.leftOut(error))
                unreadable += 1
                continue
            }
            if row.origin == .imported { imported.insert(row.session) }
            guard await body(row, log) else { break }
        }
    }
}
