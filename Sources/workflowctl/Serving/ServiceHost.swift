internal import Console
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Sandbox
internal import Service

/// The HTTP server of `serve`: hands every request to the API, and sends what it returns.
struct ServiceHost: Sendable {
    /// The URL of the service, for example `http://127.0.0.1:8092`.
    let url: String
    private let running: Task<Void, Never>
    /// Ends when everything has ended that was running.
    private let ended: AsyncStream<Never>
    private let connections: HandledConnections

    /// The maximum number of connections at a time.
    static let maximumConnections = 20_000

    /// For how long browsers come over TLS only: a year.
    ///
    /// - Note: Source: RFC 6797.
    static let onlyTLS = "max-age=31536000"
    /// How long a connection may be idle.
    static let idle = Duration.seconds(60)
    /// How long requests may take to end when the service stops.
    static let ending = Duration.seconds(5)

    /// Listens, and responds until ``shutdown()``; with these files over TLS, and with these pages
    /// beside the API.
    static func start(
        _ api: PaymentAPI,
        _ listener: PaymentAPI.Listener = .everything,
        pages console: Console? = nil,
        at address: ListenAddress,
        tls: TLSFiles?,
        bodyLimit: Int
    ) async throws(Failure) -> ServiceHost {
        let responder = responder(to: api, listener, console, isTLS: tls != nil, bodyLimit)
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let (ended, end) = AsyncStream<Never>.makeStream()
        var logger = Logger(label: "workflowctl.server")
        logger.logLevel = .critical
        let connections = HandledConnections()
        let application = Application(
            responder: responder,
            server: tls.map { SecureChannel.server($0, holding: connections) }
                ?? connections.http1(.init(idleTimeout: TimeAmount(idle))),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: .maximum(maximumConnections, logger: logger)
            ),
            onServerRunning: { listening.yield($0.localAddress?.port ?? address.port) },
            logger: logger
        )
        let running = Task {
            try? await application.run()
            listening.finish()
            end.finish()
        }
        for await port in ports {
            let found = ListenAddress(host: address.host, port: port)
            return ServiceHost(
                url: "\(tls == nil ? "http" : "https")://\(found.text)",
                running: running,
                ended: ended,
                connections: connections
            )
        }
        throw Failure(
            .unavailable,
            "server.not-listening",
            "cannot listen on port \(address.port)",
            hint: "another program may be using the port; port 0 chooses a free one"
        )
    }

    /// What responds to each request: the pages, where there are some at its path, or else the API.
    private static func responder(
        to api: PaymentAPI,
        _ listener: PaymentAPI.Listener,
        _ console: Console?,
        isTLS: Bool,
        _ bodyLimit: Int
    ) -> CallbackResponder<ServiceContext> {
        CallbackResponder<ServiceContext> { request, context in
            let body: ByteBuffer
            do {
                body = try await request.body.collect(upTo: bodyLimit)
            } catch is NIOTooManyBytesError {
                // The API refuses it in its own form.
                body = ByteBuffer(repeating: 0x20, count: bodyLimit + 1)
            }
            let (head, bytes) = (request.head, Array(body.readableBytesView))
            let page = await console?.respond(to: head, body: bytes, from: context.source)
            var response: ServiceResponse
            if let page {
                response = page
            } else {
                response = await api.respond(
                    to: head,
                    body: bytes,
                    from: context.source,
                    at: listener
                )
            }
            // What a proxy says of its own TLS is its own matter.
            if isTLS { response.head.headerFields[.strictTransportSecurity] = Self.onlyTLS }
            return Response(
                status: response.head.status,
                headers: response.head.headerFields,
                body: Self.body(of: response)
            )
        }
    }

    /// Stops listening, and waits for requests in progress; those that wait for something longer
    /// than that end with the engine.
    func shutdown() async {
        running.cancel()
        // In a task of its own, because that of an interrupted command is canceled.
        await Task { [ended] in
            await withTaskGroup { group in
                group.addTask { for await _ in ended {} }
                group.addTask { try? await Task.sleep(for: Self.ending * 2) }
                await group.next()
                group.cancelAll()
            }
        }.value
        await connections.close()
    }

    private static func body(of response: ServiceResponse) -> ResponseBody {
        switch response.body {
        case .whole(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        case .stream(let parts):
            ResponseBody { writer in
                for await part in parts { try await writer.write(ByteBuffer(bytes: part)) }
                try await writer.finish(nil)
            }
        }
    }
}

/// What is known of a request besides itself.
private struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address that it came from.
    let source: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        self.source = source.channel.remoteAddress?.ipAddress
    }
}
