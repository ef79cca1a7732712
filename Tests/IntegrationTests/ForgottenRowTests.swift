import EventLog
import Foundation
import Sandbox
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores
@testable import Workflow

/// A running engine does not rely on rows to know what is due.
@Suite struct ForgottenRowTests {
    @Test(arguments: ["due_at = NULL", "due_at = 33000000000000000", "imported = 1, due_at = NULL"])
    func `a running engine corrects a row that says that nothing is due, and the payment goes on`(
        forgery: String
    ) async throws {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start(.patient)
            var order = SandboxOrder()
            order.scenario.swishApproval = .after(.milliseconds(500))
            let created = try await sandbox.createOrder(order)
            let first = try await RunningEngine(in: directory) {
                $0.shutdownGrace = .milliseconds(50)
            }
            let session = try await first.engine.open(
                created.sessionURL,
                preferences: [.swish(msisdn: MSISDN("+46739000001"))],
                allowsInsecureLoopback: true
            )
            try await first.started(.startPaymentAttempt, in: session)
            await first.shutdown()

            let path = directory.appending(path: "payments.db").path
            let writer = try SQLiteConnection(
                path: path,
                readOnly: false,
                busyTimeout: .seconds(5)
            )
            try writer.execute("UPDATE sessions SET \(forgery)")
            try writer.execute("UPDATE listed_sessions SET \(forgery)")
            let second = try await RunningEngine(in: directory) {
                $0.adoptionInterval = .milliseconds(100)
            }
            var row: SessionSummary?
            let end = ContinuousClock.now + .seconds(30)
            while row?.isOver != true, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
                row = try await second.store.row(of: session)
            }
            #expect(row?.outcome == "completed" && row?.origin == .own)
            #expect(await sandbox.orderLedger(created.id)?.doubles == [])
            await second.shutdown()
            await sandbox.shutdown()
        }
    }
}
