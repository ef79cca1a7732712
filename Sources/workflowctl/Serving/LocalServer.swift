internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Sandbox

/// An HTTP server on this machine, for demonstrations and sandboxes.
struct LocalServer: Sendable {
    /// A request.
    struct Request: Sendable {
        var head: HTTPRequest
        var body: [UInt8]
    }

    /// A response.
    struct Reply: Sendable {
        var status: HTTPResponse.Status
        var fields: HTTPFields = [:]
        var body: [UInt8] = []
    }

    /// Its address, for example `http://127.0.0.1:8094`.
    let address: String
    private let running: Task<Void, Never>
    private let connections: HandledConnections

    /// The maximum size of a request's body.
    static let bodyLimit = 1 << 20

    /// Listens on loopback; port 0 chooses a free one.
    static func start(
        port: Int,
        respond: @escaping @Sendable (Request) async -> Reply
    ) async throws(Failure) -> LocalServer {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            guard let body = try? await request.body.collect(upTo: bodyLimit) else {
                return Response(status: .contentTooLarge)
            }
            let reply = await respond(
                Request(head: request.head, body: Array(body.readableBytesView))
            )
            return Response(
                status: reply.status,
                headers: reply.fields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body))
            )
        }
        let (ports, listening) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "workflowctl.server")
        logger.logLevel = .critical
        let connections = HandledConnections()
        let application = Application(
            responder: responder,
            server: connections.http1(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in listening.yield(channel.localAddress?.port ?? port) },
            logger: logger
        )
        let running = Task {
            try? await application.run()
            listening.finish()
        }
        for await port in ports {
            return LocalServer(
                address: "http://127.0.0.1:\(port)",
                running: running,
                connections: connections
            )
        }
        throw Failure(
            .unavailable,
            "server.not-listening",
            "cannot listen on 127.0.0.1, port \(port)",
            hint: "another program may be using the port; --port 0 chooses a free one"
        )
    }

    /// Stops listening, and waits for requests in progress.
    func shutdown() async {
        running.cancel()
        await running.value
        await connections.close()
    }
}

extension LocalServer.Reply {
    /// Returns a document for a browser.
    static func html(
        _ text: String,
        _ fields: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    ) -> Self {
        LocalServer.Reply(status: .ok, fields: fields, body: Array(text.utf8))
    }

    /// Returns a redirection.
    static func seeOther(_ location: String) -> Self {
        var reply = LocalServer.Reply(status: .seeOther)
        reply.fields[.location] = location
        reply.fields[.cacheControl] = "no-store"
        return reply
    }
}
