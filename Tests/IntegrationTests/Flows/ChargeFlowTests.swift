import Adapters
import EventLog
import Foundation
import Inspection
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Charges of stored tokens over HTTP; the PSP's ledger shows what really happened.
@Suite struct ChargeFlowTests {
    private static let amount = 4_900

    /// Pays an order that produces a token, and returns the token.
    private static func token(_ flow: CheckoutFlow, _ kind: String) async throws -> String {
        var order = try CheckoutFlow.order()
        order.generatesRecurrenceToken = kind == "recurrence"
        order.generatesUnscheduledToken = kind == "unscheduled"
        let shown = try await flow.open(order)
        try await flow.elsewhere(shown)
        let paid = try await flow.callback(shown.session)
        let id = try #require(paid.checkout?.order?.id)
        let payment = try await client(flow).payment(of: id)
        return try #require(payment?.tokens.first { $0.type == kind }?.token)
    }

    /// Returns a client of the PSP for the merchant.
    private static func client(_ flow: CheckoutFlow) throws -> PaymentOrderClient {
        try PaymentOrderClient(
            root: flow.root,
            transport: flow.running.transport,
            access: CheckoutFlow.access,
            options: SwedbankPayOptions.forSandbox
        )
    }

    private static func charge(
        _ token: String,
        _ purpose: PaymentOrderPurpose = .recur,
        amount: Int = amount,
        faults: String = ""
    ) throws -> PaymentOrder {
        let member = purpose == .recur ? "recurrenceToken" : "unscheduledToken"
        let order = try PaymentOrderDocument.read(
            """
            {"operation":"\(purpose.rawValue)","currency":"SEK","amount":\(amount),"vatAmount":0,
             "description":"Subscription","language":"sv-SE","userAgent":"shop/1",
             "\(member)":"\(token)",
             "payeeInfo":{"payeeId":"shop","payeeReference":"c\(UInt64.random(in: 1...UInt64.max))"},
             "sandbox":{"faults":[\(faults)]}}
            """
        )
        try order.validate()
        return order
    }

    /// Returns the charges at the PSP, without the order that left the token.
    private static func charges(_ flow: CheckoutFlow) async -> [LedgerOrder] {
        Array(await flow.sandbox.ledger.orders.dropFirst())
    }

    @Test(
        .feature("M-08"),
        arguments: [
            ("recurrence", PaymentOrderPurpose.recur), ("unscheduled", .unscheduledPurchase),
        ]
    )
    func `a token from a paid order is charged once, without any client action`(
        kind: String,
        purpose: PaymentOrderPurpose
    ) async throws {
        try await CheckoutFlow.run { flow in
            let token = try await Self.token(flow, kind)
            let paid = try await flow.open(try Self.charge(token, purpose))
            #expect(paid.outcome == .completed && paid.actions.isEmpty)
            #expect(paid.money.standing == .confirmed)
            let ledger = try await flow.ledger(of: paid)
            MoneyAgreement.expect(paid, ledger, standing: .confirmed)
            #expect(ledger.authorizedAmount == Self.amount)
            #expect(await Self.charges(flow).map(\.attempts.count) == [1])
            try await flow.checkLog(of: paid.session)
            let records = try await flow.running.store.read(paid.session, from: 1, limit: 100)
            let text = records.map { String(decoding: $0.canonical, as: UTF8.self) }.joined()
            #expect(!text.contains(token))
        }
    }

    @Test(
        .feature("M-08"),
        arguments: [
            (952_400, "creditcard/acquirererrordonotretry", ProblemAdvice.ChargeAgain.never),
            (952_507, "creditcard/authenticationrequired", .withPayer),
            (900_361, "creditcard/acquirerinsufficientfunds", nil),
        ]
    )
    func `a refused charge ends the session with its reason and is not retried`(
        amount: Int,
        slug: String,
        again: ProblemAdvice.ChargeAgain?
    ) async throws {
        try await CheckoutFlow.run { flow in
            let token = try await Self.token(flow, "recurrence")
            let failed = try await flow.open(try Self.charge(token, amount: amount))
            #expect(failed.outcome == .failed && failed.money.standing == .none)
            let failure = try #require(failed.checkout?.order?.failure)
            #expect(failure.type == ProblemCatalogue.typePrefix + slug && failure.status == 403)
            #expect(flow.engine.decider.advice(onFailure: failure).chargeAgain == again)
            let ledger = try await flow.ledger(of: failed)
            MoneyAgreement.expect(failed, ledger, standing: MoneyState.Standing.none)
            #expect(ledger.attempts.count == 1 && ledger.authorizedAmount == 0)
            #expect(await Self.charges(flow).count == 1)
            try await flow.checkLog(of: failed.session)
        }
    }

