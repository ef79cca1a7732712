import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    /// Lists read a page, however many sessions there are.
    @Suite(.serialized, .fewAtATime) struct ListPlanTests {
        private static let sessions = 200_000

        @Test func `a page of any list is read by an index, without sorting the others`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                try Self.fill(place.database)
                let middle = Instant(microseconds: Int64(Self.sessions / 2) * 1_000_000)
                let later = middle + .seconds(60)
                let half = Self.session(Self.sessions / 2)
                let queries: [(String, SessionQuery)] = [
                    ("all", SessionQuery(limit: 51)),
                    ("own", SessionQuery(origin: .own, limit: 51)),
                    ("next page", SessionQuery(before: half, limit: 51)),
                    ("failed", SessionQuery(outcome: "failed", origin: .own, limit: 51)),
                    ("by phase", SessionQuery(phase: "awaitingPSP", origin: .own, limit: 51)),
                    ("by problem", SessionQuery(problem: "requestFailed", limit: 51)),
                    ("under way", SessionQuery(origin: .own, limit: 51).with(money: "underWay")),
                    ("by turn", SessionQuery(origin: .own, limit: 51).with(turn: "support")),
                    ("frequent turn", SessionQuery(limit: 51).with(turn: "psp")),
                    ("its next page", SessionQuery(before: half, limit: 51).with(turn: "psp")),
                    ("stuck", SessionQuery(overdueSince: middle, limit: 51)),
                    ("a rare host", SessionQuery(limit: 51).with(host: "api.other.example")),
                    ("a rare instrument", SessionQuery(label: "trustly", limit: 51)),
                    ("in a time", SessionQuery(since: middle, until: later, limit: 51)),
                    ("by reference", SessionQuery(reference: "order-100000", limit: 51)),
                    ("its beginning", SessionQuery(referencePrefix: "order-12345", limit: 51)),
                    ("imported", SessionQuery(origin: .imported, limit: 51)),
                ]
                // These are planned for their values: a plan for any value would read too much.
                for (name, query) in queries {
                    let list = store.list(query, isAstray: false)
                    #expect(!list.statement.isKept)
                    let plan = try Plan.of(
                        list.statement,
                        list.values.map(\.sql).joined(separator: ", "),
                        mode: "force_custom_plan",
                        in: place.database
                    )
                    plan.expectPage(rows: 51, name)
                }
                #expect(!PostgreSQLEventStore.identities.isKept)
                for after in ["NULL", "'\(half)'"] {
                    let plan = try Plan.of(
                        PostgreSQLEventStore.identities,
                        "\(after), 100",
                        mode: "force_custom_plan",
                        in: place.database
                    )
                    plan.expectPage(rows: 100, "identities after \(after)")
                }
                await store.close()
            }
        }

        private static func session(_ number: Int) -> SessionID {
            SessionID(
                at: Instant(microseconds: Int64(number) * 1_000_000),
                cell: 0,
                random: UInt64(number)
            )
        }

        /// Rows as many payments leave them, nearly all of them paid.
        private static func fill(_ database: Database) throws {
            try database.sql(
                """
                INSERT INTO listed_sessions (id, opened_at, last_at, phase, outcome, settled, last_seq,
                    reference, label, problem, imported, facts_version, turn, money,
                    money_since, money_seq, amount, net, currency, host, attempts, marks, due_at)
                SELECT (lpad(to_hex(n * 1000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
                    n * 1000000, n * 1000000,
                    CASE WHEN n % 5000 = 1 THEN 'awaitingPSP' ELSE 'ended' END,
                    CASE WHEN n % 5000 = 1 THEN NULL WHEN n % 400 = 5 THEN 'failed' ELSE 'completed' END,
                    1, 18, 'order-' || n, CASE WHEN n % 5000 = 9 THEN 'trustly' ELSE 'swish' END,
                    CASE WHEN n % 5000 = 7 THEN 'requestFailed' END,
                    CASE WHEN n % 5000 = 11 THEN 1 ELSE 0 END, 1,
                    CASE WHEN n % 5000 = 7 THEN 'support' WHEN n % 5 = 3 THEN 'psp' ELSE 'nobody' END,
                    CASE WHEN n % 5000 = 1 THEN 'underWay' WHEN n % 400 = 5 THEN 'none' ELSE 'confirmed' END,
                    n * 1000000, 17, 100, 100, 'SEK',
                    CASE WHEN n % 20000 = 5 THEN 'api.other.example' ELSE 'api.payex.com' END, 1, 0,
                    CASE WHEN n % 5000 = 1 THEN n * 1000000 END
                FROM generate_series(1::bigint, \(sessions)) AS n;
                INSERT INTO sessions (id, \(SessionColumns.common.joined(separator: ", ")))
                SELECT id, \(SessionColumns.common.joined(separator: ", ")) FROM listed_sessions
                """
            )
            try database.sql("ANALYZE")
        }
    }
}

extension PQValue {
    /// The value in SQL.
    fileprivate var sql: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): "'\(text)'"
        default: "NULL"
        }
    }
}
