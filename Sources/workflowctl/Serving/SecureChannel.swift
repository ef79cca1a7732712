internal import Adapters
internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import Logging
internal import NIOCore
internal import Sandbox

/// Handles connections over TLS, on which a client speaks HTTP/2 or HTTP/1.1, as it chooses in the
/// handshake.
struct SecureChannel: ServerChildChannel {
    typealias Value = HTTP2UpgradeChannel.Value

    /// How long a client may take for the handshake and the beginning of a request.
    static let beginning = TimeAmount.seconds(10)
    private let files: TLSFiles
    private let responder: HTTPChannelHandler.Responder
    /// What handles connections with the certificate that was read last.
    private let known: ThreadLock<(version: Int, channel: HTTP2UpgradeChannel)>

    init(_ files: TLSFiles, responder: @escaping HTTPChannelHandler.Responder) throws {
        (self.files, self.responder) = (files, responder)
        let current = files.current
        known = ThreadLock((current.version, try Self.channel(current.configuration, responder)))
    }

    /// A server over TLS.
    static func server(
        _ files: TLSFiles,
        holding connections: HandledConnections
    ) -> HTTPServerBuilder {
        connections.server { responder in
            try SecureChannel(files, responder: responder)
        } closing: { channel, made in
            made.channel.close(promise: nil)
            await channel.handle(value: made, logger: Logger(label: "workflowctl.server"))
        }
    }

    private static func channel(
        _ configuration: TLSConfiguration,
        _ responder: @escaping HTTPChannelHandler.Responder
    ) throws -> HTTP2UpgradeChannel {
        try HTTP2UpgradeChannel(
            tlsConfiguration: configuration,
            configuration: .init(
                idleTimeout: ServiceHost.idle,
                streamConfiguration: .init(idleTimeout: TimeAmount(ServiceHost.idle))
            ),
            responder: responder
        )
    }

    /// What handles a new connection: with the certificate that the files have now.
    private var channel: HTTP2UpgradeChannel {
        let current = files.current
        return known.withLock { known in
            if current.version != known.version,
                let channel = try? Self.channel(current.configuration, responder)
            {
                known = (current.version, channel)
            }
            return known.channel
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let made = self.channel.setup(channel: channel, logger: logger)
        return made.flatMapThrowing { made in
            // Behind the handlers of the handshake, before those of HTTP.
            try channel.pipeline.syncOperations.addHandler(BeginningDeadline(Self.beginning))
            return made
        }
    }

    func handle(value: Value, logger: Logger) async {
        let (connection, channel) = (value.channel, known.withLock { $0.channel })
        let work = Task {
            await channel.handle(value: value, logger: logger)
            connection.close(promise: nil)
        }
        // If its task were canceled, an HTTP/2 connection would drop the requests that a client
        // begins meanwhile, and dropping one ends the process (see `HandledConnections`). So the
        // client is told that the connection ends, and after a while it is closed.
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            connection.eventLoop.scheduleTask(in: TimeAmount(ServiceHost.ending)) {
                connection.close(promise: nil)
            }
        }
    }
}

/// Closes a connection whose client does not get to its first request in time, or before the
/// service stops.
private final class BeginningDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let deadline: TimeAmount
    private var closing: Scheduled<Void>?

    init(_ deadline: TimeAmount) { self.deadline = deadline }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        closing = context.eventLoop.scheduleTask(in: deadline) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What was decrypted and is no part of the handshake.
        closing?.cancel()
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }
}