    @Test(arguments: [(404, false), (422, true)])
    func `an unknown or deleted token is not charged, and the merchant has to solve the problem`(
        status: Int,
        isDeleted: Bool
    ) async throws {
        try await CheckoutFlow.run { flow in
            var token = "no-such-token"
            if isDeleted {
                token = try await Self.token(flow, "recurrence")
                try await Self.client(flow).delete(token, kind: .recurrence, comment: "asked")
            }
            let before = await flow.sandbox.ledger
            let refused = try await flow.open(try Self.charge(token))
            #expect(refused.problem?.problem.status == status)
            #expect(refused.problem?.problem.actor == .merchant)
            #expect(refused.outcome == .failed && refused.money.standing == .none)
            let after = await flow.sandbox.ledger
            #expect(after.authorizedAmount == before.authorizedAmount)
            #expect(after.orders.count == before.orders.count)
            try await flow.checkLog(of: refused.session)
        }
    }

    @Test(.feature("M-08"), arguments: ["resetBefore", "resetAfter", "garbage", "empty", "status"])
    func `a charge whose response was lost is made once, and is unknown until it is resolved`(
        kind: String
    ) async throws {
        try await CheckoutFlow.run { flow in
            let token = try await Self.token(flow, "recurrence")
            let more = kind == "status" ? #","status":503,"takesEffect":true"# : ""
            let fault = #"{"rel":"paymentorders","nth":1,"kind":"\#(kind)"\#(more)}"#
            var state = try await flow.open(try Self.charge(token, faults: fault))
            for _ in 1...3 where state.problem?.problem.isRetryable == true {
                #expect(state.money.standing == .unknown)
                try await flow.engine.retry(state.session)
                state = try await flow.running.settled(state.session)
            }
            // Whatever was received: the payer's money moved once.
            let charges = await Self.charges(flow)
            #expect(charges.map(\.authorizedAmount) == [Self.amount])
            try await flow.checkLog(of: state.session)
            guard kind != "resetBefore" else {
                #expect(state.money.standing == .confirmed)
                return
            }
            #expect(state.outcome == nil && state.money.standing == .unknown)
            #expect(await flow.sandbox.ledger.refusedDuplicates >= 1)
            let guidance = flow.engine.decider.guidance(for: state)
            #expect(guidance == PayerGuidance(message: nil, newAttempt: .never))
            try await Self.expectResolved(state.session, flow)
        }
    }

    /// Records that an operator found the order at the PSP.
    private static func expectResolved(_ session: SessionID, _ flow: CheckoutFlow) async throws {
        var acted = OperatorActed(by: "support", action: "resolve", reason: "admin: paid")
        acted.resolution = MoneyResolution(verdict: .paid)
        try await flow.engine.record(acted, in: session)
        let found = try await flow.engine.state(of: session)
        #expect(found.money.standing == .confirmed)
        #expect(found.money.taken?.amount == Amount(Int64(amount)))
        #expect(await charges(flow).count == 1)
    }

    @Test func `an engine that dies during a charge does not charge twice`() async throws {
        try await CheckoutFlow.run { flow in
            let token = try await Self.token(flow, "recurrence")
            let directory = flow.directory.appending(path: "other")
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true
            )
            let first = try await RunningEngine(in: directory, access: CheckoutFlow.access) {
                $0.shutdownGrace = .milliseconds(50)
            }
            let fault = #"{"rel":"paymentorders","nth":1,"kind":"hangAfter","takesEffect":true}"#
            let request = CheckoutRequest(
                of: try Self.charge(token, faults: fault),
                by: .psp,
                at: flow.root
            )
            let session = try await first.engine.openCheckout(
                request,
                allowsInsecureLoopback: true
            )
            try await first.started(.paymentOrders, in: session)
            try await Self.isCharged(flow)
            await first.shutdown()

            let second = try await RunningEngine(in: directory, access: CheckoutFlow.access)
            try await second.engine.resume(session)
            let state = try await second.settled(session)
            #expect(state.money.standing == .unknown && state.outcome == nil)
            #expect(await Self.charges(flow).map(\.authorizedAmount) == [Self.amount])
            #expect(await flow.sandbox.ledger.refusedDuplicates == 1)
            await second.shutdown()
        }
    }

    /// Waits until the PSP has made the charge, whose response was lost.
    private static func isCharged(_ flow: CheckoutFlow) async throws {
        for _ in 1...2_000 {
            if await charges(flow).first?.authorizedAmount == amount { return }
            await Task.yield()
        }
        throw RunningEngine.NotSettled(
            session: SessionID(at: .init(microseconds: 0), random: (0, 0))
        )
    }
}

extension SwedbankPayOptions {
    fileprivate static var forSandbox: SwedbankPayOptions {
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        return options
    }
}
