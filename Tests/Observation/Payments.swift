import Adapters
import EventLog
import Foundation
import Inspection
import Sandbox
import SwedbankPay
import Testing
import Workflow

/// Payments of an engine that are paid, declined, given up and disturbed.
enum Payments {
    /// A secret that the PSP wrongly quotes.
    private static let quoted = "markedQuoted0a1b2c3d4e5f6071"

    static func run(_ watched: inout Watched) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sandbox = try await SandboxServer.start(SandboxConfiguration())
        let loop = try UVLoop(name: "observed")
        var network = TransportConfiguration()
        network.allowsInsecureLoopback = true
        let transport = CurlTransport(on: loop, configuration: network)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        let store = try await SQLiteEventStore(path: folder.path + "/payments.db", loop: loop)
        let vault = try KeyFileVault(path: folder.path + "/payments.db.key")
        var configuration = PaymentConfiguration()
        configuration.sessionLimits.retryBudget = .seconds(1)
        let engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: GuardedProvider(SwedbankPayProvider(transport: transport, options: options)),
            vault: vault,
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        Task { [engine] in await engine.run() }
        for (order, request, responses) in payments {
            let created = try await sandbox.createOrder(order)
            watched.add(created.sessionURL)
            let session = try await engine.open(created.sessionURL, allowsInsecureLoopback: true)
            try await settle(session, engine)
            if let request {
                _ = try? await engine.attempt(session, with: request)
                try await settle(session, engine)
            }
            for response in responses {
                if let action = try await engine.state(of: session).actions.first(where: \.isOpen) {
                    _ = try? await engine.report(session, action: action.id, response)
                    try await settle(session, engine)
                }
            }
            do {
                try await engine.returned(session, with: "https://evil.example/?t=\(quoted)")
            } catch {
                watched.told += ["\(error)", String(reflecting: error)]
            }
            _ = try? await engine.abort(session)
            try await settle(session, engine)
            try await look(at: session, engine, store, vault, &watched)
        }
        for secret in [quoted, "marked.person1@example.com", "+46709876543", "+46701234987"] {
            watched.add(secret)
        }
        watched.told += ["\(vault)", String(reflecting: vault), "\(transport)", "\(engine)"]
        await engine.shutdown()
        await transport.shutdown()
        await store.close()
        await sandbox.shutdown()
        try FileManager.default.removeItem(at: folder)
    }

    /// Records descriptions and dumps of the engine's values.
    private static func look(
        at session: SessionID,
        _ engine: PaymentEngine,
        _ store: SQLiteEventStore,
        _ vault: KeyFileVault,
        _ watched: inout Watched
    ) async throws {
        let secrets = try await engine.secrets(of: session)
        let state = try await engine.state(of: session)
        let view = SessionView(state, by: engine.decider, disclosing: .masked)
        let wrapped = try #require(try await store.wrappedKey(of: session))
        let keys = try await vault.keys(unwrapping: wrapped, for: session)
        for record in try await store.read(session, from: 1, limit: 1000) {
            let revealed = RecordReader.secrets(in: record, keys: keys)
            let event = try RecordReader.event(in: record)
            for sealed in EventCodec.encode(event).sealed { watched.add(revealed[sealed] ?? "") }
            watched.told += ["\(event)", String(reflecting: event)]
        }
        for value in [secrets, state, view, keys] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            watched.told += ["\(value)", String(reflecting: value), dumped]
        }
    }

    private static func settle(_ session: SessionID, _ engine: PaymentEngine) async throws {
        // A session that is disturbed forever does not settle.
        let limit = ContinuousClock.now + .milliseconds(600)
        while ContinuousClock.now < limit {
            let state = try await engine.state(of: session)
            if engine.decider.isSettled(state) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Orders, the instruments, and the client's reports.
    private static var payments: [(SandboxOrder, AttemptRequest?, [ClientReport])] {
        let text =
            "session {{session}} {{token:leak}} \(quoted) marked.person1@example.com +46709876543"
        let problem =
            #"{"type":"https://api.payex.com/psp/errordetail/inputerror","title":"\#(quoted)","#
            + #""detail":"\#(text)","status":400}"#
        func disturbed(_ rel: String, _ status: Int, _ body: String) -> SandboxOrder {
            var order = SandboxOrder(payerReference: "payer-1")
            order.scenario.script = Script([
                rel: [Step(.literal(LiteralResponse(status: status, body: body)), requests: .rest)]
            ])
            return order
        }
        let number = AttemptRequest.swish(msisdn: MSISDN("+46701234987"))
        let error = "could not load https://bank.example/\(quoted)"
        return [
            (SandboxOrder(), number, []),
            (
                SandboxOrder(payerReference: "payer-1"), .card(rank: 1),
                [.done, .failed(error: error), .challengeCompleted(cRes: quoted)]
            ),
            (SandboxOrder(amount: 900_361, payerReference: "payer-1"), .card(rank: 1), [.done]),
            (disturbed("session", 500, "<html>\(text)"), nil, []),
            (disturbed("prepare-payment", 200, "{\"x\": \"\(text)\""), nil, []),
            (disturbed("expand-method", 400, problem), number, []),
            (disturbed("start-payment-attempt", 400, problem), number, []),
            (disturbed("start-payment-attempt", 200, "[\"\(text)\"]"), number, []),
            (disturbed("abort-payment", 403, problem), nil, []),
        ]
    }
}
