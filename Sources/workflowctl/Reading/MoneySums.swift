internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Sums of the money of a store's payments, from its index or from its logs.
struct MoneySums {
    /// The sums.
    private(set) var totals = MoneyTotals()
    /// The number of logs that could not be read, and are not counted.
    private(set) var unreadable = 0
    /// The counted sessions that came from elsewhere.
    private(set) var imported: Set<SessionID> = []

    /// Adds the sums of the index, and those of the logs for rows that an earlier build wrote.
    mutating func addIndex(_ query: SessionQuery, in reader: Reader) async throws(Failure) {
        let rows: [SessionSummary]
        do throws(EventStoreError) {
            for sum in try await reader.store.confirmedSums(query) { totals.add(sum) }
            rows = try await reader.store.sessionsToSum(query)
        } catch {
            throw Failure(error)
        }
        var facts = FactsFromLogs(by: reader.decider)
        // Each of these is listed individually and will be acted on, so the log is authoritative.
        for row in rows {
            let isListed = row.facts?.money == MoneyState.Standing.unknown.rawValue
            let checked = isListed ? try await facts.rederived(row, in: reader) : row
            if let checked { add(checked) }
        }
        if query.origin != .own {
            var query = query
            query.origin = .imported
            imported.formUnion(try await reader.store.allSessions(matching: query).map(\.session))
        }
        for row in try await facts.rows(query, in: reader) { add(row) }
        unreadable += facts.unreadable
    }

    /// Adds the sums of all valid logs.
    mutating func addLogs(_ query: SessionQuery, in reader: Reader) async throws(Failure) {
        let decider = reader.decider
        var scan = StoreScan()
        try await scan.read(query, in: reader, "reading logs", soundOnly: true) { row, log in
            var row = row
            row.facts = decider.facts(of: log.state)
            add(row)
        }
        unreadable += scan.unreadable
        imported.formUnion(scan.imported)
    }

    private mutating func add(_ row: SessionSummary) {
        totals.add(row)
        if row.origin == .imported { imported.insert(row.session) }
    }
}
