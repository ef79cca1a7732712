import EventLog
import Testing

@testable import Adapters

extension PostgreSQLTests {
    /// What keeps the sums when rows change, compared with the rows.
    @Suite(.serialized, .fewAtATime) struct SumTriggerTests {
        /// Gives a row values of the columns on which sums depend, chosen by chance.
        private static let anything = """
            facts_version = (ARRAY[NULL, 0, 1, 1, 1, 1])[1 + floor(random() * 6)],
                phase = (ARRAY['ready', 'ended', 'ended'])[1 + floor(random() * 3)],
                outcome = (ARRAY[NULL, 'completed', 'failed'])[1 + floor(random() * 3)],
                instrument = (ARRAY[NULL, 'swish', 'card'])[1 + floor(random() * 3)],
                money = (ARRAY[NULL, 'none', 'confirmed', 'confirmed', 'confirmed'])[1 + floor(random() * 5)],
                marks = (ARRAY[NULL, 0, 0, 0, 1, 2])[1 + floor(random() * 6)],
                counts_with = CASE WHEN random() < 0.1 THEN id END,
                host = (ARRAY[NULL, 'a.example', 'b.example', 'b.example'])[1 + floor(random() * 4)],
                money_since = CASE WHEN random() < 0.9 THEN opened_at + 1 END,
                net = CASE WHEN random() < 0.8 THEN floor(random() * 100) END,
                currency = (ARRAY[NULL, 'SEK', 'EUR'])[1 + floor(random() * 3)]
            """
        private static let insert = """
            INSERT INTO listed_sessions (id, phase, settled, last_seq, opened_at, last_at)
            SELECT gen_random_uuid(), 'ready', 1, 1, n % 5 * 7200000000, 1
            FROM generate_series(1, 2000) AS n
            """

        @Test(arguments: [1, 8])
        func `sums follow whatever changes`(lanes: Int) async throws {
            try await OnServer.run(lanes: lanes) { place in
                let store = try await place.store()
                try place.database.sql(Self.insert)
                for round in 1...4 {
                    try place.database.sql("UPDATE listed_sessions SET \(Self.anything)")
                    let check = try await store.sumsCheck(SessionQuery())
                    #expect(check == SumsCheck(isComplete: true), "round \(round)")
                }
                // Rows that begin with facts, and rows that go.
                try place.database.sql(
                    """
                    CREATE TABLE copies AS TABLE listed_sessions;
                    UPDATE copies SET id = gen_random_uuid();
                    INSERT INTO listed_sessions TABLE copies;
                    DELETE FROM listed_sessions WHERE random() < 0.5
                    """
                )
                #expect(
                    try await store.sumsCheck(SessionQuery()) == SumsCheck(isComplete: true)
                )
                let kept = try place.database.sql("SELECT sum(sessions) > 100 FROM money_sums")
                #expect(kept == "t")
                await store.close()
            }
        }

        @Test func `an update that changes no sum writes none`() async throws {
            try await OnServer.run { place in
                let store = try await place.store()
                try place.database.sql(Self.insert)
                try place.database.sql("UPDATE listed_sessions SET \(Self.anything)")
                let written = """
                    SELECT md5(string_agg(xmin::text || ctid::text, ',' ORDER BY ctid, xmin::text)), count(*) > 9
                    FROM (SELECT xmin, ctid FROM money_sums
                        UNION ALL SELECT xmin, ctid FROM ended_sums) AS sums
                    """
                let before = try place.database.sql(written)
                #expect(before.hasSuffix("|t"))
                try place.database.sql(
                    "UPDATE listed_sessions SET last_seq = 2, last_at = 9, turn = 'payer', amount = 7"
                )
                #expect(try place.database.sql(written) == before)
                await store.close()
            }
        }
    }
}
