internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The sessions that a list shows, found in the store's index.
struct SessionSelection {
    /// The query for the index.
    var query: SessionQuery
    /// The current problem, or `any`.
    var problem: String?
    var order = SessionOrder.newest
    /// The maximum number of sessions.
    var limit: Int?

    /// Whether there are more sessions than the limit.
    private(set) var isCut = false
    /// The number of sessions that were found, up to the limit.
    private(set) var count = 0
    private var unreadable = 0

    init(query: SessionQuery, problem: String?, order: SessionOrder, limit: Int?) {
        (self.query, self.problem, self.order, self.limit) = (query, problem, order, limit)
        guard let problem else { return }
        self.query.hasProblem = true
        self.query.problem = ProblemCatalogue.engineKind(named: problem)?.rawValue
    }

    /// The exit status: with a log that could not be read, the result may lack a session.
    var status: ExitStatus { unreadable == 0 ? .done : .damaged }

    /// Finds the sessions and returns all of them.
    mutating func rows(
        from reader: Reader,
        needsFacts: Bool
    ) async throws(Failure) -> [SessionSummary] {
        var rows: [SessionSummary] = []
        try await read(from: reader, needsFacts: needsFacts) { rows += $0 }
        return rows
    }

    /// Finds the sessions and hands them over in the order of the list: in pages as they are read
    /// if the index has that order, so that a list of any length needs the memory of one page;
    /// otherwise all at the end.
    ///
    /// `needsFacts` says whether facts are shown, so that rows without facts get those of their
    /// logs.
    mutating func read(
        from reader: Reader,
        needsFacts: Bool,
        each deliver: ([SessionSummary]) -> Void
    ) async throws(Failure) {
        let isByFacts = query.money != nil || query.host != nil || query.turn != nil
        // The rules are slow to read, and most lists do not need them.
        var facts = needsFacts || isByFacts ? FactsFromLogs(by: reader.decider) : nil
        defer { unreadable += facts?.unreadable ?? 0 }
        let stale = isByFacts ? try await facts?.rows(query, in: reader) ?? [] : []
        let isInOrder = order == .newest && stale.isEmpty
        // In the index's own order, reading can stop at the limit.
        let enough = order == .newest ? limit.map { $0 + 1 } : nil
        query.limit = min(max(1, enough ?? .max), SessionQuery.defaultLimit)
        var (found, rows): (Int, [SessionSummary]) = (0, [])
        while !Task.isCancelled, found < enough ?? .max {
            let page: [SessionSummary]
            do { page = try await reader.store.sessions(matching: query) } catch {
                throw Failure(error)
            }
            let chosen = page.filter(hasProblem)
            found += chosen.count
            rows += chosen
            if isInOrder {
                deliver(try await complete(rows, by: &facts, needsFacts, in: reader))
                rows = []
            }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.session
        }
        guard !isInOrder else { return }
        rows += stale.filter(hasProblem)
        rows.sort(by: order.isOrdered)
        deliver(try await complete(rows, by: &facts, needsFacts, in: reader))
    }

    /// Returns the next rows, up to the limit, with facts if these are shown.
    private mutating func complete(
        _ rows: [SessionSummary],
        by facts: inout FactsFromLogs?,
        _ needsFacts: Bool,
        in reader: Reader
    ) async throws(Failure) -> [SessionSummary] {
        var rows = rows
        if let limit, rows.count > limit - count {
            rows.removeLast(rows.count - (limit - count))
            isCut = true
        }
        count += rows.count
        guard needsFacts else { return rows }
        for index in rows.indices where rows[index].facts == nil && !Task.isCancelled {
            if let row = try await facts?.row(rows[index], in: reader) { rows[index] = row }
        }
        return rows
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
