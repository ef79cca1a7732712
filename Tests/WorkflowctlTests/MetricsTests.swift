import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// `metrics`: Prometheus' own Python client checks the format, the PSP's ledger the numbers.
@Suite(.feature("S-11")) struct MetricsTests {
    /// Prints name, labels and value of each sample; fails if the format is not valid.
    private static let reader = """
        import sys
        from prometheus_client.parser import text_string_to_metric_families
        for family in text_string_to_metric_families(sys.stdin.read()):
            assert family.type == "gauge" and family.documentation, family.name
            for sample in family.samples:
                labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()))
                print(f"{sample.name}|{labels}|{int(sample.value)}")
        """

    private func samples(of text: String, in world: World) async throws -> [String] {
        let path = try world.write(Self.reader, to: "samples.py")
        let run = try await world.tool.shell("python3 \(path)", input: text)
        #expect(run.status == 0, "\(run.diagnostics)\(text)")
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test func `another program can read the gauges, and they agree with the PSP's ledger`()
        async throws
    {
        try await World.with { world in
            let (session, order) = try await world.open()
            _ = try await world.open()
            _ = try await world.run("attempt", session, "swish", "--msisdn", "+46739000001")
            let ledger = await world.sandbox.ledger
            let paid = ledger.orders.filter { $0.status == "Paid" }
            #expect(paid.map(\.order) == [order.id])
            let run = try await world.run("metrics")
            #expect(run.status == 0, "\(run.diagnostics)")
            let samples = try await samples(of: run.output, in: world)
            let group = "currency=SEK,host=127.0.0.1,state="
            #expect(samples.contains("payment_workflow_payments|\(group)confirmed|\(paid.count)"))
            #expect(samples.contains("payment_workflow_payments|\(group)intended|1"))
            #expect(samples.contains { $0.hasPrefix("payment_workflow_overdue_seconds||") })
            #expect(!run.output.contains(session) && !run.output.contains("order-"))
        }
    }

    @Test func `payments whose amount is not known are counted, without a sum of money`()
        async throws
    {
        try await World.with { world in
            // The PSP cannot be reached, and so has not reported the amount.
            let away = "http://127.0.0.1:1/psp/paymentsessions/away"
            _ = try await world.run("open", away, "--wait", "1s")
            let run = try await world.run("metrics")
            let samples = try await samples(of: run.output, in: world)
            let group = "currency=unknown,host=127.0.0.1,state=intended"
            #expect(samples.contains("payment_workflow_payments|\(group)|1"), "\(samples)")
            #expect(samples.contains("payment_workflow_payments_without_amount|\(group)|1"))
            #expect(!samples.contains { $0.hasPrefix("payment_workflow_money|") }, "\(samples)")
        }
    }

    @Test func `metrics --json matches its schema`() async throws {
        try await World.with { world in
            _ = try await world.open()
            let run = try await world.run("metrics", "--json", "--window", "1h")
            #expect(run.status == 0, "\(run.diagnostics)")
            try await SchemaCheck.expect(run.output, fits: "cli/metrics", in: world)
            let names = try run.json["metrics"].list.compactMap { $0["name"].text }
            #expect(names.contains("payment_workflow_payments"))
        }
    }

    @Test func `alerts and dashboard use only documented metrics`() throws {
        let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .appending(path: "../../../Documentation").standardized
        let table = try String(contentsOf: folder.appending(path: "metrics.md"), encoding: .utf8)
        for file in ["alerts.yml", "alerts.test.yml", "dashboard.json"] {
            let text = try String(
                contentsOf: folder.appending(path: "monitoring/\(file)"),
                encoding: .utf8
            )
            // The buckets of a histogram are those of the timer, and their sum.
            let names = Set(
                text.matches(of: /payment_workflow_[a-z_]+/).map {
                    String($0.output).replacing(/_(bucket|count)$/, with: "")
                }
            )
            #expect(!names.isEmpty)
            for name in names { #expect(table.contains("`\(name)`"), "\(file): \(name)") }
        }
    }
}
