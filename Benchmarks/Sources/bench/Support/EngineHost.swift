internal import Adapters
internal import Workflow

/// Everything that a service has: loop, HTTP, a SQLite file, keys and the engine.
final class EngineHost: Sendable {
    let loop: UVLoop
    let http: CurlTransport
    let store: SQLiteEventStore
    let vault: KeyFileVault
    let engine: PaymentEngine

    /// Puts an engine together on the store in a directory.
    ///
    /// - Parameters:
    ///   - directory: Where the store and its key are.
    ///   - loop: The loop to run on; nothing makes one.
    ///   - connections: How many requests may be under way.
    ///   - transport: What the engine's requests go through; it gets the real one to pass on to.
    ///   - configure: Changes the configuration.
    init(
        in directory: String,
        loop given: UVLoop? = nil,
        connections: Int = 64,
        transport: (CurlTransport) -> any Transport = { $0 },
        configure: (inout EngineConfiguration) -> Void = { _ in }
    ) async throws {
        loop = try given ?? UVLoop(name: "engine")
        http = Self.transport(on: loop, connections: connections)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        let provider = SwedbankPayProvider(transport: transport(http), options: options)
        store = try await SQLiteEventStore(path: directory + "/payments.db", loop: loop)
        vault = try KeyFileVault(path: directory + "/payments.db.key")
        var configuration = EngineConfiguration()
        configure(&configuration)
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: GuardedProvider(provider),
            vault: vault,
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
    }

    /// HTTP to this machine.
    static func transport(on loop: UVLoop, connections: Int = 64) -> CurlTransport {
        var configuration = TransportConfiguration()
        configuration.allowsInsecureLoopback = true
        configuration.maximumConcurrentRequests = connections
        configuration.maximumIdleConnections = connections
        configuration.maximumQueuedRequests = 100_000
        return CurlTransport(on: loop, configuration: configuration)
    }

    /// Ends everything but the loop.
    func shutdown() async {
        await engine.shutdown()
        await http.shutdown()
        await store.close()
    }
}
