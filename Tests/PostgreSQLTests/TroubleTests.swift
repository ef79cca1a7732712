import Adapters
import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import Testing
import WorkflowTesting

extension PostgreSQLTests {
    /// Failures of a store: one clear error each, without a secret.
    @Suite(.serialized, .fewAtATime) struct TroubleTests {
        @Test func `a wrong password is refused and does not appear in the error`() async throws {
            try await OnServer.run { place in
                let cluster = place.database.cluster
                let failure = await place.failure(
                    "postgres://locked:hunter2@127.0.0.1:\(cluster.port)/\(place.database.name)"
                )
                guard case .denied(let reason)? = failure else {
                    return #expect(failure == .denied(reason: ""))
                }
                #expect(reason.contains("password authentication failed for user \"locked\""))
                #expect(!reason.contains("hunter2"))
            }
        }

        @Test func `a missing password is refused with store.denied`() async throws {
            try await OnServer.run { place in
                let cluster = place.database.cluster
                let failure = await place.failure(
                    "postgres://locked@127.0.0.1:\(cluster.port)/\(place.database.name)?passfile=/dev/null"
                )
                #expect(failure?.code == "store.denied")
            }
        }

        @Test
        func `a role without rights is refused with store.missing-right, which names the table`()
            async throws
        {
            try await OnServer.run { place in
                await (try place.store()).close()
                try place.database.sql(
                    """
                    DO $$ BEGIN CREATE ROLE nobody_special LOGIN;
                    EXCEPTION WHEN duplicate_object THEN NULL; END $$
                    """
                )
                let failure = await place.failure(place.database.url(as: "nobody_special"))
                #expect(failure?.code == "store.missing-right")
                #expect(failure?.description.contains("permission denied for table ") == true)
            }
        }

        @Test(arguments: ["sessions", "addresses", "checkpoints", "nodes"])
        func `a database with another program's tables is refused and left unchanged`(
            table: String
        ) async throws {
            try await OnServer.run { place in
                try place.database.sql("CREATE TABLE \(table) (user_agent TEXT)")
                let failure = await place.failure(place.database.url())
                #expect(failure?.code == "store.foreign")
                #expect(failure?.description.contains(table) == true)
                let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
                #expect(try place.database.sql(tables) == "1")
            }
        }

        @Test func `a store with a newer schema is refused and left unchanged`() async throws {
            try await OnServer.run { place in
                await (try place.store()).close()
                try place.database.sql("UPDATE payment_workflow_schema SET version = 999")
                let columns = """
                    SELECT (SELECT version FROM payment_workflow_schema), count(*),
                        md5(string_agg(table_name || '.' || column_name || ' ' || data_type, ','
                            ORDER BY table_name, column_name))
                    FROM information_schema.columns WHERE table_schema = 'public'
                    """
                let before = try place.database.sql(columns)
                let failure = await place.failure(place.database.url())
                let supported = PostgreSQLEventStore.schemaVersion
                #expect(failure == .newerSchema(found: 999, supported: supported))
                #expect(before.hasPrefix("999|"))
                #expect(try place.database.sql(columns) == before)
            }
        }

        @Test(arguments: ["TABLE events", "TABLE leases", "SEQUENCE lease_tokens"])
        func `a store that lacks a table or sequence is corrupt, and the error names it`(
            part: String
        ) async throws {
            try await OnServer.run { place in
                await (try place.store()).close()
                try place.database.sql("DROP \(part)")
                let access: [StoreAccess] = [.readOnly, .existing, .createIfMissing]
                for access in access {
                    let failure = await place.failure(
                        place.database.url(),
                        PostgreSQLOptions(access: access)
                    )
                    guard case .corrupt(_, _, let reason)? = failure else {
                        Issue.record("\(String(describing: failure))")
                        continue
                    }
                    #expect(reason.contains(part.split(separator: " ")[1]))
                }
            }
        }

