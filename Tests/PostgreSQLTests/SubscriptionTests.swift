import Adapters
import EventLog
import Foundation
import SwedbankPay
import Testing

extension PostgreSQLTests {
    /// Subscribers of the store miss nothing, even when transactions are slow, killed or rolled
    /// back.
    @Suite(.serialized) struct SubscriptionTests {
        private func session(_ number: UInt64) -> SessionID {
            SessionID(at: Instant(microseconds: 9), random: (number, number))
        }

        /// An append, by hand and slowly: it takes the next position and keeps its transaction
        /// open.
        private static let slowAppend = """
            WITH moved AS (UPDATE log_end SET position = position + 1 RETURNING position)
            INSERT INTO events (session, seq, position, type, at, record, prev, hash)
            SELECT '0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f', 1, position, 'opened', 1, 'x',
                decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex') FROM moved
            """

        @Test func `a record becomes visible only after those of slower, earlier transactions`()
            async throws
        {
            try await OnServer.run { place in
                let (store, reader) = (try await place.store(), try await place.store())
                try await store.append(SampleAppend.of(session(1), at: 1))
                let slow = try SlowTransaction(place.database, Self.slowAppend)
                async let later: Void = store.append(SampleAppend.of(session(2), at: 1))
                try await place.loop.sleep(for: .milliseconds(300))
                // The later append must not be visible yet: an earlier position is undecided.
                let during = try await reader.records(after: nil, limit: 10)
                #expect(during.map(\.position) == [1])
                slow.commit()
                try await later
                let after = try await reader.records(after: during.last?.cursor, limit: 10)
                #expect(after.map(\.position) == [2, 3])
                #expect(after.last?.record.stream == session(2))
                await store.close()
                await reader.close()
            }
        }

        @Test(arguments: [true, false])
        func `a transaction that is rolled back or killed leaves no gap in the log`(
            isKilled: Bool
        ) async throws {
            try await OnServer.run { place in
                let (store, reader) = (try await place.store(), try await place.store())
                try await store.append(SampleAppend.of(session(1), at: 1))
                let slow = try SlowTransaction(place.database, Self.slowAppend)
                async let later: Void = store.append(SampleAppend.of(session(2), at: 1))
                try await place.loop.sleep(for: .milliseconds(100))
                if isKilled {
                    try place.database.sql(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = '\(place.database.name)' AND application_name = 'psql'
                            AND pid <> pg_backend_pid()
                        """
                    )
                } else {
                    slow.rollBack()
                }
                try await later
                let all = try await reader.records(after: nil, limit: 10)
                #expect(all.map(\.position) == [1, 2])
                #expect(all.map(\.record.stream) == [session(1), session(2)])
                await store.close()
                await reader.close()
            }
        }
    }
}
