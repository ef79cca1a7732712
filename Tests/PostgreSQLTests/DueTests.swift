import EventLog
import Foundation
import SwedbankPay
internal import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    /// Due sessions are found without reading the others.
    @Suite(.serialized, .fewAtATime) struct DueTests {
        /// Sessions that wait for something: a million, or as many as are enough to find out
        /// whether all of them are read.
        private static let parked = Tier.isThorough ? 1_000_000 : 100_000
        /// The number of due sessions.
        private static let due = 10_000
        /// How many of the due ones another node holds.
        private static let held = 500
        private static let batch = 64

        @Test(.tags(.repeatedThoroughly))
        func `due sessions among a million waiting ones are found by index, in batches`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                try Self.park(in: place.database)
                let now = Int64(1_000_000 + Self.due)
                // Plans for the values, and generic plans.
                for mode in ["force_custom_plan", "force_generic_plan"] {
                    let plan = try Plan.of(
                        PostgreSQLEventStore.due,
                        "\(now), \(Self.batch), 0",
                        mode: mode,
                        in: place.database
                    )
                    plan.expectIndex("sessions_due", rows: Self.held + Self.batch)
                    let none = try Plan.of(
                        PostgreSQLEventStore.due,
                        "1000, \(Self.batch), 0",
                        mode: mode,
                        in: place.database
                    )
                    none.expectIndex("sessions_due", rows: 0)
                    let waiting = try Plan.of(
                        PostgreSQLSharingStatements.waiting,
                        "\(now)",
                        mode: mode,
                        in: place.database
                    )
                    waiting.expectIndex(
                        "sessions_due",
                        rows: Self.held + PostgreSQLSharingStatements.waitingLimit
                    )
                }
                var found: [SessionID] = []
                var times: [Duration] = []
                for _ in 0..<20 {
                    let start = ContinuousClock.now
                    found = try await store.sessionsDue(
                        by: Instant(microseconds: now),
                        limit: Self.batch
                    )
                    times.append(ContinuousClock.now - start)
                }
                times.sort()
                print("\(found.count) of \(Self.parked): median \(times[10]), worst \(times[19])")
                let first = Self.held + 1
                #expect(
                    found == (first..<first + Self.batch).map(Self.session),
                    "the longest overdue first, without what another node holds"
                )
                await store.close()
            }
        }

        private static func session(_ number: Int) -> SessionID {
            let digits = String(number, radix: 16)
            let padded = String(repeating: "0", count: 12 - digits.count) + digits
            return SessionID("0192f0c1-7c1e-7000-8000-\(padded)") ?? SessionID.nobody
        }

        private static func park(in database: Database) throws {
            try database.sql(
                """
                INSERT INTO sessions (id, phase, settled, last_seq, opened_at, last_at, due_at)
                SELECT ('0192f0c1-7c1e-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                    'awaitingPSP', 0, 12, n, n, 1000000 + n
                FROM generate_series(1, \(parked)) AS n;
                INSERT INTO nodes VALUES (1, 'busy', 1, 9000000000000000, 1);
                INSERT INTO leases SELECT id, 1, nextval('lease_tokens') FROM sessions
                WHERE due_at <= 1000000 + \(held) OR due_at > 1000000 + \(parked - 20_000);
                """
            )
            try database.sql("ANALYZE")
        }
    }
}

extension SessionID {
    fileprivate static let nobody = SessionID(at: Instant(microseconds: 0), random: (0, 0))
}