        @Test func `an empty database is not a store unless its tables may be created`()
            async throws
        {
            try await OnServer.run { place in
                for access in [StoreAccess.readOnly, .existing] {
                    let failure = await place.failure(
                        place.database.url(),
                        PostgreSQLOptions(access: access)
                    )
                    #expect(failure == .noTables)
                    #expect(failure?.isTransient == false)
                }
            }
        }

        @Test func `a read-only server is refused with store.standby, except for reading`()
            async throws
        {
            try await OnServer.run { place in
                await (try place.store()).close()
                try place.database.sql(
                    "ALTER DATABASE \(place.database.name) SET default_transaction_read_only = on"
                )
                let failure = await place.failure(place.database.url())
                #expect(failure?.code == "store.standby")
                #expect(failure?.description.contains("the server is read-only") == true)
                #expect(failure?.isTransient == true)
                let reading = PostgreSQLOptions(access: .readOnly)
                #expect(await place.failure(place.database.url(), reading) == nil)
            }
        }

        @Test func `an exceeded connection limit is reported as store.crowded`() async throws {
            try await OnServer.run { place in
                await (try place.store()).close()
                try place.database.sql(
                    """
                    CREATE ROLE limited_\(place.database.name) LOGIN CONNECTION LIMIT 0
                    """
                )
                let failure = await place.failure(
                    place.database.url(as: "limited_\(place.database.name)")
                )
                #expect(failure?.code == "store.crowded")
                #expect(failure?.isTransient == true)
            }
        }

        @Test func `a statement that the server cancels is store.timeout, and writes nothing`()
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store(PostgreSQLOptions(statementTimeout: .seconds(1)))
                let session = SessionID(at: Instant(microseconds: 5), random: (5, 6))
                try await store.append(SampleAppend.of(session, at: 1))
                try place.database.sql(
                    """
                    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        PERFORM pg_sleep(20);
                        RETURN NEW;
                    END $$;
                    CREATE TRIGGER slow BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION slow();
                    """
                )
                let failure = await #expect(throws: EventStoreError.self) {
                    try await store.append(SampleAppend.of(session, at: 2))
                }
                #expect(failure == .timedOut)
                #expect(failure?.code == "store.timeout" && failure?.isTransient == true)
                try place.database.sql("DROP TRIGGER slow ON events")
                #expect(try await store.head(of: session)?.sequence == 1)
                try await store.append(SampleAppend.of(session, at: 2))
                await store.close()
            }
        }

        @Test func `a check of whole tables may run longer than other statements, not wait longer`()
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store(
                    PostgreSQLOptions(statementTimeout: .seconds(1), readers: 1)
                )
                let session = SessionID(at: Instant(microseconds: 5), random: (5, 6))
                try await store.append(SampleAppend.of(session, at: 1))
                // The check reads the first table, and a look-up the second.
                try place.database.sql(
                    """
                    ALTER TABLE addresses RENAME TO slow_addresses;
                    CREATE VIEW addresses AS
                        SELECT * FROM slow_addresses WHERE (SELECT pg_sleep(2)) IS NOT NULL;
                    ALTER TABLE session_keys RENAME TO slow_keys;
                    CREATE VIEW session_keys AS
                        SELECT * FROM slow_keys WHERE (SELECT pg_sleep(2)) IS NOT NULL;
                    """
                )
                #expect(try await store.structuralFaults() == [])
                // The limit is that of other statements again.
                let usual = await #expect(throws: EventStoreError.self) {
                    try await store.wrappedKey(of: session)
                }
                #expect(usual == .timedOut)
                async let holding = place.database.sqlBeside(
                    "BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(4)"
                )
                try await place.database.wait(
                    until: """
                        EXISTS (SELECT 1 FROM pg_locks
                            WHERE granted AND mode = 'AccessExclusiveLock' AND relation = 'events'::regclass
                            AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
                        """
                )
                let waiting = await #expect(throws: EventStoreError.self) {
                    try await store.structuralFaults()
                }
                #expect(waiting == .busy)
                _ = try await holding
                await store.close()
            }
        }

        @Test func `the server ends a check of whole tables when nobody waits for it any more`()
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store()
                try place.database.sql(
                    """
                    ALTER TABLE addresses RENAME TO slow_addresses;
                    CREATE VIEW addresses AS
                        SELECT * FROM slow_addresses WHERE (SELECT pg_sleep(600)) IS NOT NULL;
                    """
                )
                let isRunning = """
                    EXISTS (SELECT 1 FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event = 'PgSleep')
                    """
                async let check = try? store.structuralFaults()
                try await place.database.wait(until: isRunning)
                await store.close()
                #expect(await check == nil)
                try await place.database.wait(until: "NOT " + isRunning)
            }
        }

        @Test func `a missing database and an unreachable server are different errors`()
            async throws
        {
            try await OnServer.run { place in
                let cluster = place.database.cluster
                let noBase = await place.failure(
                    "postgres://payments@/nothing_here?host=\(cluster.folder)&port=\(cluster.port)"
                )
                #expect(noBase?.code == "store.no-database" && noBase?.isTransient == false)
                #expect(noBase?.description.contains("\"nothing_here\" does not exist") == true)
                let noServer = await place.failure("postgres://payments:pw@127.0.0.1:1/base")
                #expect(noServer?.code == "store.unavailable")
                #expect(noServer?.description.contains("Connection refused; Is the") == true)
                #expect(noServer?.description.contains("pw@") == false)
            }
        }

        @Test(arguments: [
            "postgres://user:hunter2@host:port/base", "postgres://user:hunter2@host/base?sslmod=x",
            "postgres://user:hunter2@a,b:1,c:2,d/base%ZZ", "host=a hunter2",
            "postgres://user:hunter2@host/base?connect_timeout=soon",
            "postgres://user:hunter2@host/base?sslmode=verify_full",
            "postgres://user:hunter2@host/base?channel_binding=hunter2",
            "postgres://user:hunter2@a,b/base?target_session_attrs=readwrite",
        ])
        func `the error about a malformed connection string does not show its password`(
            text: String
        ) async throws {
            let fault = try #require(PostgreSQLEventStore.fault(inURL: text))
            #expect(!fault.contains("hunter2"))
            try await OnServer.run { place in
                let failure = await place.failure(text)
                #expect(failure?.code == "store.unavailable")
                #expect(failure?.description.contains("hunter2") == false)
            }
        }
    }
}

