import CSQLite
import EventLog
import SwedbankPay
import Synchronization
import Testing

@testable import Adapters
@testable import EventStores

/// Lists and sums are read through indexes, in the statements that the store itself runs.
@Suite struct SQLiteListPlanTests {
    private static let sessions = 10_000
    private static let middle = Instant(microseconds: Int64(sessions / 2) * 1_000_000)
    private static let half = SessionID(at: middle, cell: 0, random: UInt64(sessions / 2))

    /// All lists; common values have no index of their own, since the newest rows have them.
    private static let lists: [List] = [
        List("all", SessionQuery(), .identities),
        List("own", SessionQuery(origin: .own), .identities),
        List("next page", SessionQuery(before: half), .identities),
        List("completed", SessionQuery(outcome: "completed"), .identities),
        List("ended", SessionQuery(phase: "ended"), .identities),
        List("confirmed", SessionQuery().with(money: "confirmed"), .identities),
        List("nobody's turn", SessionQuery().with(turn: "nobody"), .identities),
        List("failed", SessionQuery(outcome: "failed", origin: .own), .by("listed_outcome")),
        List("by phase", SessionQuery(phase: "awaitingPSP", origin: .own), .by("listed_open")),
        List("by problem", SessionQuery(problem: "requestFailed"), .by("listed_problem")),
        List("under way", SessionQuery(origin: .own).with(money: "underWay"), .by("listed_money")),
        List("by turn", SessionQuery(origin: .own).with(turn: "support"), .by("listed_turn")),
        List("frequent turn", SessionQuery().with(turn: "psp"), .by("listed_turn")),
        List("its next page", SessionQuery(before: half).with(turn: "psp"), .by("listed_turn")),
        List(
            "a rare host",
            SessionQuery(origin: .own).with(host: "api.other.example"),
            .by("listed_host")
        ),
        List(
            "a rare instrument",
            SessionQuery(label: "trustly", origin: .own),
            .by("listed_label")
        ),
        List(
            "in a time",
            SessionQuery(since: middle, until: middle + .seconds(60)),
            .identities,
            .by("listed_astray", sorting: "few identities do not begin with their time")
        ),
        List("by reference", SessionQuery(reference: "order-4321"), .references),
        List(
            "by the end of its id",
            SessionQuery(ending: "00000000270f"),
            .by("listed_ending", sorting: "few identities end with the same characters")
        ),
        // The newest rows do not have it.
        List(
            "a rare beginning",
            SessionQuery(referencePrefix: "order-43"),
            .newestTried,
            .references
        ),
        List("a common beginning", SessionQuery(referencePrefix: "order-"), .newestTried),
        List(
            "stuck",
            SessionQuery(overdueSince: middle, origin: .own),
            .by("sessions_due", sorting: "few sessions are overdue")
        ),
        List("imported", SessionQuery(origin: .imported), .by("listed_imported")),
        List(
            "their next page",
            SessionQuery(origin: .imported, before: half),
            .by("listed_imported")
        ),
    ]

    @Test func `every list is read through an index, and sorted only where few rows are found`()
        async throws
    {
        try await Self.withStore { store, recorder, planner in
            for list in Self.lists {
                let faults = try await Self.faults(of: list, in: store, recorder, planner)
                #expect(faults == [], "\(list.name)")
            }
        }
    }

    @Test func `a list whose index is gone is reported`() async throws {
        let list = try #require(Self.lists.first { $0.name == "a rare instrument" })
        let index = try #require(list.readings.first?.index)
        try await Self.withStore(changedBy: "DROP INDEX \(index)") { store, recorder, planner in
            let faults = try await Self.faults(of: list, in: store, recorder, planner)
            #expect(faults.count == 1)
            #expect(faults.first?.hasPrefix("\(index) is not used") == true, "\(faults)")
        }
    }

    @Test func `sums are read from those of days, and of the hours around them, by their keys`()
        async throws
    {
        try await Self.withStore { store, recorder, planner in
            var day: Instant?
            repeat { day = try await store.recountSums(after: day) } while day != nil
            _ = recorder.take()
            #expect(try await !store.confirmedSums(SessionQuery()).isEmpty)
            let money = recorder.take()
            #expect(try await !store.endedCounts(SessionQuery()).isEmpty)
            let ended = recorder.take()
            let kept = (money + ended).filter { $0.contains("FROM listed_sums") }
            // The sums, and for money the days in which the oldest session may be, and the hours of
            // the first of these.
            #expect(kept.count == 4)
            for sql in kept {
                let plan = try Self.plan(of: sql, [], on: planner)
                let read =
                    "SEARCH listed_sums USING PRIMARY KEY (name=? AND span=? AND number>? AND number<?)"
                #expect(Set(plan.filter { $0.contains("listed_sums") }) == [read], "\(plan)")
            }
            for sql in money + ended where sql.contains("listed_sessions") {
                let plan = try Self.plan(of: sql, [], on: planner)
                #expect(!plan.contains { $0.hasPrefix("SCAN listed_sessions") }, "\(plan)")
            }
        }
    }

