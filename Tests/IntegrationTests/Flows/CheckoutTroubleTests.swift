import Adapters
import EventLog
import Foundation
import Inspection
import Sandbox
import SwedbankPay
import Synchronization
import TestSupport
import Testing
import Workflow

/// Lost and unusable responses.
@Suite struct CheckoutTroubleTests {
    private static func fault(_ rel: String, _ kind: String, _ more: String = "") -> String {
        #"{"rel":"\#(rel)","nth":1,"kind":"\#(kind)"\#(more)}"#
    }

    @Test(arguments: ["resetBefore", "resetAfter", "garbage", "empty"])
    func `an order whose creation got no usable response is paid once`(kind: String) async throws {
        try await CheckoutFlow.run { flow in
            let order = try CheckoutFlow.order(faults: Self.fault("paymentorders", kind))
            var shown = try await flow.open(order)
            for _ in 1...3 where shown.problem?.problem.isRetryable == true {
                try await flow.engine.retry(shown.session)
                shown = try await flow.running.settled(shown.session)
            }
            #expect(shown.openActions.count == 1, "\(String(describing: shown.problem))")
            try await flow.elsewhere(shown)
            let paid = try await flow.callback(shown.session)
            #expect(paid.outcome == .completed)
            let ledger = await flow.sandbox.ledger
            #expect(ledger.paidOrders == 1)
            #expect(ledger.orders.count == (kind == "resetBefore" ? 1 : 2))
            try await flow.checkLog(of: shown.session)
        }
    }

    @Test(arguments: ["resetBefore", "resetAfter", "garbage"])
    func `a change of instrument without a usable response is reconciled with the order`(
        kind: String
    ) async throws {
        try await CheckoutFlow.run { flow in
            let order = try CheckoutFlow.order(
                instrument: .swish,
                faults: Self.fault("set-instrument", kind)
            )
            let shown = try await flow.open(order)
            try await flow.engine.chooseInstrument(shown.session, .creditCard)
            let changed = try await flow.running.settled(shown.session)
            #expect(changed.checkout?.order?.instrument == .creditCard)
            #expect(changed.openActions.count == 1)
            try await flow.checkLog(of: shown.session)
        }
    }

    @Test(
        arguments: ["resetBefore", "resetAfter", "garbage", "empty", "noContent", "status"]
    )
    func `a capture without a usable response is made exactly once`(kind: String) async throws {
        try await CheckoutFlow.run { flow in
            let more = kind == "status" ? #","status":503,"takesEffect":true"# : ""
            let order = try CheckoutFlow.order(faults: Self.fault("capture", kind, more))
            let shown = try await flow.open(order)
            try await flow.elsewhere(shown)
            let paid = try await flow.callback(shown.session)
            #expect(paid.confirmation != nil)
            let wish = NewTransaction(
                kind: .capture,
                amount: 10_000,
                vatAmount: 2_000,
                description: "All"
            )
            try await flow.engine.transact(shown.session, wish)
            try await flow.running.captured(shown.session)
            let state = try await flow.engine.state(of: shown.session)
            #expect(state.checkout?.transactions.map(\.result) == [.done])
            let ledger = try await flow.ledger(of: shown)
            #expect(ledger.captures == 1 && ledger.capturedAmount == 10_000)
            #expect(ledger.refusedDuplicates == 0)
            try await flow.checkLog(of: shown.session)
        }
    }

    /// Runs a test with a backend that always gives one response to new orders.
    private func withBackend(
        root: String = #"{"consumers":"consumers","paymentorders":"orders"}"#,
        order: String,
        type: String = "application/json",
        _ body: (CheckoutFlow, SessionState, @Sendable () -> [String]) async throws -> Void
    ) async throws {
        try await CheckoutFlow.run { flow in
            let seen = Seen()
            let server = try await CheckoutServer { call in
                seen.add(call.line)
                return call.path.hasSuffix("/api/") ? .json(root) : .json(order, type: type)
            }
            let backed = CheckoutFlow(
                running: flow.running,
                sandbox: flow.sandbox,
                directory: flow.directory,
                gateway: .merchantBackend,
                root: server.address + "/api/"
            )
            let state = try await backed.open(try CheckoutFlow.order())
            try await body(backed, state, { seen.all })
            try await backed.checkLog(of: state.session)
            await server.shutdown()
        }
    }

    private final class Seen: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private static let order = """
        {"paymentOrder":{"id":"/psp/paymentorders/1"},"operations":[{"rel":"view-checkout",
         "method":"GET","href":"https://ecom.payex.com/checkout/1","contentType":"application/javascript"}]}
        """

    @Test func `an order without a page to show fails, and the problem is the merchant's`()
        async throws
    {
        let order = #"{"paymentOrder":{"id":"/psp/paymentorders/1"},"operations":[]}"#
        try await withBackend(order: order) { _, state, seen in
            #expect(state.outcome == .failed)
            #expect(state.problem?.problem.kind == .configurationFailed)
            #expect(state.problem?.problem.actor == .merchant)
            #expect(seen() == ["GET /api/", "POST /api/orders"])
        }
    }

    @Test(.threat("T-39")) func `links to another domain are not followed`() async throws {
        let root = #"{"consumers":"consumers","paymentorders":"https://evil.example/orders"}"#
        try await withBackend(root: root, order: Self.order) { _, state, seen in
            #expect(state.problem?.problem.kind != nil)
            #expect(state.checkout?.order == nil && state.openActions.isEmpty)
            #expect(seen().allSatisfy { $0 == "GET /api/" })
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"paymentorders":7}"#, #"[]"#, #"{"paymentorders":"http://[::bad"}"#,
        "<html></html>", "",
    ])
    func `a root without an orders link is a problem, and no order is created`(
        root: String
    ) async throws {
        try await withBackend(root: root, order: Self.order) { _, state, seen in
            #expect(state.problem != nil)
            #expect(state.checkout?.order == nil && state.openActions.isEmpty)
            #expect(seen().allSatisfy { $0 == "GET /api/" })
        }
    }

    @Test(arguments: ["text/html", "text/plain"])
    func `a response with another content type than JSON is not accepted as an order`(
        type: String
    ) async throws {
        try await withBackend(order: Self.order, type: type) { _, state, seen in
            #expect(state.problem?.problem.kind == .requestFailed)
            #expect(state.checkout?.order == nil && state.openActions.isEmpty)
            #expect(seen().count <= 3, "\(seen())")
        }
    }

    @Test(arguments: [
        "javascript:", "http://ecom.payex.com", "file://", "data:text/html,",
        "https://ecom.payex.com.evil.example", "https://ecom.payex.com:8443",
    ])
    func `a script URL outside the PSP is not disclosed, and no page is made of it`(
        beginning: String
    ) async throws {
        let order = Self.order.replacing("https://ecom.payex.com", with: beginning)
        try await withBackend(order: order) { flow, state, _ in
            let view = SessionView(
                state,
                by: flow.engine.decider,
                disclosing: .masked,
                actions: .clear(try await flow.engine.secrets(of: state.session))
            )
            for action in view.actions {
                #expect(action.json["url"] == .null)
                #expect(throws: PageError.self) {
                    try Page.menu(PaymentMenu(action), allowsInsecureLoopback: true)
                }
            }
        }
    }
}
