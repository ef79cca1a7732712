import Adapters
import CoreMetrics
import EventLog
import MetricsTestKit
import SwedbankPay
import Testing

private let lostRenewals = "payment_workflow_renewals_lost_total"

extension PostgreSQLTests {
    /// A host's metrics of a store that nodes share.
    @Suite(.serialized, .fewAtATime) struct GaugeTests {
        private func session(_ number: UInt64) -> SessionID {
            SessionID(at: Instant(microseconds: 9), random: (number, number))
        }

        private func value(
            _ label: String,
            _ dimensions: [(String, String)] = [],
            _ metrics: TestMetrics
        ) throws -> Double? {
            try metrics.expectGauge(label, dimensions).lastValue
        }

        @Test
        func `gauges report live and silent nodes, their leases and the longest overdue time`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let options = PostgreSQLOptions(leaseTime: .seconds(5))
                let (first, second) = (try await place.store(), try await place.store(options))
                for number in 1...3 as ClosedRange<UInt64> {
                    #expect(try await first.acquireLease(on: session(number)))
                    try await first.append(SampleAppend.of(session(number), at: 1))
                }
                #expect(try await second.acquireLease(on: session(4)))
                let metrics = TestMetrics()
                let gauges = StoreGauges(
                    of: first,
                    clock: UVClock(on: place.loop),
                    metrics: metrics
                )
                try await gauges.sample()
                let alive = [("state", "alive")]
                let silent = [("state", "silent")]
                #expect(try value("payment_workflow_nodes", alive, metrics) == 2)
                #expect(try value("payment_workflow_nodes", silent, metrics) == 0)
                #expect(try value("payment_workflow_leases", alive, metrics) == 4)
                #expect(try value("payment_workflow_overdue_seconds", [], metrics) == 0)
                // The second node has disappeared, and a session that no node holds is a minute
                // late.
                try place.database.sql(
                    "UPDATE nodes SET until = 1 WHERE until < (SELECT max(until) FROM nodes)"
                )
                let late = UVClock(on: place.loop).now() + .seconds(-60)
                try place.database.sql("DELETE FROM leases WHERE session = '\(session(1))'")
                try place.database.sql(
                    "UPDATE sessions SET due_at = \(late.microseconds) WHERE id = '\(session(1))'"
                )
                try await gauges.sample()
                #expect(try value("payment_workflow_nodes", alive, metrics) == 1)
                #expect(try value("payment_workflow_nodes", silent, metrics) == 1)
                #expect(try value("payment_workflow_leases", silent, metrics) == 1)
                let overdue = try value("payment_workflow_overdue_seconds", [], metrics) ?? 0
                #expect((60...120).contains(overdue))
                await first.close()
                await second.close()
            }
        }

        @Test func `a role that may not read the search progress measures everything else`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let owner = try await place.store()
                try await owner.append(
                    SampleAppend.of(session(1), at: 1) {
                        $0.facts = SessionFacts(
                            money: "underWay",
                            moneySince: Instant(microseconds: 1),
                            moneySequence: 1,
                            amount: 700,
                            net: 700,
                            currency: "SEK",
                            host: "psp.example"
                        )
                    }
                )
                await owner.close()
                let role = "gauges_\(place.database.name)"
                try place.database.sql("CREATE ROLE \(role) LOGIN")
                for grant in PostgreSQLGrants.statements(for: role, onlyReading: true) {
                    try place.database.sql(grant)
                }
                try place.database.sql("REVOKE ALL ON search_progress FROM \(role)")
                let store = try await place.store(
                    PostgreSQLOptions(access: .readOnly),
                    as: role
                )
                let metrics = TestMetrics()
                let clock = UVClock(on: place.loop)
                try await StoreGauges(of: store, clock: clock, metrics: metrics).sample()
                let underWay = [
                    ("host", "psp.example"), ("currency", "SEK"), ("state", "underWay"),
                ]
                #expect(try value("payment_workflow_money", underWay, metrics) == 700)
                await store.close()
            }
        }

        @Test func `lost renewals and takeovers are counted`() async throws {
            // In a process of its own: the backend of counters is set once per process.
            await #expect(processExitsWith: .success) {
                let metrics = TestMetrics()
                MetricsSystem.bootstrap(metrics)
                try await OnServer.run(lanes: 8) { place in
                    let options = PostgreSQLOptions(leaseTime: .milliseconds(300))
                    let (first, second) = (
                        try await place.store(options), try await place.store()
                    )
                    let session = SessionID(at: Instant(microseconds: 9), random: (1, 1))
                    #expect(try await first.acquireLease(on: session))
                    #expect(metrics.counterTotal(label: "payment_workflow_takeovers_total") == 0)
                    // The server no longer considers the first node alive.
                    try place.database.sql(
                        "UPDATE nodes SET until = 1 WHERE id = (SELECT node FROM leases)"
                    )
                    #expect(try await second.acquireLease(on: session))
                    #expect(metrics.counterTotal(label: "payment_workflow_takeovers_total") == 1)
                    let deadline = ContinuousClock.now + .seconds(60)
                    while metrics.counterTotal(label: lostRenewals) == 0,
                        ContinuousClock.now < deadline
                    {
                        try await place.loop.sleep(for: .milliseconds(20))
                    }
                    #expect(metrics.counterTotal(label: lostRenewals) == 1)
                    await first.close()
                    await second.close()
                }
            }
        }

        @Test func `a lease that runs out because renewals fail is counted as lost`() async throws {
            await #expect(processExitsWith: .success) {
                let metrics = TestMetrics()
                MetricsSystem.bootstrap(metrics)
                try await OnServer.run(lanes: 8) { place in
                    let options = PostgreSQLOptions(leaseTime: .milliseconds(300))
                    let store = try await place.store(options)
                    let session = SessionID(at: Instant(microseconds: 9), random: (1, 1))
                    #expect(try await store.acquireLease(on: session))
                    try place.database.sql("ALTER TABLE nodes RENAME TO hidden")
                    let deadline = ContinuousClock.now + .seconds(60)
                    while store.holdsLease(on: session), ContinuousClock.now < deadline {
                        try await place.loop.sleep(for: .milliseconds(20))
                    }
                    await #expect(throws: EventStoreError.self) {
                        try await store.acquireLease(on: session)
                    }
                    #expect(metrics.counterTotal(label: lostRenewals) == 1)
                    try place.database.sql("ALTER TABLE hidden RENAME TO nodes")
                    await store.close()
                }
            }
        }
    }
}
