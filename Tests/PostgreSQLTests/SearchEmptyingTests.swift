import EventLog
import Foundation
import Testing

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    /// A search index is emptied in many transactions, beside erasures and other processes.
    @Suite(.serialized, .fewAtATime) struct SearchEmptyingTests {
        private static let perRemoval = PostgreSQLEventStore.termsPerRemoval
        private static let many = SessionID(at: Instant(microseconds: 1000), random: (1, 1))
        private static let few = SessionID(at: Instant(microseconds: 2000), random: (1, 2))
        /// Whether a statement is held up by a trigger.
        private static let isAsleep = """
            EXISTS (SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep')
            """

        /// Fills an index with terms of one session, and one, in the last place, of another.
        private static func fill(_ store: PostgreSQLEventStore, terms: Int) async throws {
            for session in [many, few] { try await store.append(SampleAppend.of(session, at: 1)) }
            try await store.restartSearch("one")
            try await store.addTerms(
                [many: Set((1..<terms).map { "t\($0)" }), few: ["u"]],
                erased: [],
                upTo: SearchProgress(mark: "one", cursor: nil)
            )
        }

        private static func count(in place: Place, _ condition: String = "true") throws -> Int? {
            Int(try place.database.sql("SELECT count(*) FROM search_terms WHERE \(condition)"))
        }

        /// Has the server run something before each row that is deleted from a table.
        private static func before(
            deletingFrom table: String,
            _ statements: String,
            in place: Place
        ) throws {
            try place.database.sql(
                """
                CREATE SEQUENCE deleted;
                CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $body$
                BEGIN
                    \(statements)
                    RETURN OLD;
                END
                $body$;
                CREATE TRIGGER watch BEFORE DELETE ON \(table)
                    FOR EACH ROW EXECUTE FUNCTION watch();
                """
            )
        }

        /// Emptying takes longer than an erasure waits for a lock.
        @Test func `a session is erased while a large index is emptied`() async throws {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                try await Self.fill(store, terms: 5 * Self.perRemoval)
                try Self.before(
                    deletingFrom: "search_terms",
                    """
                    IF nextval('deleted') % (\(Self.perRemoval) / 10) = 0 THEN
                        PERFORM pg_sleep(0.1);
                    END IF;
                    """,
                    in: place
                )
                let eraser = try await place.store(
                    PostgreSQLOptions(statementTimeout: .seconds(3))
                )
                async let emptied: Void = store.restartSearch("two")
                try await place.database.wait(until: Self.isAsleep)
                let destroyed = try await eraser.destroyKeys(of: [Self.few])
                #expect(destroyed.sessions == [Self.few])
                #expect(try await eraser.searchProgress() == nil)
                #expect(try Self.count(in: place, "term = 'u'") == 0)
                #expect(try Self.count(in: place) != 0)
                try await emptied
                #expect(try Self.count(in: place) == 0)
                let progress = SearchProgress(mark: "two", cursor: nil)
                #expect(try await store.searchProgress() == progress)
                await eraser.close()
                await store.close()
            }
        }

        @Test
        func `an emptying that was interrupted is finished, and nobody adds terms until then`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                try await Self.fill(store, terms: 2 * Self.perRemoval + 1)
                try Self.before(
                    deletingFrom: "search_terms",
                    """
                    IF nextval('deleted') > \(Self.perRemoval) THEN RAISE 'interrupted'; END IF;
                    """,
                    in: place
                )
                await #expect(throws: EventStoreError.self) { try await store.restartSearch("two") }
                try place.database.sql("DROP TRIGGER watch ON search_terms")
                let left = Self.perRemoval + 1
                #expect(try Self.count(in: place) == left)
                #expect(try await store.searchProgress() == nil)
                for mark in ["one", "two"] {
                    try await store.addTerms(
                        [Self.many: ["tlate"]],
                        erased: [Self.few],
                        upTo: SearchProgress(mark: mark, cursor: nil)
                    )
                }
                #expect(try Self.count(in: place) == left)
                let vault = try MasterKeyVault(masterKey: [UInt8](1...32))
                try await SearchIndex.restart(store, for: vault)
                #expect(try Self.count(in: place) == 0)
                #expect(try await store.searchProgress() != nil)
                await store.close()
            }
        }

        @Test
        func `a process that was overtaken while it emptied an index leaves the new one alone`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                try await Self.fill(store, terms: 2 * Self.perRemoval + 1)
                try Self.before(
                    deletingFrom: "search_terms",
                    "UPDATE search_progress SET mark = 'other' WHERE mark <> 'other';",
                    in: place
                )
                try await store.restartSearch("two")
                #expect(try await store.searchProgress()?.mark == "other")
                #expect(try Self.count(in: place) == Self.perRemoval + 1)
                await store.close()
            }
        }

        @Test func `two processes that empty an index at the same time leave one new index`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                let other = try await place.store()
                try await Self.fill(store, terms: 4 * Self.perRemoval)
                async let first: Void = store.restartSearch("two")
                async let second: Void = other.restartSearch("three")
                try await first
                try await second
                #expect(try Self.count(in: place) == 0)
                let mark = try await store.searchProgress()?.mark
                #expect(mark == "two" || mark == "three")
                await other.close()
                await store.close()
            }
        }

        @Test func `an index that is begun during the first erasure gets no terms of the session`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                try await store.append(SampleAppend.of(Self.few, at: 1))
                try Self.before(
                    deletingFrom: "session_keys",
                    "PERFORM pg_sleep(2);",
                    in: place
                )
                let eraser = try await place.store()
                async let destroyed = eraser.destroyKeys(of: [Self.few])
                try await place.database.wait(until: Self.isAsleep)
                #expect(try await store.searchProgress() == nil)
                try await store.restartSearch("one")
                try await store.addTerms(
                    [Self.few: ["bAA"]],
                    erased: [],
                    upTo: SearchProgress(mark: "one", cursor: nil)
                )
                let erased = try await destroyed
                #expect(erased.sessions == [Self.few])
                #expect(try Self.count(in: place) == 0)
                await eraser.close()
                await store.close()
            }
        }
    }
}
