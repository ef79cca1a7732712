import Adapters
import EventLog
import SwedbankPay
import TestSupport
import Testing
import Workflow
import WorkflowTesting

@testable import Inspection

/// The sums that a store keeps while random payments go on, and those of the folds of their logs.
@Suite struct HistorySumsTests {
    private static let decider = SessionDecider(catalogue: .sample)
    /// When something is overdue in some of the sessions.
    private static let now = ManualClock.noon + .seconds(25_200)

    /// All sessions, those of whole hours, those of parts of hours, and those of a whole day with
    /// the hours around it.
    private static let queries: [SessionQuery] = [
        SessionQuery(),
        SessionQuery(since: ManualClock.noon + .seconds(10_800)),
        SessionQuery(
            since: ManualClock.noon + .seconds(600),
            until: ManualClock.noon + .seconds(22_800)
        ),
        SessionQuery(
            since: ManualClock.noon + .seconds(-168_600),
            until: ManualClock.noon + .seconds(22_800)
        ),
        SessionQuery(until: ManualClock.noon + .seconds(32_400), origin: .own),
    ]

    /// Returns the sums of the folds of logs.
    private func sums(of logs: [SessionLog]) -> SumsAtOnce {
        SumsAtOnce(of: logs.map { Self.decider.summary(of: $0.state) }, at: Self.now)
    }

