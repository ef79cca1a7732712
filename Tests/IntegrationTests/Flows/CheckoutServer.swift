import Adapters
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MerchantBackend
import NIOCore
import Sandbox
import Synchronization

/// An HTTP server on this machine whose responses come from a function.
final class CheckoutServer: Sendable {
    /// A request.
    struct Call: Sendable {
        var head: HTTPRequest
        var body: [UInt8]

        var path: String { head.path ?? "" }
        var line: String { "\(head.method.rawValue) \(path)" }
    }

    /// A response.
    struct Answer: Sendable {
        var status: HTTPResponse.Status = .ok
        var fields: HTTPFields = [.contentType: "application/json"]
        var body: [UInt8] = []

        /// Returns a response with JSON, or with another type.
        static func json(_ text: String, type: String = "application/json") -> Answer {
            Answer(fields: [.contentType: type], body: Array(text.utf8))
        }
    }

    let address: String
    private let running: Task<Void, Never>
    private let connections: HandledConnections

    init(respond: @escaping @Sendable (Call) async -> Answer) async throws {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            let response = await respond(
                Call(head: request.head, body: Array(body.readableBytesView))
            )
            return Response(
                status: response.status,
                headers: response.fields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body))
            )
        }
        let (ports, listening) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "backend")
        logger.logLevel = .critical
        let connections = HandledConnections()
        self.connections = connections
        let application = Application(
            responder: responder,
            server: connections.http1(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listening.yield($0.localAddress?.port ?? 0) },
            logger: logger
        )
        running = Task { try? await application.run() }
        var port = 0
        for await number in ports {
            port = number
            break
        }
        address = "http://127.0.0.1:\(port)"
    }

    func shutdown() async {
        running.cancel()
        await running.value
        await connections.close()
    }
}

/// A merchant backend in front of a sandbox.
final class RunningBackend: Sendable {
    let root: String
    private let server: CheckoutServer
    private let loop: UVLoop
    private let transport: CurlTransport

    /// The callers' token.
    static let caller = "caller-4711"

    init(
        before sandbox: SandboxServer,
        register: any OrderRegister = InMemoryOrderRegister()
    ) async throws {
        loop = try UVLoop(name: "backend")
        var options = TransportConfiguration()
        options.allowsInsecureLoopback = true
        transport = CurlTransport(on: loop, configuration: options)
        let held = Held()
        server = try await CheckoutServer { call in await held.respond(call) }
        root = server.address + "/payments/"
        var configuration = try BackendConfiguration(
            publicURL: root,
            pspURL: sandbox.baseURL,
            accessToken: AccessToken(CheckoutFlow.accessToken),
            payeeID: "shop",
            allowsInsecureLoopback: true
        )
        configuration.features = try BackendFeatures(reading: [
            "allowExpandFullResource": "true", "allowPatchResource": "true",
        ])
        configuration.additionalOrderMembers = ["sandbox"]
        held.fill(
            PaymentBackend(
                configuration: configuration,
                authentication: FixedCallers([Self.caller: "shopper"]),
                register: register,
                review: AcceptAllOrders(),
                ownership: FixedPayers([:]),
                transport: transport
            )
        )
    }

    func shutdown() async {
        await server.shutdown()
        await transport.shutdown()
        await onThread { [loop] in loop.shutdown() }
    }

    /// Holds the backend, which needs its address before it exists.
    private final class Held: Sendable {
        private let backend = Mutex<PaymentBackend?>(nil)

        func fill(_ backend: PaymentBackend) { self.backend.withLock { $0 = backend } }

        func respond(_ call: CheckoutServer.Call) async -> CheckoutServer.Answer {
            guard let backend = backend.withLock({ $0 }) else {
                return CheckoutServer.Answer(status: .serviceUnavailable)
            }
            let response = await backend.respond(to: call.head, body: call.body, from: "127.0.0.1")
            return CheckoutServer.Answer(
                status: response.head.status,
                fields: response.head.headerFields,
                body: response.body
            )
        }
    }
}