/// Appends of sample records.
enum SampleAppend {
    /// The first append of a session, whose record becomes smaller by compression.
    static func compressible(_ session: SessionID) throws -> StreamAppend {
        var append = of(session, at: 1)
        let record = append.records[0]
        append.records = [
            StoredRecord(
                stream: session,
                sequence: 1,
                type: record.type,
                at: record.at,
                canonical: try GoldenLogs.records()[3],
                previous: .zero,
                hash: .zero,
                seals: []
            )
        ]
        return append
    }

    static func of(
        _ session: SessionID,
        at sequence: SequenceNumber,
        isUnderLease: Bool = false,
        _ change: (inout SessionSummary) -> Void = { _ in }
    ) -> StreamAppend {
        var summary = SessionSummary(
            session: session,
            phase: "opening",
            isSettled: false,
            lastSequence: sequence,
            openedAt: Instant(microseconds: 1),
            lastAt: Instant(microseconds: sequence.rawValue)
        )
        change(&summary)
        let record = StoredRecord(
            stream: session,
            sequence: sequence,
            type: "fetched",
            at: Instant(microseconds: sequence.rawValue),
            canonical: Array("\(session) \(sequence)".utf8),
            previous: .zero,
            hash: .zero,
            seals: []
        )
        return StreamAppend(
            stream: session,
            expectedVersion: sequence - 1,
            records: [record],
            summary: summary,
            wrappedKey: sequence == 1 ? [1, 2, 3] : nil,
            isUnderLease: isUnderLease
        )
    }
}
