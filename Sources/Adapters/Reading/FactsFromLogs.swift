package import EventLog
internal import Inspection
package import SwedbankPay

/// Derives the facts of rows without facts from the logs.
///
/// Rows have none of this version when another build wrote the session's last record: until they
/// are derived and written, everybody who needs facts reads these logs.
package struct FactsFromLogs: Sendable {
    /// The number of rows that are written at once.
    static let batch = 200
    /// The number of rows that lists get again at once; appends wait meanwhile.
    static let repaired = 5_000

    /// The number of logs that could not be read.
    package private(set) var unreadable = 0
    private let store: any PersistentStore
    private let decider: SessionDecider

    /// Derives the facts of a store's rows by the rules of this build.
    package init(of store: any PersistentStore, by decider: SessionDecider) {
        (self.store, self.decider) = (store, decider)
    }

    /// Returns the row with its facts; `nil` when its log cannot be read or is not valid.
    package mutating func row(
        _ row: SessionSummary,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> SessionSummary? {
        guard row.facts == nil else { return row }
        return try await rederived(row, telling: tell)
    }

    /// Returns the row with the facts of its log; `nil` when the log cannot be read or is not
    /// valid.
    package mutating func rederived(
        _ row: SessionSummary,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> SessionSummary? {
        guard let log = try await log(of: row, tell) else { return nil }
        var row = row
        row.facts = decider.facts(of: log.state)
        return row
    }

    /// Returns the log of a row; `nil` when it cannot be read or was altered.
    private mutating func log(
        of row: SessionSummary,
        _ tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> SessionLog? {
        try await store.log(of: row.session, counting: &unreadable, telling: tell)
    }

    /// Returns the rows without facts that match a query apart from its conditions on facts, with
    /// the facts of their logs.
    package mutating func rows(
        _ query: SessionQuery,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> [SessionSummary] {
        var query = query
        let wanted = query
        (query.facts, query.hasFacts, query.limit) = ([:], false, SessionQuery.defaultLimit)
        let stale: [SessionSummary]
        do throws(EventStoreError) { stale = try await store.allRows(matching: query) } catch {
            throw .store(error)
        }
        var rows: [SessionSummary] = []
        for (index, row) in stale.enumerated() {
            guard !Task.isCancelled else { break }
            tell(.reached(Int64(index), of: Int64(stale.count)))
            guard let row = try await self.row(row, telling: tell) else { continue }
            let facts = row.facts
            guard wanted.money.map({ $0 == facts?.money }) ?? true,
                wanted.host.map({ $0 == facts?.host }) ?? true,
                wanted.turn.map({ $0 == facts?.turn }) ?? true,
                wanted.orderReference.map({ $0 == facts?.orderReference }) ?? true
            else { continue }
            rows.append(row)
        }
        return rows
    }

    /// Returns the row that follows from a log, with the values that do not follow from the log
    /// alone; `nil` when the log cannot be read or was altered.
    private mutating func rebuilt(
        _ row: SessionSummary,
        _ tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> SessionSummary? {
        guard let log = try await log(of: row, tell) else { return nil }
        var derived = decider.summary(of: log.state)
        (derived.addressFingerprint, derived.headMAC) = (row.addressFingerprint, row.headMAC)
        if row.isForeign { derived.origin = .imported }
        // Nothing is due in a session that nobody can drive. The exact time depends on limits.
        if row.isForeign || log.events.contains(where: \.event.isErasure)
            || row.agreesOnDue(with: derived.dueAt)
        {
            derived.dueAt = row.dueAt
        }
        return derived
    }

    /// Computes and writes the facts of the rows without facts, or all rows.
    ///
    /// After an interruption, what was written remains. To rebuild, call ``addUp(into:reached:)``
    /// next.
    ///
    /// - Parameters:
    ///   - target: The same store, open for writing.
    ///   - isRebuilding: Whether all rows are computed, and not only those without facts.
    ///   - tell: Receives the number of rows that were read, and the logs that were left out.
    /// - Returns: The number of rows written; rows that changed meanwhile are up to date already.
    /// - Throws: ``LogReadingError`` when a store cannot be read or written.
    package mutating func derive(
        into target: any PersistentStore,
        rebuilding isRebuilding: Bool,
        telling tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> Int {
        if isRebuilding { try await Self.repairLists(of: target) }
        var query = SessionQuery(hasFacts: isRebuilding ? nil : false, limit: Self.batch)
        var (written, seen): (Int, Int64) = (0, 0)
        while !Task.isCancelled {
            let page: [SessionSummary]
            do throws(EventStoreError) { page = try await store.sessions(matching: query) } catch {
                throw .store(error)
            }
            var rows: [SessionSummary] = []
            for row in page {
                seen += 1
                tell(.reached(seen, of: 0))
                let derived =
                    isRebuilding
                    ? try await rebuilt(row, tell) : try await self.row(row, telling: tell)
                if let derived, derived.lastSequence == row.lastSequence { rows.append(derived) }
            }
            do throws(EventStoreError) { written += try await target.replaceRows(rows) } catch {
                throw .store(error)
            }
            guard page.count == query.limit, let last = page.last else { return written }
            query.before = last.session
        }
        return written
    }

    /// Gives lists the rows of all sessions again, so that the logs of all are read.
    private static func repairLists(
        of target: any PersistentStore
    ) async throws(LogReadingError) {
        var place: SessionID?
        do throws(EventStoreError) {
            repeat {
                place = try await target.repairLists(after: place, limit: repaired)
            } while place != nil && !Task.isCancelled
        } catch {
            throw .store(error)
        }
    }

    /// Adds up all sums again, day by day.
    ///
    /// - Parameters:
    ///   - target: The store, open for writing.
    ///   - reached: Receives the number of days that were added up so far.
    /// - Throws: ``EventStoreError`` when the store cannot be written.
    package static func addUp(
        into target: any PersistentStore,
        reached: (Int64) -> Void
    ) async throws(EventStoreError) {
        var (day, days): (Instant?, Int64) = (nil, 0)
        while !Task.isCancelled {
            day = try await target.recountSums(after: day)
            guard day != nil else { return }
            days += 1
            reached(days)
        }
    }
}
