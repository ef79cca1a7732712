internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Sandbox
internal import Service

/// The HTTP server of `serve`: hands every request to the API, and sends what it returns.
struct ServiceHost: Sendable {
    /// Where it listens.
    struct Address: Hashable, Sendable {
        var host: String
        var port: Int

        /// The address in a text such as `127.0.0.1:8092` or `[::1]:8092`; `nil` for another form.
        init?(_ text: String) {
            guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
                let port = UInt16(text[text.index(after: colon)...])
            else { return nil }
            var host = String(text[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = String(host.dropFirst().dropLast())
            }
            guard !host.isEmpty else { return nil }
            (self.host, self.port) = (host, Int(port))
        }

        /// Whether only programs on this machine can reach it.
        var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host.lowercased()) }
    }

    /// The URL of the service, for example `http://127.0.0.1:8092`.
    let url: String
    private let running: Task<Void, Never>
    private let connections: HandledConnections

    /// The maximum number of connections at a time.
    static let maximumConnections = 20_000

    /// Listens, and responds until ``shutdown()``.
    static func start(
        _ api: PaymentAPI,
        at address: Address,
        bodyLimit: Int
    ) async throws(Failure) -> ServiceHost {
        let responder = CallbackResponder<ServiceContext> { request, context in
            let body: ByteBuffer
            do {
                body = try await request.body.collect(upTo: bodyLimit)
            } catch is NIOTooManyBytesError {
                // The API refuses it in its own form.
                body = ByteBuffer(repeating: 0x20, count: bodyLimit + 1)
            }
            let response = await api.respond(
                to: request.head,
                body: Array(body.readableBytesView),
                from: context.source
            )
            return Response(
                status: response.head.status,
                headers: response.head.headerFields,
                body: Self.body(of: response)
            )
        }
        let (ports, listening) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "workflowctl.server")
        logger.logLevel = .critical
        let connections = HandledConnections()
        let application = Application(
            responder: responder,
            server: connections.http1(.init(idleTimeout: .seconds(60))),
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
        }
        for await port in ports {
            let host =
                address.host.utf8.contains(UInt8(ascii: ":")) ? "[\(address.host)]" : address.host
            return ServiceHost(
                url: "http://\(host):\(port)",
                running: running,
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

    /// Stops listening, and waits for requests in progress.
    func shutdown() async {
        running.cancel()
        await running.value
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
