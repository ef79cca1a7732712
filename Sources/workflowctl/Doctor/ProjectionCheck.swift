internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Compares the index of a store with its logs.
struct ProjectionCheck {
    /// The number of newest sessions to compare, and of sessions chosen at random.
    static let newest = 50, elsewhere = 50
    /// The maximum number of sessions or hours that a finding lists.
    static let named = 5

    private let store: any PaymentStore
    private let decider: SessionDecider
    /// The number of rows that were compared.
    private var compared = 0
    /// The sessions whose row differs from its log, with the members that do.
    private var differing: [(session: SessionID, members: [String])] = []
    /// The number of logs that could not be read or were altered.
    private var unreadable = 0

    init(of store: any PaymentStore, by decider: SessionDecider) {
        (self.store, self.decider) = (store, decider)
    }

    /// Compares a sample, or everything.
    mutating func findings(all: Bool) async throws(EventStoreError) -> [Finding] {
        let hours = all ? try await compareAll() : try await compareSample()
        var findings: [Finding] = []
        if !differing.isEmpty { findings.append(rowsDiffer) }
        if !hours.isEmpty { findings.append(Self.sumsDiffer(hours)) }
        if unreadable > 0 {
            findings.append(
                Finding(
                    .projections,
                    .bad,
                    "\(Self.count(unreadable, "log")) could not be compared with \(unreadable == 1 ? "its row" : "their rows")",
                    advice: "run 'workflowctl verify' to see what is wrong"
                )
            )
        }
        if let incomplete = try await incomplete() { findings.append(incomplete) }
        guard findings.isEmpty else { return findings }
        let what = all ? "all \(compared)" : "\(compared) sampled"
        return [
            Finding(.projections, .good, "the index of \(what) sessions matches their logs")
        ]
    }

    // MARK: Comparing

    /// Compares each row with its log, and all sums.
    private mutating func compareAll() async throws(EventStoreError) -> [Instant] {
        var query = SessionQuery(limit: 1000)
        while !Task.isCancelled {
            let page = try await store.sessions(matching: query)
            for row in page { try await compare(row) }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.session
        }
        return try await store.sumsCheck(SessionQuery()).hours
    }

    /// Compares the newest rows and some chosen at random, and the sums of their hours.
    private mutating func compareSample() async throws(EventStoreError) -> [Instant] {
        var rows = try await store.sessions(matching: SessionQuery(limit: Self.newest))
        if rows.count == Self.newest, let end = rows.last?.session,
            let first = try await store.sessionIdentities(after: nil, limit: 1).first,
            first.high < end.high
        {
            for _ in 0..<Self.elsewhere {
                let place = SessionID(high: .random(in: first.high...end.high), low: .max)
                rows += try await store.sessions(matching: SessionQuery(before: place, limit: 1))
            }
        }
        var seen: Set<SessionID> = []
        var hours: Set<Int64> = []
        for row in rows where seen.insert(row.session).inserted {
            try await compare(row)
            hours.insert(row.openedAt.microseconds / Self.hour)
        }
        var differing: [Instant] = []
        for hour in hours.sorted() where hour >= 0 {
            let start = Instant(microseconds: hour * Self.hour)
            let check = try await store.sumsCheck(
                SessionQuery(since: start, until: start + .seconds(3600))
            )
            differing += check.hours
        }
        return differing
    }

    private static let hour: Int64 = 3_600_000_000

    private mutating func compare(_ row: SessionSummary) async throws(EventStoreError) {
        var (row, audit) = (row, SessionAudit(of: row.session))
        do {
            while true {
                let next = audit.head.sequence + 1
                let records = try await store.read(row.session, from: next, limit: 1024)
                for record in records { try audit.check(record) }
                guard records.isEmpty else { continue }
                // The session may have moved on since its row was read.
                guard audit.head.sequence > row.lastSequence,
                    let now = try await store.row(of: row.session)
                else { break }
                if now.lastSequence == row.lastSequence { break }
                row = now
            }
        } catch let error as EventStoreError {
            guard case .corrupt = error else { throw error }
            unreadable += 1
            return
        } catch {
            unreadable += 1
            return
        }
        compared += 1
        let members = audit.contradictions(in: row, by: decider, current: Build.version)
        if !members.isEmpty { differing.append((row.session, members)) }
    }

    /// Returns a warning if rows of an earlier build are not in the index or the sums yet.
    private func incomplete() async throws(EventStoreError) -> Finding? {
        let stale = try await store.sessions(matching: SessionQuery(hasFacts: false, limit: 1))
        // An empty period: only whether all rows were added matters.
        let start = Instant(microseconds: 0)
        let isComplete = try await store.sumsCheck(SessionQuery(since: start, until: start))
            .isComplete
        guard !stale.isEmpty || !isComplete else { return nil }
        return Finding(
            .projections,
            .warning,
            "the index lacks values for sessions that an earlier build wrote, so lists and sums are slower",
            advice: "run 'workflowctl store reproject'; engines can keep running"
        )
    }

    // MARK: Findings

    private var rowsDiffer: Finding {
        let named = differing.prefix(Self.named).map {
            "\($0.session) (\($0.members.joined(separator: ", ")))"
        }
        let more = differing.count > Self.named ? ", and \(differing.count - Self.named) more" : ""
        return Finding(
            .projections,
            .bad,
            "the index of \(differing.count) of \(compared) checked sessions differs from the log: "
                + named.joined(separator: "; ") + more,
            advice:
                "run 'workflowctl store reproject --rebuild' to compute it from the logs, and find out who wrote to the tables"
        )
    }

    private static func sumsDiffer(_ hours: [Instant]) -> Finding {
        let named = hours.prefix(Self.named).map { "\($0)" }.joined(separator: ", ")
        let more = hours.count > Self.named ? ", and \(hours.count - Self.named) more" : ""
        return Finding(
            .projections,
            .bad,
            "the sums of the sessions opened in the hour from \(named)\(more) differ from their rows",
            advice:
                "run 'workflowctl store reproject --rebuild' to add them up again, and find out who wrote to the tables"
        )
    }

    private static func count(_ number: Int, _ what: String) -> String {
        "\(number) \(what)\(number == 1 ? "" : "s")"
    }
}
