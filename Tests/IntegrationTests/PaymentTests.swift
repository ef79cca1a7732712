import Adapters
import EventLog
import Foundation
import Inspection
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Payments over HTTP against the sandbox, with an SQLite file.
@Suite struct PaymentTests {
    @Test(.feature("N-03", "N-09"))
    func `Swish on this device is launched, returned from and completed`() async throws {
        try await withPayment { running, sandbox in
            let order = try await sandbox.createOrder(SandboxOrder())
            let session = try await running.engine.open(
                order.sessionURL,
                reference: "order-1",
                allowsInsecureLoopback: true
            )
            let ready = try await running.settled(session)
            #expect(ready.offers.map(\.instrument) == [.swish, .newCard, .web])
            try await running.engine.attempt(session, with: .swish(msisdn: nil))
            let waiting = try await running.settled(session)
            let action = try #require(waiting.openActions.first)
            let secrets = try await running.engine.secrets(of: session)
            let link = try #require(action.link(from: secrets))
            #expect(link.hasPrefix("swish://"))
            try await running.engine.report(session, action: action.id, .launched)
            try await sandbox.approveSwish(link)
            try await running.engine.returned(session, with: "https://shop.example/pay?swp_ut=1")
            let paid = try await running.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            let ledger = await sandbox.ledger
            #expect(ledger.paidOrders == 1)
            #expect(ledger.doubledOrders == [])
        }
    }

    @Test func `a saved card pays after a 3-D Secure method call and a challenge`() async throws {
        try await withPayment { running, sandbox in
            var order = SandboxOrder(payerReference: "payer-1")
            order.scenario.savedCards = ["4761739001010416"]
            let created = try await sandbox.createOrder(order)
            let session = try await running.engine.open(
                created.sessionURL,
                preferences: [.card(rank: nil)],
                allowsInsecureLoopback: true
            )
            let method = try await running.settled(session)
            let call = try #require(method.openActions.first)
            try await running.engine.report(session, action: call.id, .done)
            let challenge = try await running.settled(session)
            let action = try #require(challenge.openActions.first)
            let secrets = try await running.engine.secrets(of: session)
            let cRes = try await sandbox.passChallenge(action, secrets, decision: "approve")
            try await running.engine.report(session, action: action.id, .shown)
            try await running.engine.report(
                session,
                action: action.id,
                .challengeCompleted(cRes: cRes)
            )
            let paid = try await running.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            #expect(await sandbox.ledger.paidOrders == 1)
        }
    }

    @Test(.feature("N-04"))
    func `a declined card is reported, acknowledged and followed by Swish`() async throws {
        try await withPayment { running, sandbox in
            var order = SandboxOrder(amount: 900_361, payerReference: "payer-2")
            order.scenario.savedCards = ["4925000000000004"]
            order.scenario.swishApproval = .after(.milliseconds(200))
            let created = try await sandbox.createOrder(order)
            let session = try await running.engine.open(
                created.sessionURL,
                allowsInsecureLoopback: true
            )
            _ = try await running.settled(session)
            try await running.engine.attempt(session, with: .card(rank: 1))
            let declined = try await running.settled(session)
            #expect(declined.problem?.problem.type?.hasSuffix("acquirerinsufficientfunds") == true)
            #expect(declined.problem?.problem.origin == .session)
            #expect(declined.payment?.attempt == nil)
            try await running.engine.attempt(
                session,
                with: .swish(msisdn: MSISDN("+46739000001"))
            )
            let paid = try await running.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            #expect(paid.attemptCount == 2)
        }
    }

    @Test(.feature("N-06")) func `an aborted session is canceled`() async throws {
        try await withPayment { running, sandbox in
            let created = try await sandbox.createOrder(SandboxOrder())
            let session = try await running.engine.open(
                created.sessionURL,
                allowsInsecureLoopback: true
            )
            _ = try await running.settled(session)
            try await running.engine.abort(session)
            let ended = try await running.settled(session, ended: true)
            #expect(ended.outcome == .canceled)
        }
    }

    @Test(arguments: [true, false])
    func `an attempt whose response was lost is not started twice`(took: Bool) async throws {
        try await withPayment { running, sandbox in
            var order = SandboxOrder()
            order.scenario.acceptsRepeatedStarts = true
            order.scenario.swishApproval = .after(.milliseconds(100))
            order.scenario.faults = [
                Fault(rel: "start-payment-attempt", kind: .reset, takesEffect: took)
            ]
            let created = try await sandbox.createOrder(order)
            let session = try await running.engine.open(
                created.sessionURL,
                preferences: [.swish(msisdn: MSISDN("+46739000001"))],
                allowsInsecureLoopback: true
            )
            let paid = try await running.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            let ledger = await sandbox.orderLedger(created.id)
            #expect(ledger?.attempts.count == 1)
            #expect(ledger?.doubles == [])
        }
    }

    @Test(.feature("V-07"), .guarantee(.replayEqualsLive))
    func `stored records form a valid chain and replay to the same state and decisions`()
        async throws
    {
        try await withPayment { running, sandbox in
            var order = SandboxOrder(payerReference: "payer-3")
            order.scenario.savedCards = ["4925000000000004"]
            let created = try await sandbox.createOrder(order)
            let session = try await running.engine.open(
                created.sessionURL,
                preferences: [.card(rank: 1)],
                allowsInsecureLoopback: true
            )
            let live = try await running.settled(session, ended: true)
            let records = try await running.store.read(session, from: 1, limit: 1000)
            var verifier = LogVerifier<SessionEvent>(stream: session)
            for record in records { try verifier.check(record) }
            let events = try records.map { try EventCodec.decode($0.canonical) }
            #expect(SessionState.folding(events, of: session) == live)
            var check = ReplayCheck(of: session, by: running.engine.decider)
            for (place, event) in events.enumerated() {
                try check.verify(
                    event,
                    followedBy: place + 1 < events.count ? events[place + 1].event : nil
                )
            }
            try check.finish()
            #expect(check.state == live)
            let text = records.map { String(decoding: $0.canonical, as: UTF8.self) }.joined()
            #expect(!text.contains(created.sessionURL))
            #expect(!text.contains("/psp/"))
        }
    }
}

/// Runs a payment with an engine and a sandbox of its own.
func withPayment(
    _ body: (RunningEngine, SandboxServer) async throws -> Void
) async throws {
    try await withDirectory { directory in
        let sandbox = try await SandboxServer.start(.patient)
        let running = try await RunningEngine(in: directory)
        do {
            try await body(running, sandbox)
        } catch {
            await running.shutdown()
            await sandbox.shutdown()
            throw error
        }
        await running.shutdown()
        await sandbox.shutdown()
    }
}

extension SandboxConfiguration {
    /// A PSP whose Swish app waits for the payer, however slow the machine is.
    static let patient = SandboxConfiguration(swishAppApprovalDelay: nil)
}
