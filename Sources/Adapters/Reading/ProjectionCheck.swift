package import EventLog
package import SwedbankPay

/// Compares the index of a store with its logs.
package struct ProjectionCheck: Sendable {
    /// The number of newest sessions to compare, and of sessions chosen at random.
    static let newest = 50, elsewhere = 50

    private let store: any PersistentStore
    private let decider: SessionDecider
    private let build: String
    /// The number of rows that were compared.
    package private(set) var compared = 0
    /// The sessions whose row differs from its log, with the members that do.
    package private(set) var differing: [(session: SessionID, members: [String])] = []
    /// The number of logs that could not be read or were altered.
    package private(set) var unreadable = 0
    /// The hours whose sums differ from the rows of the sessions opened in them.
    package private(set) var hours: [Instant] = []
    /// Whether all rows have facts.
    package private(set) var isComplete = true

    /// Creates a check that has compared nothing yet.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - decider: The rules of this build.
    ///   - build: The name of this build, as recorded in the records that it writes.
    package init(of store: any PersistentStore, by decider: SessionDecider, build: String) {
        (self.store, self.decider, self.build) = (store, decider, build)
    }

    /// Compares a sample, or everything.
    package mutating func run(all: Bool) async throws(EventStoreError) {
        hours = all ? try await compareAll() : try await compareSample()
        isComplete = try await store.sessions(matching: SessionQuery(hasFacts: false, limit: 1))
            .isEmpty
    }

    /// Compares each row with its log, and all sums.
    private mutating func compareAll() async throws(EventStoreError) -> [Instant] {
        var query = SessionQuery(limit: 1000)
        while !Task.isCancelled {
            let page = try await store.sessions(matching: query)
            for row in page { try await compare(row) }
            guard page.count == query.limit, let last = page.last else { break }
            query.before = last.session
        }
        return try await store.sumFaults(SessionQuery())
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
            differing += try await store.sumFaults(
                SessionQuery(since: start, until: start + .seconds(3600))
            )
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
        var members = audit.contradictions(in: row, by: decider, current: build)
        if members.isEmpty {
            members = try await store.listFaults(limit: 1, of: row.session).flatMap(\.members)
        }
        if !members.isEmpty { differing.append((row.session, members)) }
    }
}
