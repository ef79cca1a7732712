package import EventLog
package import Inspection
package import SwedbankPay

/// Sums of the money of a store's payments, from its index or from its logs.
package struct MoneySums: Sendable {
    /// The sums.
    package private(set) var totals = MoneyTotals()
    /// The orders that may have been paid more than once, as the logs confirm.
    package private(set) var duplicates: [MoneyTotals.Duplicates] = []
    /// The number of logs that could not be read, and are not counted.
    package private(set) var unreadable = 0
    /// The counted sessions that came from elsewhere.
    package private(set) var imported: Set<SessionID> = []

    private let store: any PersistentStore
    private let decider: SessionDecider

    /// Creates empty sums of a store's payments, by the rules of this build.
    package init(of store: any PersistentStore, by decider: SessionDecider) {
        (self.store, self.decider) = (store, decider)
    }

    /// Adds the sums of the index, and those of the logs for rows without facts.
    package mutating func addIndex(
        _ query: SessionQuery,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        let rows: [SessionSummary]
        do throws(EventStoreError) {
            for sum in try await store.confirmedSums(query) { totals.add(sum) }
            rows = try await store.sessionsToSum(query)
        } catch {
            throw .store(error)
        }
        var facts = FactsFromLogs(of: store, by: decider)
        // Each of these is listed individually and will be acted on, so the log is authoritative.
        for row in rows {
            let isListed = row.facts?.money == MoneyState.Standing.unknown.rawValue
            let checked = isListed ? try await facts.rederived(row, telling: tell) : row
            if let checked { add(checked) }
        }
        if query.origin != .own {
            var query = query
            query.origin = .imported
            do throws(EventStoreError) {
                imported.formUnion(try await store.allRows(matching: query).map(\.session))
            } catch {
                throw .store(error)
            }
        }
        for row in try await facts.rows(query, telling: tell) { add(row) }
        unreadable += facts.unreadable
        try await addDuplicates(telling: tell)
    }

    /// Adds the sums of all valid logs.
    package mutating func addLogs(
        _ query: SessionQuery,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        var scan = StoreScan(of: store)
        try await scan.read(query, soundOnly: true, telling: tell) { row, log in
            var row = row
            row.facts = decider.facts(of: log.state)
            add(row)
        }
        unreadable += scan.unreadable
        imported.formUnion(scan.imported)
        try await addDuplicates(telling: tell)
    }

    private mutating func addDuplicates(
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) {
        var found = DuplicatePayments(in: store)
        duplicates = try await found.confirmed(totals.duplicates, telling: tell)
        unreadable += found.unreadable
    }

    private mutating func add(_ row: SessionSummary) {
        totals.add(row)
        if row.origin == .imported { imported.insert(row.session) }
    }
}
