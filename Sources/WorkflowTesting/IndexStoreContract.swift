public import EventLog
package import SwedbankPay
internal import Workflow

/// The additional requirements of stores that keep facts, sums and search terms.
public enum IndexStoreContract {
    /// A store that keeps an index.
    public typealias Store = EventStore & FactsStore & SearchStore

    /// A requirement, with the check that a store meets it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The requirement, as a sentence.
        public let name: String
        private let body: @Sendable (any Store) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (any Store) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// The requirement.
        public var description: String { name }

        /// Runs the check with an empty set of logs, whose store must keep an index.
        ///
        /// - Throws: ``ContractViolation`` when the requirement is not met, and unexpected errors
        ///   of the store.
        public func run(_ place: any EventStoreFactory) async throws {
            guard let store = try await place.open() as? any Store else {
                throw ContractViolation("the store keeps no index")
            }
            try await body(store)
            await store.close()
        }
    }

    /// All checks.
    public static let checks: [Check] = [
        Check("the sums are those of the rows, whatever is appended") { store in
            var sessions = RandomSessions(seed: 1)
            for _ in 0..<6 {
                for _ in 0..<30 { try await store.append(sessions.append()) }
                try await compare(store)
                try EventStoreContract.expect(
                    try await store.sumFaults(SessionQuery()),
                    is: [],
                    "the faults"
                )
            }
        },
        Check("the sums match the rows while they are counted again, and afterwards") {
            store in
            var sessions = RandomSessions(seed: 2)
            for _ in 0..<60 { try await store.append(sessions.append()) }
            var (day, days): (Instant?, [Instant]) = (nil, [])
            repeat {
                day = try await store.recountSums(after: day)
                day.map { days.append($0) }
                try await compare(store)
                for _ in 0..<3 { try await store.append(sessions.append()) }
            } while day != nil
            let length: Int64 = 86_400_000_000
            let opened = try await store.sessions(matching: SessionQuery())
                .map { Instant(microseconds: $0.openedAt.microseconds / length * length) }
            try EventStoreContract.expect(Set(days), is: Set(opened), "the days")
            try EventStoreContract.expect(days, is: days.sorted(), "the order of the days")
            try EventStoreContract.expect(
                try await store.sumFaults(SessionQuery()),
                is: [],
                "the faults"
            )
        },
        Check("what was derived from logs replaces rows, and is in the sums") { store in
            var sessions = RandomSessions(seed: 3)
            for _ in 0..<60 { try await store.append(sessions.append()) }
            var rows = try await store.sessions(matching: SessionQuery())
            for index in rows.indices { rows[index].facts = sessions.facts() }
            rows[1].openedAt = rows[1].openedAt + .seconds(-3600)
            rows[2].phase = SessionSummary.ended
            rows[2].problem = "another"
            rows[0].lastSequence += 1
            let written = try await store.replaceRows(rows)
            // The first was of another event.
            try EventStoreContract.expect(written, is: rows.count - 1, "the rows written")
            let now = try await store.sessions(matching: SessionQuery())
            try EventStoreContract.expect(
                Array(now.dropFirst()),
                is: Array(rows.dropFirst()),
                "the rows"
            )
            try await compare(store)
            try EventStoreContract.expect(
                try await store.sumFaults(SessionQuery()),
                is: [],
                "the faults"
            )
        },
        Check("lists follow the log in pieces of any size, and miss no session") { store in
            var sessions = RandomSessions(seed: 5)
            var written: [SessionID: SessionSummary] = [:]
            for round in 1...40 {
                for _ in 0..<3 {
                    let append = sessions.append()
                    try await store.append(append)
                    written[append.stream] = append.summary
                }
                let isBehind = try await store.projectionLag() > 0
                try EventStoreContract.expect(
                    try await store.firstUnfollowed() != nil,
                    is: isBehind,
                    "whether there is a record that sums do not contain"
                )
                _ = try await store.project(limit: round % 4 + 1)
            }
            while try await !store.project(limit: 7) {}
            try EventStoreContract.expect(try await store.projectionLag(), is: 0, "the lag")
            try EventStoreContract.expect(
                try await store.firstUnfollowed(),
                is: nil,
                "the first record that sums do not contain"
            )
            let listed = try await store.sessions(matching: SessionQuery())
            try EventStoreContract.expect(
                Dictionary(uniqueKeysWithValues: listed.map { ($0.session, $0) }),
                is: written,
                "the rows"
            )
            try await compare(store)
        },
        Check("a time finds sessions whatever their identities begin with") { store in
            var sessions = RandomSessions(seed: 4)
            for _ in 0..<80 { try await store.append(sessions.append()) }
            let all = try await store.sessions(matching: SessionQuery())
            for query in times {
                for limit in [2, 7, 1000] {
                    var query = query
                    query.limit = limit
                    let found = try await store.sessions(matching: query).map(\.session)
                    let expected = all.filter { isWithin($0, query) }.prefix(limit)
                    try EventStoreContract.expect(
                        found,
                        is: expected.map(\.session),
                        "\(query)"
                    )
                }
            }
        },
        Check("terms are found by their beginnings, and only those of the current rules") { store in
            for number in 1...3 { try await store.append(SampleSession(number).append(after: 0)) }
            let ids = { (numbers: [Int]) in numbers.map { SampleSession($0).id } }
            try EventStoreContract.expect(try await store.searchProgress(), is: nil, "the progress")
            try await store.restartSearch("one")
            let end = try await store.records(after: nil, limit: 10).map(\.cursor)
            let first = SearchProgress(mark: "one", cursor: end[1])
            try await store.addTerms(
                [ids([1])[0]: ["torder-1", "bAA"], ids([2])[0]: ["torder-2", "tåäö"]],
                erased: [],
                upTo: first
            )
            // Of other rules, and of a session that is not there.
            try await store.addTerms(
                [ids([3])[0]: ["tlate"]],
                erased: [],
                upTo: SearchProgress(mark: "two", cursor: end[2])
            )
            try await store.addTerms([ids([9])[0]: ["torder-9"]], erased: [], upTo: first)
            try EventStoreContract.expect(
                try await store.searchProgress(),
                is: first,
                "the progress"
            )
            let cases: [([String], [Int])] = [
                (["torder-"], [2, 1]), (["torder-1", "tå"], [2, 1]), (["bAA"], [1]),
                (["TORDER", "order", "torder-10", "tlate"], []),
            ]
            for (beginnings, expected) in cases {
                let found = try await store.sessions(withTermsBeginning: beginnings, limit: 9)
                try EventStoreContract.expect(found, is: ids(expected), "\(beginnings)")
            }
            // The limit keeps the newest sessions, whatever the order of the terms.
            try await store.addTerms(
                [ids([1])[0]: ["u1"], ids([2])[0]: ["u3"], ids([3])[0]: ["u2"]],
                erased: [],
                upTo: first
            )
            for (limit, expected) in [(1, [3]), (2, [3, 2]), (3, [3, 2, 1])] {
                let found = try await store.sessions(withTermsBeginning: ["u"], limit: limit)
                try EventStoreContract.expect(found, is: ids(expected), "the newest \(limit)")
            }
            // The time narrows what is found, not what was found.
            let at = { (number: Int) in SampleSession(number).openedAt }
            let searched: [(Instant?, Instant?, [Int])] = [
                (nil, at(3), [2]), (nil, at(2), [1]), (at(2), nil, [3]), (at(1), at(3), [2]),
                (at(4), nil, []),
            ]
            for (since, until, expected) in searched {
                let found = try await store.sessions(
                    withTermsBeginning: ["u"],
                    since: since,
                    until: until,
                    limit: 1
                )
                try EventStoreContract.expect(found, is: ids(expected), "sessions of a time")
            }
            try await store.restartSearch("two")
            let left = try await store.sessions(withTermsBeginning: ["t", "b"], limit: 9)
            try EventStoreContract.expect(left, is: [], "what is left of earlier rules")
        },
        Check("an erasure removes terms, which a process that is behind does not restore") {
            store in
            for number in 1...2 { try await store.append(SampleSession(number).append(after: 0)) }
            let (erased, other) = (SampleSession(1).id, SampleSession(2).id)
            try await store.restartSearch("one")
            let before = try await store.records(after: nil, limit: 10).map(\.cursor)[1]
            let first = SearchProgress(mark: "one", cursor: before)
            try await store.addTerms([erased: ["tone"], other: ["ttwo"]], erased: [], upTo: first)
            try await store.append(SampleSession(1).append(after: 1))
            let end = try await store.records(after: before, limit: 10).map(\.cursor)[0]
            let last = SearchProgress(mark: "one", cursor: end)
            try await store.addTerms([erased: ["tafter"]], erased: [erased], upTo: last)
            // Processes that read the same records as others, but write later.
            try await store.addTerms([erased: ["tone"]], erased: [], upTo: first)
            try await store.addTerms([:], erased: [erased], upTo: first)
            // Of other rules.
            try await store.addTerms(
                [:],
                erased: [other],
                upTo: SearchProgress(mark: "two", cursor: end)
            )
            let expected: [(String, [SessionID])] = [
                ("tone", []), ("ttwo", [other]), ("tafter", [erased]),
            ]
            for (beginning, sessions) in expected {
                let found = try await store.sessions(withTermsBeginning: [beginning], limit: 9)
                try EventStoreContract.expect(found, is: sessions, beginning)
            }
            let progress = try await store.searchProgress()
            try EventStoreContract.expect(progress, is: last, "the progress")
        },
    ]

    /// Times with and without bounds, in whole hours and days and across them.
    private static let times: [SessionQuery] = {
        let minutes: [(Int?, Int?)] = [
            (nil, nil), (60, 180), (10, 50), (61, 62), (17, nil), (nil, 203), (50, 130),
            (119, 121), (120, 240), (200, 100), (720, 2160), (719, 2161), (100, 3500), (1500, nil),
        ]
        return minutes.map { since, until in
            SessionQuery(
                since: since.map { SampleSession.start + .seconds($0 * 60) },
                until: until.map { SampleSession.start + .seconds($0 * 60) }
            )
        }
    }()

    private static func isWithin(_ row: SessionSummary, _ query: SessionQuery) -> Bool {
        query.since.map { row.openedAt >= $0 } ?? true
            && query.until.map { row.openedAt < $0 } ?? true
            && query.origin.map { row.origin == $0 } ?? true
    }

    /// Compares sums and counts with those of all rows.
    private static func compare(_ store: any Store) async throws {
        let all = try await store.sessions(matching: SessionQuery())
        for time in times {
            for origin in [nil, SessionOrigin.own, .imported] {
                var query = time
                query.origin = origin
                let rows = all.filter { isWithin($0, query) && $0.facts != nil }
                try EventStoreContract.expect(
                    try await store.confirmedSums(query),
                    is: sums(of: rows),
                    "the sums of \(query)"
                )
                let counts = try await store.endedCounts(query)
                try EventStoreContract.expect(
                    Set(counts),
                    is: ended(of: rows),
                    "the counts of \(query)"
                )
                try EventStoreContract.expect(
                    try await store.openCount(query),
                    is: Int64(rows.count { !$0.isOver }),
                    "the open ones of \(query)"
                )
            }
        }
    }

    private static func sums(of rows: [SessionSummary]) -> [FactsSum] {
        var groups: [[String]: [(row: SessionSummary, facts: SessionFacts)]] = [:]
        for row in rows {
            guard let facts = row.facts, facts.money == "confirmed", facts.marks == 0,
                facts.countsWith == nil, let host = facts.host, facts.moneySince != nil
            else { continue }
            groups[[host, facts.currency ?? ""], default: []].append((row, facts))
        }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap {
            key,
            members in
            let known = members.compactMap(\.facts.net)
            let net = known.reduce(Int64?(0)) { sum, one in
                sum.flatMap { sum in
                    let (sum, overflow) = sum.addingReportingOverflow(one)
                    return overflow ? nil : sum
                }
            }
            let oldest = members.map { ($0.facts.moneySince ?? $0.row.openedAt, $0.row.session) }
                .min { $0 < $1 }
            return oldest.map { since, session in
                FactsSum(
                    host: key[0],
                    currency: key[1].isEmpty ? nil : key[1],
                    sessions: Int64(members.count),
                    net: net,
                    withoutAmount: Int64(members.count - known.count),
                    oldestSince: since,
                    oldest: session
                )
            }
        }
    }

    /// Counts the sessions that ended, one row after the other.
    package static func ended(of rows: [SessionSummary]) -> Set<EndedCount> {
        var counts: [EndedCount: Int64] = [:]
        for row in rows where row.isOver {
            let count = EndedCount(
                outcome: row.outcome,
                label: row.label,
                money: row.facts?.money,
                marks: (row.facts?.marks ?? 0) & EndedCount.countedMarks,
                sessions: 0
            )
            counts[count, default: 0] += 1
        }
        return Set(
            counts.map { count, sessions in
                var count = count
                count.sessions = sessions
                return count
            }
        )
    }
}

