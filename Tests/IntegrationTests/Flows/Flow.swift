import Adapters
import EventLog
import Foundation
import FoundationNetworking
import Inspection
import Sandbox
import SwedbankPay
import Testing
import Workflow

/// One payment of an engine at a sandbox, and its steps.
struct Flow {
    let running: RunningEngine
    let sandbox: SandboxServer
    let order: CreatedOrder
    let session: SessionID

    var engine: PaymentEngine { running.engine }

    /// Opens a session for an order and waits until it settles.
    static func run(
        _ order: SandboxOrder = SandboxOrder(),
        preferences: [PreferenceRequest] = [],
        callbackScheme: String? = nil,
        _ body: (Flow) async throws -> Void
    ) async throws {
        try await withPayment { running, sandbox in
            let created = try await sandbox.createOrder(order)
            let session = try await running.engine.open(
                created.sessionURL,
                preferences: preferences,
                callbackScheme: callbackScheme,
                allowsInsecureLoopback: true
            )
            let flow = Flow(running: running, sandbox: sandbox, order: created, session: session)
            _ = try await flow.settled()
            try await body(flow)
            try await flow.checkLog()
        }
    }

    /// Waits until the session settles.
    func settled() async throws -> SessionState { try await running.settled(session) }

    /// Waits until the session ends.
    func ended() async throws -> SessionState { try await running.settled(session, ended: true) }

    /// Starts an attempt and waits until it settles.
    @discardableResult
    func attempt(_ request: AttemptRequest) async throws -> SessionState {
        try await engine.attempt(session, with: request)
        return try await settled()
    }

    /// Reports on the only open action, and waits until the session settles.
    @discardableResult
    func report(_ response: ClientReport) async throws -> SessionState {
        let action = try #require(try await engine.state(of: session).openActions.first)
        try await engine.report(session, action: action.id, response)
        return try await settled()
    }

    /// Returns what the client is shown, in the clear.
    func view() async throws -> SessionView {
        SessionView(
            try await engine.state(of: session),
            by: engine.decider,
            disclosing: .clear(try await engine.secrets(of: session))
        )
    }

    /// Returns a member of the only open action, as JSON.
    func actionMember(_ name: String) async throws -> JSONValue? {
        guard case .object(let members) = try #require(try await view().actions.first).json else {
            return nil
        }
        return members.first { $0.name == name }?.value
    }

    /// Returns the number of requests for an operation at the PSP.
    func requests(_ rel: String) async -> Int {
        await sandbox.orderLedger(order.id)?.requests[rel] ?? 0
    }

    /// The attempts begun at the PSP, whatever came of them.
    var attempts: [LedgerAttempt] {
        get async { await sandbox.orderLedger(order.id)?.attempts ?? [] }
    }

    /// Performs an action of the payer on the PSP's page.
    func onPage(_ action: String, method: String) async throws {
        let token = order.sessionURL.split(separator: "?").first?.split(separator: "/").last ?? ""
        let url = "\(sandbox.baseURL)/sandbox/menu/\(token)/\(action)?method=\(method)"
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "POST"
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    /// Completes the issuer's challenge as the payer.
    func passChallenge(_ decision: String = "approve") async throws -> String {
        let action = try #require(try await engine.state(of: session).openActions.first)
        let secrets = try await engine.secrets(of: session)
        return try await sandbox.passChallenge(action, secrets, decision: decision)
    }

    /// Checks that the stored log is a valid chain, folds to the live state, and replays.
    private func checkLog() async throws {
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
        let doubles = await sandbox.orderLedger(order.id)?.doubles
        #expect(doubles == [])
    }
}
