internal import Adapters
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// One node: an engine with a store on a server.
final class ServerHost: Sendable {
    let loop: UVLoop
    let http: CurlTransport
    let store: PostgreSQLEventStore
    let engine: PaymentEngine

    /// Creates a node.
    ///
    /// - Parameters:
    ///   - url: The connection string of the database.
    ///   - keys: The key file that all nodes share.
    ///   - leaseTime: How long leases last without a renewal.
    ///   - connections: The maximum number of concurrent requests.
    ///   - transport: Wraps the transport of the engine's requests.
    ///   - configure: Changes the configuration.
    /// - Throws: An error when the store cannot be opened.
    init(
        _ url: String,
        keys: String,
        leaseTime: Duration = .seconds(10),
        connections: Int = 64,
        transport: (CurlTransport) -> any Transport = { $0 },
        configure: (inout PaymentConfiguration) -> Void = { _ in }
    ) async throws {
        loop = try UVLoop(name: "node")
        http = EngineHost.transport(on: loop, connections: connections)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        store = try await PostgreSQLEventStore(
            url: url,
            loop: loop,
            options: PostgreSQLOptions(leaseTime: leaseTime, node: "bench")
        )
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = nil
        configure(&configuration)
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: GuardedProvider(
                SwedbankPayProvider(transport: transport(http), options: options)
            ),
            vault: try KeyFileVault(path: keys),
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
    }

    /// Shuts down everything.
    func shutdown() async {
        await engine.shutdown()
        await http.shutdown()
        await store.close()
        loop.shutdown()
    }
}
