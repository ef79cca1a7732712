import Adapters
import EventLog
import MetricsTestKit
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

/// What a publisher reports of itself.
@Suite struct OutboxPublisherTests {
    /// A clock that stands still.
    private struct StillClock: EngineClock {
        func now() -> Instant { ManualClock.noon }
        func sleep(until instant: Instant) async {}
    }

    @Test func `a publisher reports how far it is behind, and a following one when it knew that`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            var teller = HistoryTeller(seed: 1)
            let appends = try teller.histories(1)[0].appends
            for append in appends { try await store.append(append) }
            let metrics = TestMetrics()
            let publisher = OutboxPublisher(
                of: store,
                by: SessionDecider(catalogue: .sample),
                authenticatedBy: nil,
                to: "https://hooks.example/payments",
                over: ScriptedTransport(status: 410),
                from: FileOutboxPosition(path: file.path + ".outbox"),
                clock: StillClock(),
                options: OutboxOptions(name: "ledger"),
                metrics: metrics
            )
            await #expect(throws: OutboxFailure.self) {
                try await publisher.publishAll(within: .zero)
            }
            // Once it is done, it does not look as if it had stopped.
            let consumer = [("consumer", "ledger")]
            #expect(throws: (any Error).self) {
                try metrics.expectGauge(
                    "payment_workflow_subscription_timestamp_seconds",
                    consumer
                )
            }
            // The receiver accepts nothing, which is no reason to take the publisher for dead.
            await #expect(throws: OutboxFailure.self) { try await publisher.run() }
            let values = try ["behind", "timestamp_seconds"].map {
                let name = "payment_workflow_subscription_\($0)"
                return try metrics.expectGauge(name, consumer).lastValue
            }
            let noon = Double(ManualClock.noon.microseconds) / 1_000_000
            #expect(values == [Double(appends.count), noon])
            await store.close()
        }
    }
}
