import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Engines that are killed, and engines that share a store.
@Suite struct RecoveryTests {
    @Test(.duty("C-23"), .guarantee(.durableFirst))
    func `a request under way when the engine died is reconciled, not repeated`() async throws {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start(.patient)
            var order = SandboxOrder()
            order.scenario.acceptsRepeatedStarts = true
            order.scenario.swishApproval = .after(.milliseconds(100))
            order.scenario.faults = [
                Fault(rel: "start-payment-attempt", kind: .hang, takesEffect: true)
            ]
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

            let second = try await RunningEngine(in: directory)
            try await second.engine.resume(session)
            let paid = try await second.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            let ledger = await sandbox.orderLedger(created.id)
            #expect(ledger?.requests["start-payment-attempt"] == 1)
            #expect(ledger?.doubles == [])
            await second.shutdown()
            await sandbox.shutdown()
        }
    }

    @Test(.guarantee(.oneWriter))
    func `two engines on one store accept commands, and the attempt is started only once`()
        async throws
    {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start(.patient)
            let created = try await sandbox.createOrder(SandboxOrder())
            let first = try await RunningEngine(in: directory)
            let session = try await first.engine.open(
                created.sessionURL,
                allowsInsecureLoopback: true
            )
            _ = try await first.settled(session)
            let watching = try await first.engine.updates(of: session)
            let second = try await RunningEngine(in: directory)
            try await first.engine.attempt(session, with: .swish(msisdn: nil))
            let waiting = try await first.settled(session)
            let action = try #require(waiting.openActions.first)
            let link = try #require(
                action.link(from: try await first.engine.secrets(of: session))
            )

            try await second.engine.report(session, action: action.id, .launched)
            try await sandbox.approveSwish(link)
            try await second.engine.returned(session, with: "https://shop.example/pay")
            let paid = try await second.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            var seen: SessionState?
            for await update in watching where update.state.outcome != nil {
                seen = update.state
                break
            }
            #expect(seen == paid)
            let ledger = await sandbox.orderLedger(created.id)
            #expect(ledger?.requests["start-payment-attempt"] == 1)
            #expect(ledger?.doubles == [])
            await second.shutdown()
            await first.shutdown()
            await sandbox.shutdown()
        }
    }

    @Test func `unusable responses from the PSP end in a problem that can be retried`()
        async throws
    {
        try await withPayment { running, sandbox in
            let created = try await sandbox.createOrder(SandboxOrder())
            try await sandbox.install(
                Fault(rel: "*", requests: .first(2), kind: .garbage),
                order: created.id
            )
            let session = try await running.engine.open(
                created.sessionURL,
                allowsInsecureLoopback: true
            )
            let stuck = try await running.settled(session)
            #expect(stuck.problem?.problem.kind == .requestFailed)
            #expect(stuck.problem?.problem.isRetryable == true)
            try await running.engine.retry(session)
            let ready = try await running.settled(session)
            #expect(ready.problem == nil)
            #expect(!ready.offers.isEmpty)
        }
    }

    @Test func `an engine that was shut down has no work or lease left, and rejects commands`()
        async throws
    {
        try await withDirectory { directory in
            let sandbox = try await SandboxServer.start(.patient)
            let created = try await sandbox.createOrder(SandboxOrder())
            let running = try await RunningEngine(in: directory)
            let session = try await running.engine.open(
                created.sessionURL,
                allowsInsecureLoopback: true
            )
            _ = try await running.settled(session)
            let updates = try await running.engine.updates(of: session)
            await running.engine.shutdown()
            for await _ in updates {}
            #expect(await running.engine.workCount == 0)
            #expect(!running.store.holdsLease(on: session))
            let refused = await #expect(throws: EngineError.self) {
                try await running.engine.attempt(session, with: .swish(msisdn: nil))
            }
            #expect(refused?.code == "engine.stopping")
            await running.shutdown()
            await sandbox.shutdown()
        }
    }

    @Test func `invalid session URLs are rejected before anything is stored`()
        async throws
    {
        try await withPayment { running, _ in
            for address in [
                "", "nonsense", "http://psp.example/x", "ftp://payex.com/x",
                "https://user:pw@api.payex.com/x",
            ] {
                await #expect(throws: EngineError.self) {
                    _ = try await running.engine.open(address)
                }
            }
            let all = try await running.store.sessions(matching: SessionQuery())
            #expect(all.isEmpty)
        }
    }
}

extension RunningEngine {
    /// Waits until the log contains the start of an operation.
    func started(_ rel: Rel, in session: SessionID) async throws {
        for await update in try await engine.updates(of: session)
        where update.state.running?.start.rel == rel {
            return
        }
    }
}
