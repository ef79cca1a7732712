import Adapters
import CoreMetrics
import EventLog
import Foundation
import MetricsTestKit
import Sandbox
import SwedbankPay
import Testing
import Workflow

/// The money of payments in a host's metrics.
@Suite struct MoneyTests {
    @Test func `money metrics are grouped by host, currency and state, and follow the payments`()
        async throws
    {
        try await Shop.with { shop in
            let metrics = TestMetrics()
            let gauges = StoreGauges(of: shop.store, clock: shop.clock, metrics: metrics)
            // The sandbox names the amount with Swish.
            func payments(_ state: String) throws -> [Double?] {
                let dimensions = [("host", "127.0.0.1"), ("currency", "SEK"), ("state", state)]
                return try ["payments", "payments_without_amount", "money"].map {
                    try metrics.expectGauge("payment_workflow_\($0)", dimensions).lastValue
                }
            }
            let first = try await shop.open(amount: 10_000)
            _ = try await shop.open(amount: 2500)
            try await gauges.sample()
            #expect(try payments("intended") == [2, 0, 12_500])
            try await shop.begin(first)
            try await gauges.sample()
            #expect(try payments("underWay") == [1, 0, 10_000])
            #expect(try payments("intended") == [1, 0, 2500])
            try await shop.approve(first)
            try await gauges.sample()
            #expect(try payments("confirmed") == [1, 0, 10_000])
            // A value that no longer applies is reported once more, as zero.
            #expect(try payments("underWay") == [0, 0, 0])
            for recorder in metrics.recorders {
                for (_, value) in recorder.dimensions {
                    #expect(!value.contains(first.description) && !value.contains("order-"))
                }
            }
        }
    }

    @Test func `new gauges on the same store report the same payments`() async throws {
        try await Shop.with { shop in
            let session = try await shop.open(amount: 700)
            try await shop.begin(session)
            for _ in 0..<2 {
                let metrics = TestMetrics()
                let gauges = StoreGauges(of: shop.store, clock: shop.clock, metrics: metrics)
                try await gauges.sample()
                let underWay = [("host", "127.0.0.1"), ("currency", "SEK"), ("state", "underWay")]
                #expect(
                    try metrics.expectGauge("payment_workflow_payments", underWay).lastValue == 1
                )
            }
        }
    }
}

extension MoneyTests {
    @Test func `unsettled money stays in the metrics however old the payment is`() async throws {
        try await Shop.with { shop in
            let paid = try await shop.open(amount: 700)
            try await shop.begin(paid)
            try await shop.approve(paid)
            try await shop.begin(try await shop.open(amount: 900))
            let metrics = TestMetrics()
            // Every payment is older than this window; the gauges measure for the first time.
            let gauges = StoreGauges(
                of: shop.store,
                clock: shop.clock,
                window: .zero,
                metrics: metrics
            )
            try await gauges.sample()
            let underWay = [("host", "127.0.0.1"), ("currency", "SEK"), ("state", "underWay")]
            #expect(try metrics.expectGauge("payment_workflow_money", underWay).lastValue == 900)
            let confirmed = [("host", "127.0.0.1"), ("currency", "SEK"), ("state", "confirmed")]
            #expect(throws: (any Error).self) {
                try metrics.expectGauge("payment_workflow_money", confirmed)
            }
        }
    }
}

/// An engine with a store and a sandbox whose payers wait.
struct Shop: Sendable {
    let store: SQLiteEventStore
    let engine: PaymentEngine
    let sandbox: SandboxServer
    let clock: UVClock

    static func with(_ body: (Shop) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var payer = SandboxConfiguration()
        payer.swishAppApprovalDelay = nil
        payer.swishApprovalDelay = nil
        let sandbox = try await SandboxServer.start(payer)
        let loop = try UVLoop(name: "measured")
        var network = TransportConfiguration()
        network.allowsInsecureLoopback = true
        let transport = CurlTransport(on: loop, configuration: network)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        let store = try await SQLiteEventStore(path: folder.path + "/payments.db", loop: loop)
        let clock = UVClock(on: loop)
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        configuration.sessionLimits.pollInterval = .milliseconds(20)
        let engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: SwedbankPayProvider(transport: transport, options: options),
            vault: try KeyFileVault(path: folder.path + "/payments.db.key"),
            clock: clock,
            random: SystemRandom(),
            executor: loop
        )
        Task { [engine] in await engine.run() }
        try await body(Shop(store: store, engine: engine, sandbox: sandbox, clock: clock))
        await engine.shutdown()
        await transport.shutdown()
        await store.close()
        await sandbox.shutdown()
        loop.shutdown()
    }

    func open(amount: Int) async throws -> SessionID {
        let order = try await sandbox.createOrder(
            SandboxOrder(amount: amount, payerReference: "payer-1")
        )
        let session = try await engine.open(
            order.sessionURL,
            reference: "order-\(amount)",
            allowsInsecureLoopback: true
        )
        try await wait(for: session) { $0.payment?.snapshot?.methods.isEmpty == false }
        return session
    }

    /// Starts a payment with Swish on this device, and leaves it pending.
    func begin(_ session: SessionID) async throws {
        _ = try await engine.attempt(session, with: .swish(msisdn: nil))
        try await wait(for: session) { $0.actions.contains { $0.isOpen } }
    }

    /// The payer approves and comes back.
    func approve(_ session: SessionID) async throws {
        let secrets = try await engine.secrets(of: session)
        let state = try await engine.state(of: session)
        let last = state.actions.last(where: \.isOpen)
        let action = try #require(last)
        guard case .launchApp(let task, _) = action.kind, let href = task.href else {
            Issue.record("there is no app to launch")
            return
        }
        let address = secrets[href] ?? ""
        let token = address.firstMatch(of: /token=([^&]+)/)?.1 ?? ""
        let approval = try #require(
            URL(string: "\(sandbox.baseURL)/sandbox/swish/\(token)?decision=approve")
        )
        // Before the approval, or a poll in between ends the payment and withdraws the action.
        _ = try await engine.report(session, action: action.id, .launched)
        _ = try Data(contentsOf: approval)
        try await wait(for: session) { $0.outcome == .completed }
    }

    private func wait(
        for session: SessionID,
        _ isReached: (SessionState) -> Bool
    ) async throws {
        let limit = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < limit {
            if isReached(try await engine.state(of: session)) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the session did not get there")
    }
}
