import Adapters
import Foundation
import MerchantBackend
import Sandbox
import Synchronization
import Testing

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

/// Orders that a real merchant backend does not name, or no longer knows: over HTTP, with a sandbox
/// whose ledger shows what was paid.
@Suite struct CheckoutUnreadTests {
    /// A register that forgets its entries.
    private final class Register: OrderRegister {
        private let orders = InMemoryOrderRegister()
        private let isForgotten = Mutex(false)

        func forget() { isForgotten.withLock { $0 = true } }
        func keep(_ order: RegisteredOrder) async throws { await orders.keep(order) }
        func order(_ key: OrderKey) async throws -> RegisteredOrder? {
            isForgotten.withLock { $0 } ? nil : await orders.order(key)
        }
        func hasReceived(_ receipt: CallbackReceipt) async throws -> Bool {
            await orders.hasReceived(receipt)
        }
        func record(_ receipt: CallbackReceipt) async throws { await orders.record(receipt) }
    }

    @Test(arguments: [ClientReport.completed, .canceled])
    func `an order that the backend no longer knows is reported as unknown, not paid or unpaid`(
        response: ClientReport
    ) async throws {
        try await CheckoutFlow.run { flow in
            let register = Register()
            let backend = try await RunningBackend(before: flow.sandbox, register: register)
            let backed = CheckoutFlow(
                running: flow.running,
                sandbox: flow.sandbox,
                directory: flow.directory,
                gateway: .merchantBackend,
                root: backend.root
            )
            let shown = try await backed.open(try CheckoutFlow.order())
            try await flow.elsewhere(shown)
            register.forget()
            let state = try await backed.report(shown.session, response)
            // It is paid; the backend responds 404 to every request for it.
            #expect(try await flow.ledger(of: shown).authorizedAmount == 10_000)
            #expect(state.money.standing == .unknown, "\(state.money)")
            #expect(state.confirmation == nil)
            #expect(flow.engine.decider.guidance(for: state).newAttempt == .never)
            // It is not given up here either: the PSP has to confirm that.
            #expect(state.outcome == nil)
            let problem = try #require(state.problem?.problem)
            #expect(problem.kind == .requestFailed && problem.status == 404)
            #expect(problem.type?.hasSuffix("notfound") == true, "\(problem)")
            #expect(problem.actor == .merchant)
            switch response {
            case .completed: #expect(state.money.doubts.map(\.cause) == [.clientsWord])
            default: #expect(state.money.doubts.map(\.cause) == [.attempt])
            }
            let records = try await flow.running.store.read(shown.session, from: 1, limit: 1000)
            let told = Story(
                of: shown.session,
                events: try records.map { try EventCodec.decode($0.canonical) },
                by: flow.engine.decider
            )
            let troubles = told.sentences.compactMap { sentence -> Story.Trouble? in
                if case .trouble(let trouble) = sentence.fact { trouble } else { nil }
            }
            #expect(
                troubles.contains { trouble in
                    trouble.rel == .order && trouble.causes.contains { $0.status == 404 }
                }
            )
            try await backed.checkLog(of: shown.session)
            await backend.shutdown()
        }
    }

    /// Responses of a backend without an identifier, which both SDKs accept.
    private static let nameless = [
        #"{"operations":[OPERATIONS]}"#, #"{"paymentOrder":{},"operations":[OPERATIONS]}"#,
    ]

    @Test(arguments: nameless)
    func `an order without an id is shown, and ends unconfirmed on the client's report`(
        response: String
    ) async throws {
        try await CheckoutFlow.run { flow in
            let server = try await CheckoutServer { call in
                guard call.path == "/api/orders" else {
                    return .json(#"{"consumers":"consumers","paymentorders":"orders"}"#)
                }
                let script =
                    #"{"rel":"view-checkout","method":"GET","href":"https://ecom.payex.com/checkout/1","#
                    + #""contentType":"application/javascript"}"#
                return .json(response.replacing("OPERATIONS", with: script))
            }
            let backed = CheckoutFlow(
                running: flow.running,
                sandbox: flow.sandbox,
                directory: flow.directory,
                gateway: .merchantBackend,
                root: server.address + "/api/"
            )
            let shown = try await backed.open(try CheckoutFlow.order())
            #expect(shown.problem == nil)
            #expect(shown.openActions.count == 1)
            let state = try await backed.report(shown.session, .completed)
            // The order cannot be read: the client's report ends it, without confirming anything.
            #expect(state.outcome == .completed && state.problem == nil)
            #expect(state.confirmation == nil)
            #expect(state.money.standing == .unknown)
            #expect(state.money.doubts.map(\.cause) == [.clientsWord])
            var totals = MoneyTotals()
            totals.add(SessionDecider(catalogue: .bundled).summary(of: state))
            #expect(totals.totals.map(\.group.standing) == [.unknown])
            try await backed.checkLog(of: shown.session)
            await server.shutdown()
        }
    }

    @Test func `a native session takes over an order without an id`()
        async throws
    {
        try await CheckoutFlow.run { flow in
            let created = try await flow.sandbox.createOrder(SandboxOrder())
            let server = try await CheckoutServer { call in
                guard call.path == "/api/orders" else {
                    return .json(#"{"consumers":"consumers","paymentorders":"orders"}"#)
                }
                return .json(
                    #"{"operations":[{"rel":"view-paymentsession","method":"GET","href":"\#(created.sessionURL)"},"#
                        + #"{"rel":"view-checkout","method":"GET","href":"https://ecom.payex.com/checkout/1"}]}"#
                )
            }
            let backed = CheckoutFlow(
                running: flow.running,
                sandbox: flow.sandbox,
                directory: flow.directory,
                gateway: .merchantBackend,
                root: server.address + "/api/"
            )
            let shown = try await backed.open(try CheckoutFlow.order())
            let native = try await flow.engine.handOver(
                shown.session,
                allowsInsecureLoopback: true
            )
            let ready = try await flow.running.settled(native)
            #expect(!ready.offers.isEmpty)
            await server.shutdown()
        }
    }
}
