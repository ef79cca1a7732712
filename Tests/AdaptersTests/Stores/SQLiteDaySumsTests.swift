import EventLog
import Testing

@testable import Adapters

/// The sums of days beside those of hours, in a file.
@Suite struct SQLiteDaySumsTests {
    private static let count = 40

    /// Adds paid sessions with these numbers, one every two hours.
    private static func adding(_ numbers: ClosedRange<Int>) -> String {
        """
        ;WITH RECURSIVE numbers (n) AS (
            SELECT \(numbers.lowerBound) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(numbers.upperBound))
        INSERT INTO listed_sessions (id, phase, outcome, settled, last_seq, opened_at, last_at, facts_version,
            money, money_since, net, currency, host, marks)
        SELECT printf('%08x-%04x-7000-8000-%012x', n * 7200000 >> 16, n * 7200000 & 65535, n),
            'ended', 'completed', 1, 1, n * 7200000000, n * 7200000000, 1,
            'confirmed', n * 7200000000 + 1, 100, 'SEK', 'psp.example', 0
        FROM numbers
        """
    }

    @Test func `a day that is not the sum of its hours is found, and corrected`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try file.python(Self.adding(1...Self.count))
            #expect(try await store.sumsCheck(SessionQuery()).hours == [])
            let changes = [
                "UPDATE money_days SET net_low = net_low + 1", "DELETE FROM money_days",
                "UPDATE money_days SET net_high = 1", "UPDATE money_days SET since = since + 1",
                "UPDATE money_days SET known = 0", "UPDATE ended_days SET sessions = 2",
            ]
            for change in changes {
                try file.python(change)
                let hours = try await store.sumsCheck(SessionQuery()).hours.map {
                    $0.microseconds / SumPieces.hour
                }
                #expect(hours == [0, 24, 48, 72], "\(change)")
                try await store.restartSums()
                #expect(try file.python("SELECT * FROM money_days") == [])
                while try await store.sumRows(limit: 10) {}
                #expect(try await store.sumsCheck(SessionQuery()).hours == [], "\(change)")
            }
            await store.close()
        }
    }

    /// Each row that is written costs an append time.
    @Test func `only the sums that depend on what changed in a row are written`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let prepared = Self.adding(1...2) + ";UPDATE listed_sessions SET phase = 'settling'"
            try file.python(prepared)
            let changes = [
                // The row, and the hour and the day of the ended ones.
                ("phase = 'ended'", 3),
                // The row; its hour and day of money, once without it and once with it.
                ("net = 200", 5), ("host = 'other.example'", 5),
                ("reference = 'order-1'", 1), ("net = 200", 1),
                // Also the ended ones without it and with it.
                ("money = 'unknown'", 7), ("marks = 1", 5), ("turn = 'psp'", 1),
            ]
            for (change, written) in changes {
                let update =
                    "UPDATE listed_sessions SET \(change) WHERE key = 1; SELECT total_changes()"
                #expect(try file.python(update) == ["\(written)"], "\(change)")
                #expect(
                    try await store.sumsCheck(SessionQuery()) == SumsCheck(isComplete: true)
                )
            }
            await store.close()
        }
    }
}
