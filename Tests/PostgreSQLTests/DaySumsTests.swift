import EventLog
import LogFixtures
import Testing

@testable import Adapters

extension PostgreSQLTests {
    /// The sums of days beside those of hours.
    @Suite(.serialized, .fewAtATime) struct DaySumsTests {
        private let session = SessionID(at: Instant(microseconds: 8), random: (6, 7))

        @Test func `a time is divided into days and the hours around them`() {
            func spans(_ since: Int64?, _ until: Int64?) -> [String] {
                let hour = SumPieces.hour
                let query = SessionQuery(
                    since: since.map { Instant(microseconds: $0 * hour) },
                    until: until.map { Instant(microseconds: $0 * hour) }
                )
                return SumPieces(query).spans.map { "\($0.length) \($0.numbers)" }
            }
            #expect(spans(24, 72) == ["day 1..<3"])
            #expect(spans(23, 73) == ["hour 23..<24", "day 1..<3", "hour 72..<73"])
            #expect(spans(25, 71) == ["hour 25..<71"])
            #expect(spans(25, 72) == ["hour 25..<48", "day 2..<3"])
            #expect(spans(-30, -20) == ["hour -30..<-20"])
            #expect(spans(-50, 49) == ["hour -50..<-48", "day -2..<2", "hour 48..<49"])
            #expect(spans(5, 5) == ["hour 0..<0"])
            #expect(spans(nil, 48).last == "day \(Int64.min / SumPieces.hour / 24)..<2")
            #expect(spans(24, nil).first == "day 1..<\(Int64.max / SumPieces.hour / 24)")
        }

        private static let confirm = """
            UPDATE listed_sessions SET facts_version = 1, phase = 'ended', outcome = 'completed',
                money = 'confirmed', marks = 0, counts_with = NULL, host = 'psp.example',
                money_since = opened_at + 1, net = 100, currency = 'SEK'
            """

        @Test func `days follow hours that somebody writes again`() async throws {
            try await OnServer.run { place in
                let store = try await place.store()
                for number in 1...3 {
                    let other = SessionID(at: Instant(microseconds: 8), random: (6, UInt64(number)))
                    try await store.append(SampleAppend.of(other, at: 1))
                }
                #expect(try await store.project(limit: 9))
                try place.database.sql(Self.confirm)
                try place.database.sql(
                    """
                    CREATE TABLE hours AS TABLE money_sums;
                    CREATE TABLE ended_hours AS TABLE ended_sums;
                    DELETE FROM money_sums; DELETE FROM ended_sums
                    """
                )
                let sums = "SELECT sum(sessions), sum(net) FROM money_days"
                #expect(try place.database.sql(sums) == "0|0")
                try place.database.sql(
                    """
                    INSERT INTO money_sums TABLE hours; INSERT INTO ended_sums TABLE ended_hours
                    """
                )
                #expect(try place.database.sql(sums) == "3|300")
                #expect(
                    try await store.sumsCheck(SessionQuery()) == SumsCheck(isComplete: true)
                )
                await store.close()
            }
        }

        @Test func `a day that is not the sum of its hours is found`() async throws {
            try await OnServer.run { place in
                let store = try await place.store()
                try await store.append(SampleAppend.of(session, at: 1))
                #expect(try await store.project(limit: 9))
                try place.database.sql(Self.confirm)
                #expect(try await store.sumsCheck(SessionQuery()).hours == [])
                let changes = [
                    "money_days SET net = net + 1", "money_days SET since = since + 1",
                    "money_days SET known = 0", "ended_days SET sessions = 2",
                ]
                for change in changes {
                    try place.database.sql("UPDATE \(change)")
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
