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

    private(set) var rows: [SessionSummary] = []
    /// Whether there are more sessions than the limit.
    private(set) var isCut = false
    private var unreadable = 0

    init(query: SessionQuery, problem: String?, order: SessionOrder, limit: Int?) {
        (self.query, self.problem, self.order, self.limit) = (query, problem, order, limit)
        guard let problem else { return }
        self.query.hasProblem = true
        self.query.problem = ProblemCatalogue.engineKind(named: problem)?.rawValue
    }

    /// The exit status: with a log that could not be read, the result may lack a session.
    var status: ExitStatus { unreadable == 0 ? .done : .damaged }

    /// Finds the sessions.
    ///
    /// `needsFacts` says whether facts are shown, so that rows without facts get those of their
    /// logs.
    mutating func read(from reader: Reader, needsFacts: Bool) async throws(Failure) {
        let isByFacts = query.money != nil || query.host != nil || query.turn != nil
        // The rules are slow to read, and most lists do not need them.
        var facts = needsFacts || isByFacts ? FactsFromLogs(by: reader.decider) : nil
        defer { unreadable += facts?.unreadable ?? 0 }
        let stale = isByFacts ? try await facts?.rows(query, in: reader) ?? [] : []
        // In the index's own order, reading can stop at the limit.
        let enough = order == .newest ? limit.map { $0 + 1 } : nil
        query.limit = min(max(1, enough ?? .max), SessionQuery.defaultLimit)
        while !Task.isCancelled, rows.count < enough ?? .max {
            let page: [SessionSummary]
            do { page = try await reader.store.sessions(matching: query) } catch {
                throw Failure(error)
            }
            for summary in page where hasProblem(summary) { rows.append(summary) }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.session
        }
        rows += stale.filter(hasProblem)
        if order != .newest || !stale.isEmpty { rows.sort(by: order.isOrdered) }
        if let limit, rows.count > limit {
            rows.removeLast(rows.count - limit)
            isCut = true
        }
        guard needsFacts else { return }
        for index in rows.indices where rows[index].facts == nil && !Task.isCancelled {
            if let row = try await facts?.row(rows[index], in: reader) { rows[index] = row }
        }
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
