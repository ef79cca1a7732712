import Adapters
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import EventLog

extension PostgreSQLTests {
    /// Subscribers of the store miss nothing, even when transactions are slow, killed or rolled
    /// back.
    @Suite(.guarantee(.feedComplete), .serialized, .fewAtATime) struct SubscriptionTests {
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
            try await OnServer.run(lanes: 1) { place in
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
            try await OnServer.run(lanes: 1) { place in
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

        /// The same in a store with eight lanes: its session is in the last one.
        private static let slowAppendToLane = slowAppend.replacing(
            "position = position + 1 ",
            with: "position = position + 1 WHERE only_row = 9 "
        )

        @Test(.feature("S-22"))
        func `a slow append delays the records of its lane only, and none of them is skipped`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let (store, reader) = (try await place.store(), try await place.store())
                try await store.append(SampleAppend.of(session(7), at: 1))
                let slow = try SlowTransaction(place.database, Self.slowAppendToLane)
                async let later: Void = store.append(SampleAppend.of(session(15), at: 1))
                try await place.loop.sleep(for: .milliseconds(300))
                // Another node's appends to other lanes are acknowledged and seen.
                let other = try await place.store()
                for number in UInt64(1)...3 {
                    try await other.append(SampleAppend.of(session(number), at: 1))
                }
                let during = try await reader.records(after: nil, limit: 10)
                #expect(Set(during.map(\.record.stream)) == Set([1, 2, 3, 7].map { session($0) }))
                slow.commit()
                try await later
                // The undecided position was not skipped.
                let after = try await reader.records(after: during.last?.cursor, limit: 10)
                #expect(after.map(\.record.type) == ["opened", "fetched"])
                #expect(after.map(\.cursor.lane) == [7, 7])
                #expect(after.last?.record.stream == session(15))
                #expect(after.last?.cursor.distance(from: nil) == 6)
                for store in [store, reader, other] { await store.close() }
            }
        }

        @Test(.feature("S-23"))
        func `a subscriber notices a restored record in any lane, not only in the last one`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                for number in UInt64(1)...3 {
                    try await store.append(SampleAppend.of(session(number), at: 1))
                    try await store.append(SampleAppend.of(session(number), at: 2))
                }
                var follower = LogFollower()
                guard case .records(let seen) = try await follower.next(in: store, limit: 9) else {
                    return #expect(Bool(false), "the records are missing")
                }
                follower.advance(through: seen)
                #expect(seen.count == 6 && seen.last?.record.stream == session(3))
                let cursor = try #require(follower.cursor)
                let saved = try #require(LogCursor("\(cursor)"))
                #expect(try await LogFollower.find(saved, in: store) == follower)
                // Another lane than that of the last record goes back to an earlier state.
                try place.database.sql(
                    """
                    DELETE FROM events WHERE session = '\(session(1))' AND seq = 2;
                    UPDATE sessions SET last_seq = 1 WHERE id = '\(session(1))';
                    UPDATE log_end SET position = position - 1 WHERE only_row = 3
                    """
                )
                guard case .missing = try await follower.next(in: store, limit: 9) else {
                    return #expect(Bool(false), "a lane ends before what was read")
                }
                await #expect(throws: EventStoreError.cursorRefused(.beyondEnd)) {
                    _ = try await store.records(after: saved, limit: 9)
                }
                // It grows with the record of another session.
                var append = SampleAppend.of(session(9), at: 1)
                append.records[0].hash = Digest256(bytes: Array(repeating: 7, count: 32)) ?? .zero
                try await store.append(append)
                guard case .otherRecord = try await follower.next(in: store, limit: 9) else {
                    return #expect(Bool(false), "there is another record in its place")
                }
                let now = try await LogFollower.find(saved, in: store)
                #expect(now != nil && now?.digest != follower.digest)
                await store.close()
            }
        }
    }
}
