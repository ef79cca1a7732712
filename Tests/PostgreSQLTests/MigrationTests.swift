import EventLog
import SwedbankPay
import Testing

@testable import Adapters

extension PostgreSQLTests {
    /// Databases that earlier builds wrote.
    @Suite(.serialized) struct MigrationTests {
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

        /// Appends wait behind an upgrade that waits for the table.
        @Test func `an upgrade gives up soon while somebody reads the table for long`()
            async throws
        {
            try await OnServer.run { place in
                let database = place.database
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try database.sql(Self.written(session, by: 10))
                let reading = Task.detached {
                    try database.sql(
                        "BEGIN; LOCK TABLE sessions IN ACCESS SHARE MODE; SELECT pg_sleep(25); COMMIT"
                    )
                }
                try await database.wait(until: Self.isSleeping)
                let failure = await place.failure(database.url(as: Cluster.owner))
                #expect(failure == .busy)
                #expect(try database.sql("SELECT \(Self.isSleeping)") == "t")
                #expect(try database.sql("SELECT version FROM payment_workflow_schema") == "10")
                try database.sql(Self.endSleep)
                _ = try? await reading.value
                let store = try await place.store()
                #expect(try await store.row(of: session) != nil)
                await store.close()
            }
        }

        /// As above, for an upgrade that waits only for those who write.
        @Test func `an upgrade gives up soon while somebody changes the table for long`()
            async throws
        {
            try await OnServer.run { place in
                let database = place.database
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try database.sql(Self.written(session, by: 11))
                let changing = Task.detached {
                    try database.sql(
                        "BEGIN; LOCK TABLE addresses IN ROW EXCLUSIVE MODE; SELECT pg_sleep(25); COMMIT"
                    )
                }
                try await database.wait(until: Self.isSleeping)
                let failure = await place.failure(database.url(as: Cluster.owner))
                #expect(failure == .busy)
                #expect(try database.sql("SELECT \(Self.isSleeping)") == "t")
                #expect(try database.sql("SELECT version FROM payment_workflow_schema") == "11")
                try database.sql(Self.endSleep)
                _ = try? await changing.value
                // One whose owner created the index beforehand is upgraded, too.
                try database.sql("CREATE INDEX addresses_session ON addresses (session)")
                let store = try await place.store()
                #expect(try await store.row(of: session) != nil)
                await store.close()
            }
        }

        private static let isSleeping = """
            EXISTS (SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep')
            """

        private static let endSleep = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep'
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