/// Sessions of a few hours of three days, whose rows change at random, by a seed.
private struct RandomSessions {
    private var random: SplitMix64
    private var versions: [Int: SequenceNumber] = [:]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    /// The next append: of a new session, or of one that was there.
    mutating func append() -> StreamAppend {
        let index = Int(random.next() % 60)
        let number = index * 241 + index % 3 * 86_400
        let version = versions[number] ?? 0
        versions[number] = version + 1
        let facts = facts()
        let isOver = one(of: [true, false])
        let outcome = isOver ? one(of: ["completed", "failed"]) : nil
        let label = one(of: ["card", "swish", nil])
        let due = one(of: [nil, 3600, 7200, 7201])
        // Some identities are not of the time of the opening.
        let shift: Duration = [.zero, .zero, .seconds(-7000), .seconds(9000)][index % 4]
        return SampleSession(number).append(after: version) { row in
            row.phase = isOver ? SessionSummary.ended : "ready"
            row.outcome = outcome
            row.label = label
            row.facts = facts
            row.openedAt = row.openedAt + shift
            row.dueAt = due.map { SampleSession.start + .seconds($0) }
            row.origin = index.isMultiple(of: 5) ? .imported : .own
        }
    }

    /// Facts, of which most are of confirmed money; sometimes none.
    mutating func facts() -> SessionFacts? {
        guard random.next() % 8 != 0 else { return nil }
        return SessionFacts(
            turn: "nobody",
            money: one(of: ["confirmed", "confirmed", "confirmed", "unknown", "none"]),
            moneySince: SampleSession.start + .seconds(Int(random.next() % 20_000)),
            net: one(of: [nil, 1, -7, 90_000_000_000, 250]),
            currency: one(of: [nil, "SEK", "NOK"]),
            host: one(of: ["one.example", "two.example"]),
            countsWith: random.next() % 8 == 0 ? SampleSession(1).id : nil,
            marks: one(of: [0, 0, 0, 1, 4, 8, 13])
        )
    }
}
