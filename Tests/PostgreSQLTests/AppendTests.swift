import EventLog
import SwedbankPay
internal import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    /// How appends of many sessions share statements and commits.
    @Suite(.serialized, .fewAtATime) struct AppendTests {
        @Test func `a NUL in a reference is stored as U+FFFD, and the reference is found`()
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store(PostgreSQLOptions())
                let session = Self.session(1)
                try await store.append(
                    SampleAppend.of(session, at: 1) { $0.reference = "order\0 7" }
                )
                for reference in ["order\0 7", "order\u{FFFD} 7"] {
                    var query = SessionQuery()
                    query.reference = reference
                    let found = try await store.sessions(matching: query)
                    #expect(found.map(\.reference) == ["order\u{FFFD} 7"])
                }
                await store.close()
            }
        }

        @Test(arguments: [1, 3], [1, 8])
        func `refused appends leave no gap, and the other appends of their commit succeed`(
            atATime: Int,
            lanes: Int
        )
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store(
                    PostgreSQLOptions(maximumTransactionsUnderWay: atATime, lanes: lanes)
                )
                let sessions = (1...300).map { Self.session($0) }
                for session in sessions.prefix(200) {
                    try await store.append(SampleAppend.of(session, at: 1))
                }
                // Of 300 at once, every third one of the first 200 has a wrong expected version;
                // the last 100 are new.
                let outcomes = await Self.atOnce(sessions.indices, on: place.loop) { index in
                    let place: SequenceNumber = index >= 200 ? 1 : index.isMultiple(of: 3) ? 7 : 2
                    try await store.append(SampleAppend.of(sessions[index], at: place))
                }
                for (index, outcome) in outcomes.enumerated() {
                    let isRefused = index < 200 && index.isMultiple(of: 3)
                    let refusal = EventStoreError.conflict(
                        stream: sessions[index],
                        expected: 6,
                        actual: 1
                    )
                    #expect(outcome == (isRefused ? refusal : nil))
                }
                try Self.expectWhole(place.database, events: 200 + 133 + 100)
                await store.close()
            }
        }

        @Test(arguments: [1, 3], [1, 8])
        func `an append to an inconsistent session fails without failing the others`(
            atATime: Int,
            lanes: Int
        ) async throws {
            try await OnServer.run { place in
                let store = try await place.store(
                    PostgreSQLOptions(maximumTransactionsUnderWay: atATime, lanes: lanes)
                )
                let sessions = (1...300).map { Self.session($0) }
                for session in sessions {
                    try await store.append(SampleAppend.of(session, at: 1))
                }
                try place.database.sql(
                    """
                    INSERT INTO events SELECT session, 2, 1000, type, at, record, prev, hash, seals
                    FROM events WHERE session = '\(sessions[7])'
                    """
                )
                let outcomes = await Self.atOnce(sessions.indices, on: place.loop) { index in
                    try await store.append(SampleAppend.of(sessions[index], at: 2))
                }
                for (index, outcome) in outcomes.enumerated() where index != 7 {
                    #expect(outcome == nil)
                }
                #expect(outcomes[7]?.code == "store.corrupt")
                try place.database.sql("DELETE FROM events WHERE position = 1000")
                try Self.expectWhole(place.database, events: 300 + 299)
                await store.close()
            }
        }

        @Test(arguments: [1, 3], [1, 8])
        func `appends to one session are written in order, however many transactions are under way`(
            atATime: Int,
            lanes: Int
        )
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store(
                    PostgreSQLOptions(maximumTransactionsUnderWay: atATime, lanes: lanes)
                )
                let sessions = (1...70).map { Self.session($0) }
                let outcomes = await Self.atOnce(0..<280, on: place.loop) { index in
                    try await store.append(
                        SampleAppend.of(sessions[index % 70], at: SequenceNumber(index / 70 + 1))
                    )
                }
                #expect(outcomes.allSatisfy { $0 == nil })
                try Self.expectWhole(place.database, events: 280)
                await store.close()
            }
        }

        @Test func `appends are planned once on a connection`() async throws {
            try await OnServer.run { place in
                let store = try await place.store()
                for number in 1...20 {
                    try await store.append(SampleAppend.of(Self.session(number), at: 1))
                    try await store.append(SampleAppend.of(Self.session(number), at: 2))
                }
                let plans = try await store.pool.writer().run([PQCommand(Self.plansMade)])[0]
                let names = (0..<plans.count).map { plans.text($0, 0) }
                #expect(names == ["append", "append_opening"])
                for row in 0..<plans.count {
                    #expect(plans.integer(row, 1) == 0, "plans for given values")
                    #expect(plans.integer(row, 2) == 20)
                }
                await store.close()
            }
        }

        /// The rows of tables that are large, in which every row would be many more to read than a
        /// few.
        static let large = Tier.isThorough ? 100_000 : 20_000

        @Test(.tags(.repeatedThoroughly), arguments: [false, true], [1, 8])
        func `append plans made for small tables still use indexes on large ones`(
            opens: Bool,
            lanes: Int
        ) async throws {
            try await OnServer.run(lanes: lanes) { place in
                let variant: PostgreSQLAppend.Variant = opens ? .opening : .advancing
                let statement =
                    lanes == 1
                    ? PostgreSQLAppend.toOneLane(variant) : PostgreSQLAppend.toSeveralLanes(variant)
                let count = 20
                let values = Self.values(count, opens: opens, lanes: lanes)
                let plan = try Plan.of(
                    statement,
                    values,
                    beforehand: """
                        \(PostgreSQLPlans.ofWriter.sql);
                        \(Self.filling(sessions: 30, lanes: lanes))
                        ANALYZE;
                        EXECUTE found (\(values));
                        \(Self.emptying)
                        \(Self.filling(sessions: Self.large, lanes: lanes))
                        """,
                    in: place.database
                )
                // Each append looks up a handful of rows, three or four blocks away, and adds to
                // three indexes.
                plan.expectKeys(blocks: 60 * count)
                let added =
                    """
                    SELECT count(*) FROM events WHERE position & 144115188075855871 > \(Self.large)
                    """
                #expect(try place.database.sql(added) == "\(count)")
            }
        }

        @Test(.tags(.repeatedThoroughly))
        func `reading the next records of eight lanes uses the index, whatever the size`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let lanes = try #require(PostgreSQLLanes(8))
                let store = try await place.store()
                #expect(store.lanes == lanes)
                let start = lanes.positions(of: nil).map { "\($0 + 5_000)" }
                let next = lanes.positions(of: nil).map { "\($0 + 5_016)" }
                func array(_ positions: [String]) -> String {
                    "ARRAY[\(positions.joined(separator: ", "))]::bigint[]"
                }
                let filled = """
                    \(Self.filling(sessions: Self.large, lanes: 8))
                    ANALYZE;
                    """
                try place.database.sql(filled)
                // Of each lane, as many rows as the page has.
                for mode in ["force_custom_plan", "force_generic_plan"] {
                    let page = PostgreSQLEventStore.allRecords.several
                    try Plan.of(page, "\(array(start)), 100, 3", mode: mode, in: place.database)
                        .expectKeys(blocks: 8 * 100 * 4 + 100 * 8)
                    let changes = PostgreSQLEventStore.changes.several
                    try Plan.of(changes, "\(array(start)), 100, 3", mode: mode, in: place.database)
                        .expectKeys(blocks: 8 * 100 * 4 + 100 * 8)
                    let reach = PostgreSQLCheckpoints.reach
                    try Plan.of(reach, "\(array(start)), 16", mode: mode, in: place.database)
                        .expectKeys(blocks: 8 * 16 * 6)
                    let heads = PostgreSQLCheckpoints.heads
                    let range = "\(array(start)), \(array(next)), 16"
                    try Plan.of(heads, range, mode: mode, in: place.database)
                        .expectKeys(blocks: 8 * 16 * 6)
                }
                await store.close()
            }
        }

        @Test func `a role with few connections appends over those that it gets`() async throws {
            try await OnServer.run(lanes: 8) { place in
                let role = "few_\(place.database.name)"
                try place.database.sql("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 2")
                for grant in PostgreSQLGrants.statements(for: role) {
                    try place.database.sql(grant)
                }
                // One to write, one to read.
                let options = PostgreSQLOptions(access: .existing, readers: 1)
                let store = try await place.store(options, as: role)
                let sessions = (1...600).map { Self.session($0) }
                for sequence in SequenceNumber(1)...2 {
                    let outcomes = await Self.atOnce(sessions.indices, on: place.loop) { index in
                        try await store.append(SampleAppend.of(sessions[index], at: sequence))
                    }
                    #expect(outcomes.allSatisfy { $0 == nil })
                }
                try Self.expectWhole(place.database, events: 1200)
                await store.close()
            }
        }

        @Test func `many appends at once use a connection for each share of the lanes`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store(PostgreSQLOptions(writers: 3))
                let sessions = (1...600).map { Self.session($0) }
                // Few go over one connection.
                for session in sessions.prefix(9) {
                    try await store.append(SampleAppend.of(session, at: 1))
                }
                let connections = """
                    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                        AND (query LIKE 'WITH advanced%' OR query LIKE 'WITH granted%')
                    """
                #expect(try place.database.sql(connections) == "1")
                let outcomes = await Self.atOnce(9..<600, on: place.loop) { index in
                    try await store.append(SampleAppend.of(sessions[index], at: 1))
                }
                #expect(outcomes.allSatisfy { $0 == nil })
                #expect(try place.database.sql(connections) == "3")
                try Self.expectWhole(place.database, events: 600)
                await store.close()
            }
        }

        static func row(_ number: String) -> String {
            "('0192f0c1-7c1e-7000-8000-' || lpad(to_hex(\(number)), 12, '0'))::uuid"
        }

        /// Deletes all rows: `TRUNCATE` would make the server discard its plans.
        static let emptying = ["session_keys", "sessions", "events", "addresses", "leases"]
            .map { "DELETE FROM \($0);" }.joined(separator: " ")

        /// Returns SQL that creates sessions with one event each, all held by a node.
        static func filling(sessions: Int, lanes: Int) -> String {
            let isSingle = lanes == 1
            let lane = "(get_byte(uuid_send(id), 15) & \(lanes - 1))::bigint"
            return """
                INSERT INTO sessions (id, phase, settled, last_seq, opened_at, last_at, address_fp)
                SELECT \(row("n")), 'attempting', 0, 1, n, n, int8send(n) FROM generate_series(1, \(sessions)) AS n;
                INSERT INTO session_keys SELECT id, address_fp FROM sessions;
                INSERT INTO addresses SELECT address_fp, id FROM sessions;
                INSERT INTO leases SELECT id, 1, opened_at FROM sessions;
                INSERT INTO events (session, seq, position, type, at, record, prev, hash)
                SELECT id, 1, (\(lane) << 57) | opened_at, 'opened', 1, address_fp, address_fp, address_fp FROM sessions;
                UPDATE log_end SET position = ((only_row - \(isSingle ? 1 : 2)) << 57) | \(sessions);
                """
        }

        /// Returns one record each for a number of sessions under their leases, every fourth one a
        /// new session if there are some.
        private static func values(_ count: Int, opens: Bool, lanes: Int) -> String {
            func array(_ type: String, _ element: (Int, Bool) -> String) -> String {
                let elements = (0..<count).map { index in
                    let isNew = opens && index.isMultiple(of: 4)
                    return element(isNew ? 200_000 + index : 500 * index + 7, isNew)
                }
                return "ARRAY[\(elements.joined(separator: ", "))]::\(type)[]"
            }
            let ids = array("uuid") { number, _ in row("\(number)") }
            let zeros = array("bigint") { _, _ in "0" }
            let nulls = array("text") { _, _ in "NULL" }
            let fingerprints = array("bytea") { number, _ in "int8send(\(number))" }
            let places = array("bigint") { _, isNew in isNew ? "1" : "2" }
            let words = array("text") { _, _ in "'attempting'" }
            let rows = [
                ids, array("bigint") { _, isNew in isNew ? "0" : "1" }, places, words, nulls, zeros,
                zeros, zeros, nulls, nulls, nulls, zeros, fingerprints,
                array("bigint") { number, isNew in isNew ? "NULL" : "\(number)" },
                fingerprints, zeros,
            ]
            let records = [ids, places, words, zeros] + Array(repeating: fingerprints, count: 5)
            let ofLanes =
                lanes == 1
                ? ["1"]
                : [
                    array("bigint") { number, _ in
                        "(get_byte(uuid_send(\(row("\(number)"))), 15) & \(lanes - 1)) + 2"
                    },
                    array("bigint") { _, _ in "1" },
                ]
            let keys = opens ? [fingerprints] : []
            return (rows + [nulls] + records + ofLanes + keys).joined(separator: ", ")
        }

        private static let plansMade = PQStatement(
            "plans_made",
            """
            SELECT name, custom_plans, generic_plans FROM pg_prepared_statements
            WHERE name LIKE 'append%' ORDER BY name
            """
        )

        private static func session(_ number: Int) -> SessionID {
            SessionID(at: Instant(microseconds: Int64(number) * 1000), random: (1, UInt64(number)))
        }

        /// Performs work in one iteration of the loop, and returns the errors.
        private static func atOnce(
            _ range: Range<Int>,
            on loop: UVLoop,
            _ body: @escaping @Sendable (Int) async throws -> Void
        ) async -> [EventStoreError?] {
            let tasks = range.map { index in
                loop.spawn { () -> EventStoreError? in
                    do {
                        try await body(index)
                        return nil
                    } catch {
                        return error as? EventStoreError ?? .closed
                    }
                }
            }
            var outcomes: [EventStoreError?] = []
            for task in tasks { outcomes.append(await task.value) }
            return outcomes
        }

        /// Expects a number of events, at positions without gaps, and in each session in order.
        private static func expectWhole(_ database: Database, events: Int) throws {
            #expect(try database.sql("SELECT count(*) FROM events") == "\(events)")
            #expect(try database.lanesWithGaps() == "")
            #expect(
                try database.sql(
                    """
                    SELECT count(*) FROM events e JOIN events n
                    ON n.session = e.session AND n.seq = e.seq + 1 WHERE n.position <= e.position
                    """
                ) == "0"
            )
            #expect(
                try database.sql(
                    """
                    SELECT count(*) FROM sessions s WHERE last_seq
                    <> (SELECT count(*) FROM events e WHERE e.session = s.id)
                    """
                ) == "0"
            )
        }
    }
}
