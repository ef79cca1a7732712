import EventLog
import LogFixtures
import Testing

@testable import Adapters

extension PostgreSQLTests {
    /// The sums of days beside those of hours.
    @Suite struct DaySumsTests {
        private let session = SessionID(at: Instant(microseconds: 8), random: (6, 7))

        @Test func `a time is divided into days and the hours around them`() {
            func spans(_ since: Int64?, _ until: Int64?) -> [String] {
                let hour = SumPieces.hour
                let query = SessionQuery(
                    since: since.map { Instant(microseconds: $0 * hour) },
                    until: until.map { Instant(microseconds: $0 * hour) }
                )
                return SumPieces(query).spans.map { "\($0.hours): \($0.starts)" }
            }
            #expect(spans(24, 72) == ["24: 24..<72"])
            #expect(spans(23, 73) == ["1: 23..<24", "24: 24..<72", "1: 72..<73"])
            #expect(spans(25, 71) == ["1: 25..<71"])
            #expect(spans(25, 72) == ["1: 25..<48", "24: 48..<72"])
            #expect(spans(-30, -20) == ["1: -30..<-20"])
            #expect(spans(5, 5) == ["1: 0..<0"])
            #expect(spans(nil, nil).count == 3)
        }

        private static let confirm = """
            UPDATE sessions SET facts_version = 1, phase = 'ended', outcome = 'completed',
                money = 'confirmed', marks = 0, counts_with = NULL, host = 'psp.example',
                money_since = opened_at + 1, net = 100, currency = 'SEK'
            """

        @Test func `a store with sums of hours gets those of days`() async throws {
            try await OnServer.run { place in
                try place.database.sql(MigrationTests.written(session, by: 9))
                try place.database.sql(
                    """
                    INSERT INTO sessions (id, phase, settled, last_seq, opened_at, last_at)
                    SELECT gen_random_uuid(), 'ended', 1, 1, n * 7200000000, n * 7200000000
                    FROM generate_series(1, 40) AS n
                    """
                )
                try place.database.sql(Self.confirm)
                let store = try await place.store()
                #expect(
                    try await store.sumsCheck(SessionQuery()) == SumsCheck(isComplete: true)
                )
                let sums = try await store.confirmedSums(SessionQuery())
                #expect(sums.map(\.sessions) == [41] && sums.map(\.net) == [4100])
                #expect(sums.map(\.oldest) == [session])
                let days = "SELECT count(*), sum(sessions) FROM money_sums WHERE hours = 24"
                #expect(try place.database.sql(days) == "4|41")
                await store.close()
            }
        }

        @Test func `a day that is not the sum of its hours is found`() async throws {
            try await OnServer.run { place in
                let store = try await place.store()
                try await store.append(SampleAppend.of(session, at: 1))
                try place.database.sql(Self.confirm)
                #expect(try await store.sumsCheck(SessionQuery()).hours == [])
                let changes = [
                    "money_sums SET net = net + 1", "money_sums SET since = since + 1",
                    "money_sums SET known = 0", "ended_sums SET sessions = 2",
                ]
                for change in changes {
                    try place.database.sql("UPDATE \(change) WHERE hours = 24")
                    let found = try await store.sumsCheck(SessionQuery()).hours
                    #expect(found.count == 1, "\(change)")
                    try await store.restartSums()
                    while try await store.sumRows(limit: 10) {}
                    #expect(try await store.sumsCheck(SessionQuery()).hours == [])
                }
                await store.close()
            }
        }
    }
}
