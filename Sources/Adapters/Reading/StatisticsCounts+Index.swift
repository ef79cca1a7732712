package import EventLog
package import Inspection
package import SwedbankPay

extension StatisticsCounts {
    /// Counts sessions by a store's index; those without facts in it are counted by their logs.
    ///
    /// - Parameters:
    ///   - query: The sessions to count. Unless it names their origin, the number of imported
    ///     ones among them is counted, too.
    ///   - store: The store.
    ///   - decider: The rules of this build.
    ///   - now: The current time.
    ///   - tell: Receives the progress of reading logs, and those that are left out.
    /// - Throws: ``LogReadingError`` when the store cannot be read.
    package init(
        _ query: SessionQuery,
        in store: any PersistentStore,
        by decider: SessionDecider,
        at now: Instant,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        self.init()
        var imported = 0
        do throws(EventStoreError) {
            for count in try await Self.ended(query, in: store) { add(count) }
            add(
                open: Int(try await store.openCount(query)),
                stuck: try await StuckSessions(query, in: store, at: now).all.count
            )
            if query.origin == nil {
                var query = query
                query.origin = .imported
                imported += try await Self.ended(query, in: store)
                    .reduce(0) { $0 + Int($1.sessions) }
                imported += Int(try await store.openCount(query))
            }
        } catch {
            throw .store(error)
        }
        var facts = FactsFromLogs(of: store, by: decider)
        for row in try await facts.rows(query, telling: tell) {
            add(row, at: now)
            if row.origin == .imported { imported += 1 }
        }
        note(imported: imported, unreadable: facts.unreadable)
    }

    private static func ended(
        _ query: SessionQuery,
        in store: any PersistentStore
    ) async throws(EventStoreError) -> [EndedCount] {
        try await store.endedCounts(query).filter {
            query.label == nil || $0.label == query.label
        }
    }
}
