package import EventLog
package import Inspection
package import SwedbankPay

/// The sessions that a list shows, found in the store's index.
package struct SessionSelection: Sendable {
    /// The query for the index.
    package private(set) var query: SessionQuery
    /// The current problem, or `any`.
    package let problem: String?
    /// The sessions to choose from; `nil` for all.
    package let among: Set<SessionID>?
    /// The order of the list.
    package let order: SessionOrder
    /// The maximum number of sessions.
    package let limit: Int?

    /// Whether there are more sessions than the limit.
    package private(set) var isCut = false
    /// The number of sessions that were found, up to the limit.
    package private(set) var count = 0
    /// The number of logs that could not be read: the list may lack their sessions.
    package private(set) var unreadable = 0

    /// Creates a selection that has found nothing yet.
    ///
    /// - Parameters:
    ///   - query: The conditions for the index.
    ///   - problem: The current problem in any of its spellings, or `any`; `nil` for all sessions.
    ///   - among: The sessions to choose from; `nil` for all.
    ///   - order: The order of the list.
    ///   - limit: The maximum number of sessions.
    package init(
        query: SessionQuery,
        problem: String?,
        among: Set<SessionID>? = nil,
        order: SessionOrder,
        limit: Int?
    ) {
        (self.query, self.problem, self.order, self.limit) = (query, problem, order, limit)
        self.among = among
        guard let problem else { return }
        self.query.hasProblem = true
        self.query.problem = ProblemCatalogue.engineKind(named: problem)?.rawValue
    }

    /// Finds the sessions and hands them over in the order of the list: in pages as they are read
    /// if the index has that order, so that a list of any length needs the memory of one page;
    /// otherwise all at the end.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - decider: The rules of this build, which are read only if they are needed.
    ///   - needsFacts: Whether facts are shown, so that rows without facts get those of their logs.
    ///   - tell: Receives the progress of reading logs, and those that are left out.
    ///   - deliver: Receives the sessions.
    /// - Throws: ``LogReadingError`` when the store cannot be read.
    package mutating func read(
        from store: any PersistentStore,
        by decider: @autoclosure () -> SessionDecider,
        needsFacts: Bool,
        telling tell: (LogReadingNews) -> Void,
        each deliver: ([SessionSummary]) -> Void
    ) async throws(LogReadingError) {
        // The rules are slow to read, and most lists do not need them.
        var facts =
            needsFacts || query.isByFacts ? FactsFromLogs(of: store, by: decider()) : nil
        defer { unreadable += facts?.unreadable ?? 0 }
        let stale = query.isByFacts ? try await facts?.rows(query, telling: tell) ?? [] : []
        let isInOrder = order == .newest && stale.isEmpty
        // In the index's own order, reading can stop at the limit.
        let enough = order == .newest ? limit.map { $0 + 1 } : nil
        query.limit = min(max(1, enough ?? .max), SessionQuery.defaultLimit)
        var (found, rows): (Int, [SessionSummary]) = (0, [])
        while !Task.isCancelled, found < enough ?? .max {
            let page: [SessionSummary]
            do throws(EventStoreError) { page = try await store.sessions(matching: query) } catch {
                throw .store(error)
            }
            let chosen = page.filter(isWanted)
            found += chosen.count
            rows += chosen
            if isInOrder {
                deliver(try await complete(rows, by: &facts, needsFacts, tell))
                rows = []
            }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.session
        }
        guard !isInOrder else { return }
        rows += stale.filter(isWanted)
        rows.sort(by: order.isOrdered)
        deliver(try await complete(rows, by: &facts, needsFacts, tell))
    }

    /// Returns the next rows, up to the limit, with facts if these are shown.
    private mutating func complete(
        _ rows: [SessionSummary],
        by facts: inout FactsFromLogs?,
        _ needsFacts: Bool,
        _ tell: (LogReadingNews) -> Void
    ) async throws(LogReadingError) -> [SessionSummary] {
        var rows = rows
        if let limit, rows.count > limit - count {
            rows.removeLast(rows.count - (limit - count))
            isCut = true
        }
        count += rows.count
        guard needsFacts else { return rows }
        for index in rows.indices where rows[index].facts == nil && !Task.isCancelled {
            if let row = try await facts?.row(rows[index], telling: tell) { rows[index] = row }
        }
        return rows
    }

    private func isWanted(_ summary: SessionSummary) -> Bool {
        (among?.contains(summary.session) ?? true) && hasProblem(summary)
    }

    private func hasProblem(_ summary: SessionSummary) -> Bool {
        guard let problem else { return true }
        guard let type = summary.problem, let name = summary.problemName else { return false }
        return problem == "any"
            || [name, type, ProblemCatalogue.slug(of: type) ?? type].contains {
                ProblemCatalogue.isSame(problem, $0)
            }
    }
}
