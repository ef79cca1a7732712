import EventLog
import LogFixtures
import Testing

@testable import Adapters
@testable import EventStores

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
                money_since = opened_at + 1, net = 100, currency = 'SEK', label = 'swish'
            """

        @Test
        func `a sum of a day or an hour that is not that of its rows is found, and corrected`()
            async throws
        {
            try await OnServer.run { place in
                let store = try await place.store()
                try await store.append(SampleAppend.of(session, at: 1))
                #expect(try await store.project(limit: 9))
                try place.database.sql(Self.confirm)
                func recount() async throws {
                    let day = try await store.recountSums(after: nil)
                    #expect(day == Instant(microseconds: 0))
                    #expect(try await store.recountSums(after: day) == nil)
                    #expect(try await store.sumFaults(SessionQuery()) == [])
                }
                #expect(try await store.sumFaults(SessionQuery()).count == 1)
                try await recount()
                let sums =
                    "SELECT span, name, key, sessions, known, high, low, since FROM listed_sums"
                let counted = try place.database.sql(sums + " ORDER BY span, name")
                #expect(
                    counted.split(separator: "\n") == [
                        #"day|ended.1|["completed", "swish", "confirmed", 0]|1|0|0|0|"#,
                        #"day|money.1|["psp.example", "SEK"]|1|1|0|100|2"#,
                        #"hour|ended.1|["completed", "swish", "confirmed", 0]|1|0|0|0|"#,
                        #"hour|money.1|["psp.example", "SEK"]|1|1|0|100|2"#,
                    ],
                    "\(counted)"
                )
                let changes = [
                    "low = low + 1 WHERE name = 'money.1'",
                    "since = since + 1 WHERE name = 'money.1'",
                    "since = NULL WHERE name = 'money.1'", "known = 0 WHERE name = 'money.1'",
                    "sessions = 2 WHERE name = 'ended.1'",
                ]
                for span in SumLength.allCases {
                    for change in changes {
                        try place.database.sql(
                            "UPDATE listed_sums SET \(change) AND span = '\(span)'"
                        )
                        let found = try await store.sumFaults(SessionQuery())
                        #expect(found == [Instant(microseconds: 0)], "\(span) \(change)")
                        try await recount()
                    }
                }
                await store.close()
            }
        }
    }
}
