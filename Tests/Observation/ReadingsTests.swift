import Adapters
import CoreMetrics
import EventLog
import MetricsTestKit
import SwedbankPay
import Testing
import Workflow

/// What a process that is read while it runs has of its metrics.
@Suite struct ReadingsTests {
    @Test func `durations are counted up to each bound, with their sum`() {
        let readings = MetricReadings(counting: true)
        let timer = Timer(
            label: "payment_workflow_request_duration",
            dimensions: [("rel", "session")],
            factory: readings
        )
        for milliseconds in [5, 300, 300, 90_000] { timer.recordMilliseconds(milliseconds) }
        let lines = PrometheusText.document(readings.all).split(separator: "\n")
        #expect(lines[1] == "# TYPE payment_workflow_request_duration histogram")
        let values = lines.dropFirst(2).map {
            String($0.trimmingPrefix("payment_workflow_request_duration"))
        }
        #expect(values.first == #"_bucket{rel="session",le="0.005"} 1"#)
        #expect(values.contains(#"_bucket{rel="session",le="0.25"} 1"#))
        #expect(values.contains(#"_bucket{rel="session",le="0.5"} 3"#))
        #expect(
            values.suffix(4) == [
                #"_bucket{rel="session",le="60"} 3"#, #"_bucket{rel="session",le="+Inf"} 4"#,
                #"_sum{rel="session"} 90.605"#, #"_count{rel="session"} 4"#,
            ]
        )
    }

    @Test func `a counter is 0 before anything happens, and others' metrics are left out`() {
        let readings = MetricReadings(counting: true)
        let counter = Counter(label: "payment_workflow_takeovers_total", factory: readings)
        _ = Counter(label: "http.server.requests", dimensions: [("a b", "c")], factory: readings)
        Gauge(label: "memory", factory: readings).record(1)
        #expect(readings.all.map(\.value) == [0])
        counter.increment(by: 2)
        counter.increment()
        #expect(readings.all.map(\.value) == [3])
        let once = MetricReadings()
        Counter(label: "payment_workflow_takeovers_total", factory: once).increment()
        #expect(once.all.isEmpty)
    }

    @Test func `records that the store does not accept are counted`() async throws {
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await Shop.with { shop in
                let session = try await shop.open(amount: 10_000)
                let counter = try metrics.expectCounter("payment_workflow_append_failures_total")
                #expect(counter.totalValue == 0)
                // The session stays in memory, so that it is not read first.
                let updates = try await shop.engine.updates(of: session)
                await shop.store.close()
                await #expect(throws: (any Error).self) {
                    try await shop.engine.refetch(session, by: "anna")
                }
                #expect(counter.totalValue > 0)
                withExtendedLifetime(updates) {}
            }
        }
    }
}
