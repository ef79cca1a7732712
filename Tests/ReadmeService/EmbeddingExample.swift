import Adapters
import Inspection
import SwedbankPay
import Workflow

/// Takes payments: one event loop, one HTTP client, one store, one engine.
struct Payments {
    let loop: UVLoop
    let transport: CurlTransport
    let store: SQLiteEventStore
    let engine: PaymentEngine

    init(folder: String, isSandbox: Bool = false) async throws {
        loop = try UVLoop(name: "payments")
        var http = TransportConfiguration()
        http.allowsInsecureLoopback = isSandbox
        transport = CurlTransport(on: loop, configuration: http)
        var api = SwedbankPayOptions()
        api.allowsInsecureLoopback = isSandbox
        store = try await SQLiteEventStore(path: "\(folder)/payments.db", loop: loop)
        engine = PaymentEngine(
            configuration: PaymentConfiguration(),
            catalogue: .bundled,
            store: store,
            provider: GuardedProvider(SwedbankPayProvider(transport: transport, options: api)),
            vault: try KeyFileVault(path: "\(folder)/payments.db.key"),
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        Task { [engine] in await engine.run() }
    }

    /// Pays a session with Swish on the payer's device; `tell` brings the payer's app what it has to do.
    func pay(
        _ sessionURL: String,
        isSandbox: Bool = false,
        tell: (ActionView) async throws -> ClientAnswer
    ) async throws -> Outcome? {
        let session = try await engine.open(
            sessionURL,
            reference: "order-4711",
            preferences: [.swish(msisdn: nil)],
            allowsInsecureLoopback: isSandbox
        )
        var told: Set<ActionID> = []
        for await update in try await engine.updates(of: session) {
            if let outcome = update.state.outcome { return outcome }
            let secrets = try await engine.secrets(of: session)
            let view = SessionView(
                update.state,
                by: engine.decider,
                disclosing: .masked,
                actions: .clear(secrets)
            )
            for action in view.actions where told.insert(action.id).inserted {
                let answer = try await tell(action)
                do {
                    try await engine.report(session, action: action.id, answer)
                } catch EngineError.rejected {
                    // Too late: the session has moved on, and the next update says where to.
                }
            }
        }
        return nil
    }

    /// Ends cleanly; what was under way is found in the log by the next start.
    func stop() async {
        await engine.shutdown()
        await transport.shutdown()
        await store.close()
        loop.shutdown()
    }
}
