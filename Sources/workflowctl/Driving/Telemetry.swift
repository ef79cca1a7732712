internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Reports events to the PSP during one command, with connections of its own.
struct Telemetry: Sendable {
    private let logger: EventLogger
    private let transport: CurlTransport
    private let grace: Duration

    /// The maximum number of connections.
    private static let connections = 8

    /// Creates a worker that subscribes to an engine's updates.
    init(
        _ configuration: Configuration,
        of engine: PaymentEngine,
        _ store: any PersistentStore,
        _ vault: any KeyVault,
        on loop: UVLoop
    ) async {
        var network = configuration.transport
        network.maximumConcurrentRequests = Self.connections
        network.maximumIdleConnections = Self.connections
        transport = CurlTransport(on: loop, configuration: network)
        grace = configuration.eventLoggingGrace
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = configuration.transport.allowsInsecureLoopback
        logger = EventLogger(
            store: store,
            vault: vault,
            sender: EventLoggingSender(
                transport: transport,
                client: configuration.client,
                options: options
            ),
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        await engine.reportProgress(to: logger)
    }

    /// Reports what earlier commands have left unreported, of one session or of all.
    func catchUp(_ session: SessionID?) async {
        if let session { await logger.notice(session) } else { await logger.catchUp() }
    }

    /// Continues for a short time after the engine has ended, and then stops; the next command
    /// continues.
    func end() async {
        await logger.flush(within: grace)
        await logger.shutdown()
        await transport.shutdown()
    }
}
