import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import Testing
import Workflow

/// Checkouts from the order to the confirmation, over HTTP.
@Suite struct CheckoutFlowTests {
    @Test(arguments: [OrderGateway.psp, .merchantBackend])
    func `an order is created, shown, paid and confirmed`(gateway: OrderGateway) async throws {
        try await CheckoutFlow.run(gateway) { flow in
            let shown = try await flow.open(try CheckoutFlow.order())
            let session = shown.session
            let action = try #require(shown.openActions.first)
            guard case .showMenu = action.kind else {
                Issue.record("\(action.kind)")
                return
            }
            try await flow.report(session, .shown)
            try await flow.elsewhere(shown)
            let action2 = try #require(try await flow.engine.state(of: session).openActions.first)
            try await flow.engine.report(session, action: action2.id, .completed)
            let paid = try await flow.running.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            let confirmed = try await flow.running.settled(session)
            #expect(confirmed.confirmation?.amount == 10_000)
            #expect(confirmed.confirmation?.transactionType == "Authorization")
            try await flow.checkLog(of: session)
        }
    }

    @Test func `an order of the second generation is paid after the payer's check-in`()
        async throws
    {
        try await CheckoutFlow.run(.merchantBackend) { flow in
            var order = try CheckoutFlow.order(instrument: .swish)
            order.productName = nil
            let asked = try await flow.open(order) {
                $0.generation = .v2
                $0.consumer = ConsumerTerms(language: "sv-SE", shippingCountries: ["SE"])
            }
            let session = asked.session
            guard case .checkIn(let sealed)? = asked.openActions.first?.kind,
                let script = try await flow.engine.secrets(of: session)[sealed]
            else {
                Issue.record("\(asked.openActions)")
                return
            }
            #expect(asked.checkout?.order == nil)
            let token = script.split(separator: "/").dropLast().last ?? ""
            let profile = try await flow.post("/sandbox/consumers/\(token)/identify")
            let reference = try #require(profile["consumerProfileRef"] as? String)
            try await flow.report(session, .shown)
            let shown = try await flow.report(
                session,
                .checkedIn(consumerProfileRef: reference)
            )
            #expect(shown.checkout?.order?.page?.rel == .viewPaymentOrder)
            #expect(shown.checkout?.order?.instrument == .swish)
            try await flow.engine.chooseInstrument(session, .creditCard)
            let changed = try await flow.running.settled(session)
            #expect(changed.checkout?.order?.instrument == .creditCard)
            #expect(changed.openActions.count == 1)
            try await flow.elsewhere(changed)
            let paid = try await flow.callback(session)
            #expect(paid.outcome == .completed && paid.confirmation != nil)
            try await flow.checkLog(of: session)
            let records = try await flow.running.store.read(session, from: 1, limit: 1000)
            let text = records.map { String(decoding: $0.canonical, as: UTF8.self) }.joined()
            #expect(!text.contains(reference))
        }
    }

    @Test func `a checkout handed over to a native Swish payment is confirmed in both sessions`()
        async throws
    {
        try await CheckoutFlow.run { flow in
            let shown = try await flow.open(try CheckoutFlow.order())
            let session = shown.session
            let native = try await flow.engine.handOver(session, allowsInsecureLoopback: true)
            _ = try await flow.running.settled(native)
            #expect(
                try await flow.engine.handOver(session, allowsInsecureLoopback: true) == native
            )
            let handed = try await flow.running.settled(session)
            #expect(handed.checkout?.nativeSession == native && handed.openActions.isEmpty)
            try await flow.engine.attempt(native, with: .swish(msisdn: nil))
            let waiting = try await flow.running.settled(native)
            let action = try #require(waiting.openActions.first)
            let secrets = try await flow.engine.secrets(of: native)
            try await flow.engine.report(native, action: action.id, .launched)
            try await flow.sandbox.approveSwish(try #require(action.link(from: secrets)))
            try await flow.engine.returned(native, with: "https://shop.example/pay?id=1")
            #expect(try await flow.running.settled(native, ended: true).outcome == .completed)
            let paid = try await flow.running.settled(session, ended: true)
            #expect(paid.outcome == .completed)
            for session in [session, native] {
                try await flow.running.confirmed(session)
                try await flow.checkLog(of: session)
            }
            // A refund of the order is told in both: one order has one state of its money.
            let refund = NewTransaction(
                kind: .reversal,
                amount: 4_000,
                vatAmount: 800,
                description: "Returned"
            )
            try await flow.engine.transact(session, refund)
            for session in [session, native] { try await flow.running.told(session, net: 6_000) }
            let ledger = try await flow.ledger(of: shown)
            #expect(ledger.reversedAmount == 4_000)
            #expect(ledger.doubles.isEmpty && ledger.requests["start-payment-attempt"] == 1)
        }
    }

