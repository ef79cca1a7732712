internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The worker of one command that reports events to the PSP, with connections of its own.
struct Telemetry: Sendable {
    private let logger: EventLogger
    private let transport: CurlTransport
    private let grace: Duration

    /// The maximum number of connections.
    private static let connections = 8

    /// Creates a worker that receives the progress of an engine's sessions.
    init(
        _ configuration: Configuration,
        of engine: PaymentEngine,
        _ store: any PaymentStore,
        _ vault: any KeyVault,
        on loop: UVLoop
    ) async {
        var network = configuration.transport
        network.maximumConcurrentRequests = Self.connections
        network.maximumIdleConnections = Self.connections
        transport = CurlTransport(on: loop, configuration: network)
        grace = configuration.tellingGrace
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
        await engine.tell(logger)
    }

    /// Resumes the reports that earlier commands did not deliver, of one session or of all.
    func catchUp(_ session: SessionID?) async {
        if let session { await logger.notice(session) } else { await logger.catchUp() }
    }

    /// Continues briefly after the engine has ended, then stops; the next command delivers the
    /// rest.
    func end() async {
        await logger.flush(within: grace)
        await logger.shutdown()
        await transport.shutdown()
    }
}
