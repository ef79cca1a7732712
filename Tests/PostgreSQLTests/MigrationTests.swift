import EventLog
import SwedbankPay
import Testing

@testable import Adapters

extension PostgreSQLTests {
    /// Databases that earlier builds wrote.
    @Suite(.serialized, .fewAtATime) struct MigrationTests {
        @Test(arguments: 1..<PostgreSQLSchema.currentVersion)
        func `a migrated database of an earlier version keeps its sessions as its own`(
            version: Int
        ) async throws {
            try await OnServer.run { place in
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try place.database.sql(Self.written(session, by: version))
                let store = try await place.store()
                let records = try await store.read(session, from: 1, limit: 9)
                #expect(records.map(\.type) == ["opened"])
                #expect(records.map(\.mac) == [nil])
                let row = try #require(try await store.row(of: session))
                #expect(row.origin == .own && row.headMAC == nil)
                #expect(try await store.wrappedKey(of: session) == [1])
                // New records are written in the form of this build.
                var append = SampleAppend.of(session, at: 2)
                append.records[0].mac = Digest256(bytes: Array(repeating: 7, count: 32))
                append.summary.headMAC = append.records[0].mac
                try await store.append(append)
                #expect(
                    try await store.read(session, from: 1, limit: 9).map { $0.mac != nil }
                        == [false, true]
                )
                #expect(try await store.row(of: session)?.headMAC != nil)
                let now = try place.database.sql("SELECT version FROM payment_workflow_schema")
                #expect(now == "\(PostgreSQLSchema.currentVersion)")
                #expect(store.lanes.count == 1)
                #expect(
                    try await store.records(after: nil, limit: 9).map(\.cursor.lanes) == [1, 1]
                )
                await store.close()
            }
        }

        @Test func `a build that knows one lane cannot append to a store with several`()
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store()
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 1))
                try await store.append(SampleAppend.of(session, at: 1))
                // How it assigns a position.
                let rows = try place.database.sql(
                    "UPDATE log_end SET position = position + 1 WHERE only_row = 1 RETURNING position"
                )
                #expect(rows == "")
                await store.close()
            }
        }

        /// Appends wait behind an upgrade that waits for the table: some upgrades wait for readers,
        /// too, others only for those who write.
        @Test(arguments: [(10, "sessions", "ACCESS SHARE"), (11, "addresses", "ROW EXCLUSIVE")])
        func `an upgrade gives up soon while somebody uses the table for long`(
            version: Int,
            table: String,
            mode: String
        ) async throws {
            try await OnServer.run { place in
                let database = place.database
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try database.sql(Self.written(session, by: version))
                async let using = database.sqlBeside(
                    "BEGIN; LOCK TABLE \(table) IN \(mode) MODE; SELECT pg_sleep(25); COMMIT"
                )
                try await database.wait(until: Self.isSleeping)
                let failure = await place.failure(database.url(as: Cluster.owner))
                #expect(failure == .busy)
                #expect(try database.sql("SELECT \(Self.isSleeping)") == "t")
                let reached = try database.sql("SELECT version FROM payment_workflow_schema")
                #expect(reached == "\(version)")
                try database.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event = 'PgSleep'
                    """
                )
                _ = try? await using
                let store = try await place.store()
                #expect(try await store.row(of: session) != nil)
                await store.close()
            }
        }

        @Test func `an upgrade keeps an index that the owner created beforehand`() async throws {
            try await OnServer.run { place in
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try place.database.sql(Self.written(session, by: 11))
                try place.database.sql(
                    "CREATE INDEX CONCURRENTLY addresses_session ON addresses (session)"
                )
                let index = "SELECT 'addresses_session'::regclass::oid"
                let before = try place.database.sql(index)
                let store = try await place.store()
                #expect(try await store.row(of: session) != nil)
                #expect(try place.database.sql(index) == before)
                await store.close()
            }
        }

        private static let isSleeping = """
            EXISTS (SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep')
            """

        /// Returns SQL that creates a database of an earlier version, with one session.
        static func written(_ session: SessionID, by version: Int) -> String {
            let zero = "decode(repeat('00', 32), 'hex')"
            return
                (PostgreSQLSchema.migrations.prefix(version).joined() + [
                    """
                    CREATE TABLE payment_workflow_schema
                        (only_row BIGINT PRIMARY KEY CHECK (only_row = 1), version BIGINT NOT NULL)
                    """,
                    "INSERT INTO payment_workflow_schema VALUES (1, \(version))",
                    """
                    INSERT INTO sessions (id, phase, settled, last_seq, opened_at, last_at)
                    VALUES ('\(session)', 'ready', 1, 1, 1, 1)
                    """,
                    """
                    INSERT INTO events (session, seq, position, type, at, record, prev, hash)
                    VALUES ('\(session)', 1, 1, 'opened', 1, decode('20', 'hex'), \(zero), \(zero))
                    """,
                    "UPDATE log_end SET position = 1",
                    "INSERT INTO session_keys VALUES ('\(session)', decode('01', 'hex'))",
                ]).joined(separator: ";\n")
        }
    }
}