    @Test func `a second engine on the same store continues a checkout, which is captured once`()
        async throws
    {
        try await CheckoutFlow.run { flow in
            let shown = try await flow.open(try CheckoutFlow.order(instrument: .swish))
            let session = shown.session
            let second = try await RunningEngine(
                in: flow.directory,
                access: CheckoutFlow.access
            )
            try await second.engine.chooseInstrument(session, .creditCard)
            let changed = try await second.settled(session)
            #expect(changed.checkout?.order?.instrument == .creditCard)
            try await flow.elsewhere(changed)
            try await flow.engine.callback(session, body: CheckoutFlow.call(about: changed))
            try await second.engine.callback(session, body: CheckoutFlow.call(about: changed))
            #expect(try await second.settled(session, ended: true).outcome == .completed)
            try await second.confirmed(session)
            var wish = NewTransaction(
                kind: .capture,
                amount: 10_000,
                vatAmount: 2_000,
                description: "All"
            )
            wish.payeeReference = "capture1"
            async let one = flow.engine.transact(session, wish)
            async let two = second.engine.transact(session, wish)
            _ = try await (one, two)
            try await second.captured(session)
            try await flow.running.captured(session)
            let ledger = try await flow.ledger(of: shown)
            #expect(ledger.captures == 1 && ledger.capturedAmount == 10_000)
            #expect(ledger.requests["set-instrument"] == 1)
            #expect(await flow.sandbox.ledger.orders.count == 1)
            await second.shutdown()
            try await flow.checkLog(of: session)
        }
    }
}

extension RunningEngine {
    /// Waits until the order of a session is confirmed.
    func confirmed(_ session: SessionID) async throws {
        try await wait(session) { $0.confirmation != nil }
    }

    /// Waits until no transaction of a session is pending.
    func captured(_ session: SessionID) async throws {
        try await wait(session) { state in
            state.checkout?.transactions.isEmpty == false
                && state.checkout?.transactions.allSatisfy { $0.result != nil } == true
        }
    }

    /// Waits until a session tells what is left of its payment.
    func told(_ session: SessionID, net: Amount) async throws {
        try await wait(session) { $0.money.standing == .confirmed && $0.money.taken?.net == net }
    }

    private func wait(
        _ session: SessionID,
        until isThere: @escaping @Sendable (SessionState) -> Bool
    ) async throws {
        let updates = try await engine.updates(of: session)
        let waiting = Task {
            for await update in updates where isThere(update.state) { return true }
            return false
        }
        let timer = Task {
            try await Task.sleep(for: .seconds(30))
            waiting.cancel()
        }
        defer { timer.cancel() }
        guard await waiting.value else {
            let state = try await engine.state(of: session)
            Issue.record(
                """
                \(String(describing: state.outcome)), \(String(describing: state.confirmation)), \
                \(String(describing: state.problem)), \(String(describing: state.running)), \
                \(String(describing: state.checkout?.transactions))
                """
            )
            throw NotSettled(session: session)
        }
    }
}
