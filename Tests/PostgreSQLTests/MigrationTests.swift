import EventLog
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    /// How a database gets from one schema version to the next, shown with versions of these tests'
    /// own: there is one so far.
    @Suite(.serialized, .fewAtATime) struct MigrationTests {
        private static let steps = [
            ["CREATE TABLE seats (number BIGINT PRIMARY KEY)", "INSERT INTO seats VALUES (7)"],
            ["ALTER TABLE seats ADD COLUMN place TEXT NOT NULL DEFAULT 'A'"],
            ["CREATE INDEX seats_place ON seats (place)", "UPDATE seats SET place = place || 'B'"],
        ]
        private static let version = "SELECT version FROM payment_workflow_schema"

        private func migrate(_ place: Place, by steps: [[String]]) async throws {
            let lanes = try #require(PostgreSQLLanes(1))
            let connection = try await PQConnection.open(
                try PQTarget(place.database.url()),
                on: place.loop,
                writes: true,
                options: PostgreSQLOptions()
            )
            do {
                try await PostgreSQLSchema.make(connection)
                try await PostgreSQLSchema.migrate(connection, lanes, by: steps)
            } catch {
                await connection.close()
                throw error
            }
            await connection.close()
        }

        @Test(arguments: 1...3)
        func `a database of each version is brought to the newest, once, by several at a time`(
            known: Int
        ) async throws {
            try await OnServer.run { place in
                try await migrate(place, by: Array(Self.steps.prefix(known)))
                #expect(try place.database.sql(Self.version) == "\(known)")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 1...4 {
                        group.addTask { try await migrate(place, by: Self.steps) }
                    }
                    try await group.waitForAll()
                }
                #expect(try place.database.sql(Self.version) == "3")
                #expect(try place.database.sql("SELECT number, place FROM seats") == "7|AB")
            }
        }

        @Test func `a step that fails leaves the version before it, which a later build continues`()
            async throws
        {
            try await OnServer.run { place in
                let broken = [Self.steps[0], Self.steps[1] + ["INSERT INTO nowhere VALUES (1)"]]
                await #expect(throws: PQFailure.self) { try await migrate(place, by: broken) }
                #expect(try place.database.sql(Self.version) == "1")
                #expect(try place.database.sql("SELECT * FROM seats") == "7")
                try await migrate(place, by: Self.steps)
                #expect(try place.database.sql("SELECT number, place FROM seats") == "7|AB")
            }
        }

        @Test func `a store of schema 1 is opened as it is, and one of a newer schema is refused`()
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store()
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try await store.append(SampleAppend.of(session, at: 1))
                await store.close()
                #expect(try place.database.sql(Self.version) == "1")
                let again = try await place.store()
                #expect(try await again.head(of: session)?.sequence == 1)
                await again.close()
                try place.database.sql("UPDATE payment_workflow_schema SET version = 13")
                #expect(
                    await place.failure(place.database.url(as: Cluster.owner))
                        == .newerSchema(found: 13, supported: 1)
                )
            }
        }
    }
}