    private func append(_ batch: [StreamAppend], to store: SQLiteEventStore) async throws {
        // At once, because appends that wait together share a transaction.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for change in batch { group.addTask { try await store.append(change) } }
            try await group.waitForAll()
        }
    }

    private func readLogs(
        of histories: [RandomHistory],
        in store: SQLiteEventStore
    ) async throws -> [SessionLog] {
        var logs: [SessionLog] = []
        for history in histories {
            let records = try await store.read(history.session, from: 1, limit: 10_000)
            if !records.isEmpty { logs.append(try SessionLog(history.session, records)) }
        }
        return logs
    }

    /// Compares the store's sums with those of rows, for all queries.
    private func compare(
        _ store: SQLiteEventStore,
        with rows: [SessionSummary],
        _ comment: Comment
    ) async throws {
        for query in Self.queries {
            let kept = try await SumsAtOnce(in: store, query, at: Self.now)
            let found = rows.filter { row in
                row.openedAt >= query.since ?? row.openedAt
                    && query.until.map { row.openedAt < $0 } ?? true
            }
            #expect(kept.differences(from: SumsAtOnce(of: found, at: Self.now)) == [], comment)
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: Tier.isThorough ? [UInt64(1), 2, 3] : [2])
    func `the store's sums follow every event of random payments, and are those of all logs`(
        seed: UInt64
    ) async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            var teller = HistoryTeller(seed: seed &* 0x5EED)
            let histories = try teller.histories(60)
            var rows: [SessionID: SessionSummary] = [:]
            for (number, batch) in teller.batches(of: histories).enumerated() {
                try await append(batch, to: store)
                for change in batch { rows[change.stream] = change.summary }
                try await compare(store, with: Array(rows.values), "seed \(seed), \(number)")
                guard number.isMultiple(of: 16) else { continue }
                let folded = try await readLogs(of: histories, in: store).map {
                    Self.decider.summary(of: $0.state)
                }
                try await compare(store, with: folded, "seed \(seed), logs, \(number)")
            }
            let logs = try await readLogs(of: histories, in: store)
            #expect(logs.count == histories.count)
            let folded = logs.map { Self.decider.summary(of: $0.state) }
            try await compare(store, with: folded, "seed \(seed), all logs")
            #expect(try await store.sumFaults(SessionQuery()) == [])
            let kept = try await SumsAtOnce(in: store, SessionQuery(), at: Self.now)
            expectCounts(kept.counts, are: logs, seed)
            // The histories are of every kind, or the comparison would say little.
            #expect(Set(folded.map { $0.openedAt.microseconds / 3_600_000_000 }).count > 9)
            #expect(Set(folded.map { $0.openedAt.microseconds / 86_400_000_000 }).count > 2)
            #expect(kept.confirmed.count > 1 && kept.ended.count > 3, "seed \(seed)")
            #expect(Set(folded.compactMap { $0.facts?.money }).count > 2, "seed \(seed)")
            await store.close()
        }
    }

    /// Expects the counts of the index to be those that `stats` takes from the logs.
    private func expectCounts(_ counts: JSONValue, are logs: [SessionLog], _ seed: UInt64) {
        var statistics = Statistics()
        for log in logs {
            let row = Self.decider.summary(of: log.state)
            statistics.add(log, isStuck: row.isStuck(at: Self.now))
        }
        let numbers: [(name: String, count: Int)] = [
            ("sessions", statistics.sessions), ("open", statistics.open),
            ("stuck", statistics.stuck), ("closed", statistics.closed),
            ("endedUnknown", statistics.endedUnknown),
            ("verified", statistics.verified),
        ]
        for (name, count) in numbers {
            #expect(counts[name] == .integer(Int64(count)), "seed \(seed), \(name)")
        }
        for outcome in Outcome.allCases {
            let count = statistics.outcomes[outcome] ?? 0
            let counted = counts["outcomes"]?[outcome.rawValue]
            #expect(counted == .integer(Int64(count)), "seed \(seed), \(outcome)")
        }
    }

    @Test func `a verification counts once it is completed, by logs and by the index`() throws {
        var empty = DeciderSpec(clock: ManualClock(now: Self.now)) { _, _ in }
        empty.foldsEachStep = false
        let confirmed = OrderConfirmed(
            order: "/psp/paymentorders/1",
            number: nil,
            instrument: nil,
            currency: "SEK",
            amount: 0,
            transactionType: nil
        )
        let open = empty.ready()
        let completed = open.when(.refetch(by: "host")).settling(limit: 60) { _ in
            .snapshot(.paid, status: 200)
        }
        for (spec, count) in [(open, 0), (completed, 1)] {
            let history = try RandomHistory(spec.given(.checkout(.orderConfirmed(confirmed))))
            let log = try SessionLog(history.session, history.appends.flatMap(\.records))
            #expect(log.state.money.isVerification && log.state.money.taken != nil)
            var (statistics, counts) = (Statistics(), StatisticsCounts())
            statistics.add(log, isStuck: false)
            counts.add(Self.decider.summary(of: log.state), at: Self.now)
            #expect(statistics.verified == count)
            #expect(counts.json["verified"] == .integer(Int64(count)))
        }
    }

    @Test func `a changed row, a changed sum and a log without its end are noticed`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            var teller = HistoryTeller(seed: 4)
            let histories = try teller.histories(60)
            for batch in teller.batches(of: histories) { try await append(batch, to: store) }
            let logs = try await readLogs(of: histories, in: store)
            let folded = sums(of: logs)
            func differences() async throws -> [String] {
                try await SumsAtOnce(in: store, SessionQuery(), at: Self.now)
                    .differences(from: folded)
            }
            #expect(try await differences() == [])

            // A log that is read without the event that ended its session, and what followed.
            let ended = try #require(histories.first { $0.row?.isOver == true })
            let end = try #require(ended.appends.firstIndex { $0.summary.isOver })
            let cut = try logs.map { log in
                guard log.session == ended.session else { return log }
                return try SessionLog(log.session, Array(log.records.prefix(end)))
            }
            let missing = sums(of: cut).differences(from: folded)
            #expect(missing.contains("ended") && missing.contains("open"), "\(missing)")

            // A row that is changed behind the store's back: the sums stay.
            let sum = try #require(
                folded.confirmed.first { $0.withoutAmount == 0 && $0.net != nil }
            )
            try file.python("UPDATE listed_sessions SET net = net + 1 WHERE id = '\(sum.oldest)'")
            #expect(try await differences() == [])
            #expect(try await store.sumFaults(SessionQuery()).count == 1)
            try file.python("UPDATE listed_sessions SET net = net - 1 WHERE id = '\(sum.oldest)'")
            #expect(try await store.sumFaults(SessionQuery()) == [])

            // Sums that are changed behind the store's back.
            try file.python(
                "UPDATE listed_sums SET low = low + 1 WHERE sessions > 0 AND name = 'money.1'"
            )
            #expect(try await differences() == ["confirmed", "money"])
            try file.python("UPDATE listed_sums SET sessions = sessions + 1 WHERE sessions > 0")
            #expect(try await differences() == ["confirmed", "ended", "money", "counts"])
            #expect(try await !store.sumFaults(SessionQuery()).isEmpty)
            await store.close()
        }
    }
}