    @Test func `statements on a column without an index are reported`() async throws {
        let missing = "listed_currency is not used"
        let sort = "USE TEMP B-TREE FOR ORDER BY"
        let cases: [(String, [String])] = [
            ("", ["SCAN listed_sessions", missing]),
            (" ORDER BY last_at DESC", ["SCAN listed_sessions", sort, missing]),
            // Reads all rows in the order of an index that does not find them.
            (" ORDER BY id DESC", [missing]),
        ]
        try await Self.withStore { _, _, planner in
            for (end, expected) in cases {
                let plan = try Self.plan(
                    of: "SELECT id FROM listed_sessions WHERE currency = ?" + end,
                    [.text("NOK")],
                    on: planner
                )
                let faults = Self.faults(in: plan, .by("listed_currency"))
                #expect(faults == expected, "\(plan)")
            }
        }
    }
}

extension SQLiteListPlanTests {
    /// How one statement has to find its rows.
    private struct Reading {
        /// The index that finds them.
        var index: String
        /// Why they may be sorted afterwards; `nil` where the index has to have their order.
        var sorting: String?

        static func by(_ index: String, sorting: String? = nil) -> Reading {
            Reading(index: index, sorting: sorting)
        }

        /// In the order of lists, up to the end of the page.
        static let identities = Reading(index: "sqlite_autoindex_listed_sessions_1")
        /// Among a bounded number of the newest rows.
        static let newestTried = Reading(
            index: "sqlite_autoindex_listed_sessions_1",
            sorting: "only the newest rows are read"
        )
        static let references = Reading(
            index: "listed_reference",
            sorting: "few sessions share a reference, or a beginning that the newest do not have"
        )
    }

    /// A list, and how each statement that the store runs for it has to find its rows.
    private struct List {
        var name: String
        var query: SessionQuery
        var readings: [Reading]

        init(_ name: String, _ query: SessionQuery, _ readings: Reading...) {
            self.name = name
            self.query = query
            self.query.limit = 51
            self.readings = readings
        }
    }

    /// The statements that a connection runs, as it prepared them: without their values.
    ///
    /// With values in its text, a statement may have another plan.
    private final class Recorder: Sendable {
        private let texts = Mutex<[String]>([])

