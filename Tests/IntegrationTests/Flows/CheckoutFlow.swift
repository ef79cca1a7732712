import Adapters
import EventLog
import Foundation
import FoundationNetworking
import Inspection
import Sandbox
import SwedbankPay
import Testing
import Workflow

/// Checkouts of an engine at a sandbox, and their steps.
struct CheckoutFlow {
    let running: RunningEngine
    let sandbox: SandboxServer
    let directory: URL
    /// The source of the orders, with its URL.
    let gateway: OrderGateway
    let root: String

    var engine: PaymentEngine { running.engine }

    /// The token that the PSP of these tests requires.
    static let accessToken = "merchant-access"

    /// The credentials with which engines request orders.
    static let access = OrderAccess(
        headers: { _ in [("Authorization", "Bearer " + RunningBackend.caller)] },
        accessToken: { _ in accessToken }
    )

    /// Runs a test at the PSP, or at a backend in front of it.
    static func run(
        _ gateway: OrderGateway = .psp,
        _ body: (CheckoutFlow) async throws -> Void
    ) async throws {
        try await withDirectory { directory in
            var configuration = SandboxConfiguration.patient
            configuration.accessToken = accessToken
            let sandbox = try await SandboxServer.start(configuration)
            let backend =
                gateway == .merchantBackend ? try await RunningBackend(before: sandbox) : nil
            let running = try await RunningEngine(in: directory, access: access)
            let flow = CheckoutFlow(
                running: running,
                sandbox: sandbox,
                directory: directory,
                gateway: gateway,
                root: backend?.root ?? sandbox.baseURL
            )
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(flow))
            } catch {
                result = .failure(error)
            }
            await running.shutdown()
            await backend?.shutdown()
            await sandbox.shutdown()
            try result.get()
        }
    }

    /// An order for a lamp.
    static func order(
        instrument: PaymentMethodName? = nil,
        faults: String = ""
    ) throws -> PaymentOrder {
        var order = try PaymentOrderDocument.read(
            """
            {"operation":"Purchase","currency":"SEK","amount":10000,"vatAmount":2000,
             "description":"Lamp","language":"sv-SE","userAgent":"shop/1","productName":"Checkout3",
             "urls":{"hostUrls":["https://shop.example/"],"completeUrl":"https://shop.example/complete",
             "cancelUrl":"https://shop.example/cancel","paymentUrl":"https://shop.example/pay?id=1"},
             "payeeInfo":{"payeeId":"shop","payeeReference":"r\(UInt64.random(in: 1...UInt64.max))",
             "orderReference":"1001"},
             "sandbox":{"faults":[\(faults)]}}
            """
        )
        order.instrument = instrument
        return order
    }

    /// Opens a checkout and waits until it settles.
    func open(
        _ order: PaymentOrder,
        change: (inout CheckoutRequest) -> Void = { _ in }
    ) async throws -> SessionState {
        var request = CheckoutRequest(of: order, by: gateway, at: root)
        change(&request)
        let session = try await engine.openCheckout(request, allowsInsecureLoopback: true)
        return try await running.settled(session)
    }

    /// Reports on the only open action, and waits until the session settles.
    @discardableResult
    func report(_ session: SessionID, _ response: ClientReport) async throws -> SessionState {
        let action = try #require(try await engine.state(of: session).openActions.first)
        try await engine.report(session, action: action.id, response)
        return try await running.settled(session)
    }

    /// Returns the body of the PSP's callback about a session's order.
    static func call(about state: SessionState) -> [UInt8] {
        Array(#"{"paymentOrder":{"id":"\#(state.checkout?.order?.id ?? "/unknown")"}}"#.utf8)
    }

    /// Delivers the PSP's callback, and returns the new state.
    func callback(_ session: SessionID) async throws -> SessionState {
        try await engine.callback(
            session,
            body: Self.call(about: try await engine.state(of: session))
        )
        return try await running.settled(session)
    }

    /// Pays on another device.
    func elsewhere(
        _ state: SessionState,
        _ query: String = "as=paid&method=CreditCard"
    ) async throws {
        try await post("/sandbox/orders/\(id(of: state))/outcome?\(query)")
    }

    /// Returns the PSP's identifier of the order.
    func id(of state: SessionState) -> String {
        String(state.checkout?.order?.id?.split(separator: "/").last ?? "")
    }

    /// Returns the order in the PSP's ledger.
    func ledger(of state: SessionState) async throws -> LedgerOrder {
        try #require(await sandbox.orderLedger(id(of: state)))
    }

    /// Performs another party's act at the sandbox.
    @discardableResult
    func post(_ path: String) async throws -> [String: Any] {
        var request = URLRequest(url: try #require(URL(string: sandbox.baseURL + path)))
        request.httpMethod = "POST"
        let (data, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// Checks that the stored log of a session is a valid chain, folds to the live state, and
    /// replays.
    func checkLog(of session: SessionID) async throws {
        let live = try await engine.state(of: session)
        let records = try await running.store.read(session, from: 1, limit: 1000)
        var verifier = LogVerifier<SessionEvent>(stream: session)
        for record in records { try verifier.check(record) }
        let events = try records.map { try EventCodec.decode($0.canonical) }
        var check = ReplayCheck(of: session, by: engine.decider)
        for (place, event) in events.enumerated() where event.sequence <= live.sequence {
            let next = place + 1 < events.count ? events[place + 1].event : nil
            try check.verify(event, followedBy: next)
        }
        #expect(check.state == live)
        let text = records.map { String(decoding: $0.canonical, as: UTF8.self) }.joined()
        #expect(!text.contains(Self.accessToken) && !text.contains(RunningBackend.caller))
        #expect(!text.contains("/psp/scripts/") && !text.contains("/paymentsessions/"))
    }
}