/// Everything that sums say about sessions at one time.
private struct SumsAtOnce {
    var confirmed: Set<FactsSum>
    var ended: Set<EndedCount>
    var open: Int64
    /// What `at-risk` shows.
    var money: JSONValue
    /// What `stats --counts` shows.
    var counts: JSONValue

    /// Reads the sums that a store keeps, as the commands do.
    init(
        in store: SQLiteEventStore,
        _ query: SessionQuery,
        at now: Instant
    ) async throws {
        let sums = try await store.confirmedSums(query)
        let ends = try await store.endedCounts(query)
        let open = try await store.openCount(query)
        var (totals, counts) = (MoneyTotals(), StatisticsCounts())
        for sum in sums { totals.add(sum) }
        for row in try await store.sessionsToSum(query) { totals.add(row) }
        for count in ends { counts.add(count) }
        let stuck = try await StuckSessions(query, in: store, at: now).all
        counts.add(open: Int(open), stuck: stuck.count)
        // Each group is there once.
        #expect(Set(sums).count == sums.count && Set(ends).count == ends.count)
        (confirmed, ended, self.open) = (Set(sums), Set(ends), open)
        money = MoneyAtRisk(totals, duplicates: [], unreadable: 0, imported: [], at: now).json
        self.counts = counts.json
    }

    /// Adds up rows one by one, as the commands do with those of logs.
    init(of rows: [SessionSummary], at now: Instant) {
        var (totals, counts) = (MoneyTotals(), StatisticsCounts())
        for row in rows {
            totals.add(row)
            counts.add(row, at: now)
        }
        confirmed = Self.confirmed(rows)
        ended = IndexStoreContract.ended(of: rows)
        open = Int64(rows.count { !$0.isOver })
        money = MoneyAtRisk(totals, duplicates: [], unreadable: 0, imported: [], at: now).json
        self.counts = counts.json
    }

    /// The names of what differs.
    func differences(from other: SumsAtOnce) -> [String] {
        let parts: [(name: String, isSame: Bool)] = [
            ("confirmed", confirmed == other.confirmed), ("ended", ended == other.ended),
            ("open", open == other.open), ("money", money == other.money),
            ("counts", counts == other.counts),
        ]
        return parts.filter { !$0.isSame }.map(\.name)
    }

    private static func confirmed(_ rows: [SessionSummary]) -> Set<FactsSum> {
        var sums: [[String]: FactsSum] = [:]
        for row in rows {
            guard let facts = row.facts, facts.money == MoneyState.Standing.confirmed.rawValue,
                facts.marks == 0, facts.countsWith == nil, let host = facts.host,
                let since = facts.moneySince
            else { continue }
            let group = [host, facts.currency ?? ""]
            let none = FactsSum(
                host: host,
                currency: facts.currency,
                sessions: 0,
                net: 0,
                withoutAmount: 0,
                oldestSince: since,
                oldest: row.session
            )
            var sum = sums[group] ?? none
            sum.sessions += 1
            sum.net = sum.net.map { $0 + (facts.net ?? 0) }
            if facts.net == nil { sum.withoutAmount += 1 }
            if (since, row.session) < (sum.oldestSince, sum.oldest) {
                (sum.oldestSince, sum.oldest) = (since, row.session)
            }
            sums[group] = sum
        }
        return Set(sums.values)
    }
}