        /// Records from now on; the recorder must outlive the connection's statements.
        func record(_ connection: SQLiteConnection) -> Int32 {
            sqlite3_trace_v2(
                connection.database,
                UInt32(SQLITE_TRACE_STMT),
                { _, context, _, text in
                    guard let context, let text else { return 0 }
                    let recorder = Unmanaged<Recorder>.fromOpaque(context).takeUnretainedValue()
                    recorder.note(String(cString: text.assumingMemoryBound(to: CChar.self)))
                    return 0
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }

        private func note(_ text: String) {
            // How far lists have followed the log, which is read before each.
            guard !text.contains("listed_progress") else { return }
            texts.withLock { $0.append(text) }
        }

        /// Returns what was recorded since the last call.
        func take() -> [String] {
            texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    /// Runs a test with a filled store whose lists are recorded, and a connection for plans.
    ///
    /// Nobody runs `ANALYZE` on a store, so neither does this. `change` is SQL that is run after
    /// the store was opened.
    private static func withStore(
        changedBy change: String = "",
        _ body: (SQLiteEventStore, Recorder, SQLiteConnection) async throws -> Void
    ) async throws {
        try await StoreFile.with { file in
            await (try SQLiteEventStore(path: file.path)).close()
            let other = try SQLiteConnection(
                path: file.path,
                readOnly: false,
                busyTimeout: .seconds(9)
            )
            try other.execute(filling)
            let options = SQLiteOptions(readers: 1)
            let store = try await SQLiteEventStore(path: file.path, options: options)
            try other.execute(change)
            let recorder = Recorder()
            let code = try await store.readers.read { recorder.record($0) }
            #expect(code == SQLITE_OK)
            let planner = try SQLiteOpening(
                path: file.path,
                options: options,
                readModel: .payments
            ).openReader()
            try await body(store, recorder, planner)
            await store.close()
            withExtendedLifetime(recorder) {}
        }
    }

    /// Runs a list, and returns what is wrong with the plans of its statements.
    private static func faults(
        of list: List,
        in store: SQLiteEventStore,
        _ recorder: Recorder,
        _ planner: SQLiteConnection
    ) async throws -> [String] {
        #expect(try await !store.sessions(matching: list.query).isEmpty, "\(list.name)")
        let statements = recorder.take()
        guard statements.count == list.readings.count else {
            return ["\(statements.count) statements: \(statements)"]
        }
        var faults: [String] = []
        for (sql, reading) in zip(statements, list.readings) {
            let values = try Self.values(of: list.query, in: sql)
            let plan = try Self.plan(of: sql, values, on: planner)
            faults += Self.faults(in: plan, reading).map { "\($0), in \(plan)" }
        }
        return faults
    }

    /// Returns what is wrong with a plan, each as its line or what is missing.
    private static func faults(in plan: [String], _ reading: Reading) -> [String] {
        let scans = plan.filter { line in
            (line.hasPrefix("SCAN listed_sessions") || line.hasPrefix("SCAN sessions"))
                && !line.contains("USING INDEX") && !line.contains("USING COVERING INDEX")
        }
        let sorts = plan.filter { line in
            line.hasPrefix("USE TEMP B-TREE") && line.hasSuffix("ORDER BY")
        }
        let isUsed = plan.contains { line in
            line.split(separator: " ").contains { word in word == reading.index }
        }
        return scans + (reading.sorting == nil ? sorts : [])
            + (isUsed ? [] : ["\(reading.index) is not used"])
    }

    /// Returns the values that the store binds to its statement.
    private static func values(
        of query: SessionQuery,
        in sql: String
    ) throws -> [SQLiteConditions.Value] {
        let kinds = [true, false].map {
            SQLiteConditions(
                query,
                of: SessionColumns(model: .payments, dialect: .sqlite),
                isAstray: $0
            )
        }
        let conditions = try #require(
            kinds.first { sql.contains($0.clause + "\nORDER BY ") },
            "\(sql)"
        )
        let values = conditions.values + [.integer(Int64(query.limit))]
        let parameters = sql.count { $0 == "?" }
        #expect(parameters == values.count, "\(sql)")
        return values
    }

    /// Returns the lines of a statement's plan.
    private static func plan(
        of sql: String,
        _ values: [SQLiteConditions.Value],
        on connection: SQLiteConnection
    ) throws -> [String] {
        let rows = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, on: connection.database)
        var index: Int32 = 1
        for value in values {
            value.bind(to: rows, at: index)
            index += 1
        }
        var lines: [String] = []
        while try rows.step() { lines.append(rows.text(3) ?? "") }
        return lines
    }

    /// Rows as many payments leave them, nearly all of them paid.
    private static let filling = """
        WITH RECURSIVE numbers (n) AS (
            SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(sessions))
        INSERT INTO listed_sessions (id, opened_at, last_at, phase, outcome, settled, last_seq,
            reference, label, problem, imported, facts_version, turn, money,
            money_since, money_seq, amount, net, currency, host, attempts, marks, due_at)
        SELECT printf('%08x-%04x-7000-8000-%012x', n * 1000 >> 16, n * 1000 & 65535, n),
            n * 1000000, n * 1000000,
            CASE WHEN n % 100 = 1 THEN 'awaitingPSP' ELSE 'ended' END,
            CASE WHEN n % 100 = 1 THEN NULL WHEN n % 50 = 5 THEN 'failed' ELSE 'completed' END,
            1, 18, 'order-' || n, CASE WHEN n % 100 = 9 THEN 'trustly' ELSE 'swish' END,
            CASE WHEN n % 100 = 7 THEN 'requestFailed' END, n % 100 = 11, 1,
            CASE WHEN n % 100 = 7 THEN 'support' WHEN n % 5 = 3 THEN 'psp' ELSE 'nobody' END,
            CASE WHEN n % 100 = 1 THEN 'underWay' WHEN n % 50 = 5 THEN 'none' ELSE 'confirmed' END,
            n * 1000000, 17, 100, 100, 'SEK',
            CASE WHEN n % 1000 = 5 THEN 'api.other.example' ELSE 'api.payex.com' END, 1, 0,
            CASE WHEN n % 100 = 1 THEN n * 1000000 END
        FROM numbers;
        INSERT INTO sessions (id, \(SessionColumns.common.joined(separator: ", ")))
        SELECT id, \(SessionColumns.common.joined(separator: ", ")) FROM listed_sessions
        """
}
