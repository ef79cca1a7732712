import Adapters
import Foundation
import FoundationNetworking
import HTTPTypes
import Hummingbird
import Logging
import MerchantBackend
import NIOCore
import Sandbox
import Testing

/// A merchant's whole service: an HTTP server, the backend, and the sandbox as the PSP.
final class RunningShop: Sendable {
    let baseURL: String
    let sandbox: SandboxServer
    let listener = Listener()
    let register = InMemoryOrderRegister()
    private let loop: UVLoop
    private let transport: CurlTransport
    private let running: Task<Void, any Error>

    init() async throws {
        sandbox = try await SandboxServer.start(SandboxConfiguration())
        loop = try UVLoop(name: "shop")
        var options = TransportConfiguration()
        options.allowsInsecureLoopback = true
        transport = CurlTransport(on: loop, configuration: options)
        let port = try Self.freePort()
        baseURL = "http://127.0.0.1:\(port)"
        var configuration = try BackendConfiguration(
            publicURL: baseURL + "/payments/",
            pspURL: sandbox.baseURL,
            accessToken: AccessToken(Shop.token),
            payeeID: "5cabf558-5283-482f-b252-4d58e06f6f3b",
            allowsInsecureLoopback: true
        )
        configuration.features = .all
        configuration.callbackSecret = try CallbackSecret(Shop.secret)
        let backend = PaymentBackend(
            configuration: configuration,
            authentication: Users(),
            register: register,
            review: AcceptAllOrders(),
            ownership: Payers(),
            listener: listener,
            transport: transport
        )
        // This is all that mounting requires.
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let body = try await request.body.collect(
                upTo: backend.configuration.maximumBodyBytes + 1
            )
            let response = await backend.respond(
                to: request.head,
                body: Array(body.readableBytesView),
                from: "127.0.0.1"
            )
            return Response(
                status: response.head.status,
                headers: response.head.headerFields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body))
            )
        }
        let (ready, listening) = AsyncStream<Void>.makeStream()
        var logger = Logger(label: "shop")
        logger.logLevel = .critical
        let application = Application(
            responder: responder,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port)
            ),
            onServerRunning: { _ in listening.yield() },
            logger: logger
        )
        running = Task { try await application.run() }
        for await _ in ready { break }
    }

    func shutdown() async {
        running.cancel()
        _ = await running.result
        await transport.shutdown()
        await sandbox.shutdown()
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [loop] in
                loop.shutdown()
                continuation.resume()
            }
        }
    }

    /// Sends a request as an app would.
    func send(
        _ method: String,
        _ url: String,
        _ json: String? = nil,
        as user: String? = "alice"
    ) async throws -> (status: Int, json: [String: Any]) {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.timeoutInterval = 20
        if let json {
            request.httpBody = Data(json.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let user { request.setValue("Bearer \(user)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let object = try? JSONSerialization.jsonObject(with: data)
        return (
            try #require(response as? HTTPURLResponse).statusCode, object as? [String: Any] ?? [:]
        )
    }

    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        try #require(isBound)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

@Suite struct MountedTests {
    @Test
    func `an order is created, switched, aborted and read over HTTP, with the sandbox as PSP`()
        async throws
    {
        let shop = try await RunningShop()
        let root = try await shop.send("GET", shop.baseURL + "/payments/")
        let create = try #require(root.json["paymentorders"] as? String)
        let order = Shop.order(more: ",\"instrument\":\"CreditCard\"")
        let created = try await shop.send("POST", create, order)
        #expect(created.status == 201)
        let paymentOrder = try #require(created.json["paymentOrder"] as? [String: Any])
        let id = try #require(paymentOrder["id"] as? String)
        let operations = try #require(created.json["operations"] as? [[String: Any]])
        let rels = operations.compactMap { $0["rel"] as? String }
        #expect(rels.contains("view-checkout") && rels.contains("view-paymentsession"))
        #expect(!rels.contains("update-order"))

        let session = operations.first { $0["rel"] as? String == "view-paymentsession" }
        let href = try #require(session?["href"] as? String)
        #expect(try await shop.send("GET", href, as: nil).status == 200)

        let change = operations.first { $0["rel"] as? String == "set-instrument" }
        let link = try #require(change?["href"] as? String)
        let switched = try await shop.send(
            "PATCH",
            shop.baseURL + "/payments/patch",
            ChangingTests.patch(href: link)
        )
        #expect(switched.status == 200)
        #expect(
            (switched.json["paymentOrder"] as? [String: Any])?["instrument"] as? String == "Swish"
        )
        let stranger = try await shop.send(
            "PATCH",
            shop.baseURL + "/payments/patch",
            ChangingTests.patch(href: link),
            as: "bob"
        )
        #expect(stranger.status == 404)

        let aborted = try await shop.send(
            "PATCH",
            shop.baseURL + "/payments/patch",
            ChangingTests.patch("Abort", href: link)
        )
        #expect(aborted.status == 200)
        let read = try await shop.send(
            "POST",
            shop.baseURL + "/payments/expand",
            "{\"resource\":\"\(id)\",\"expand\":[\"aborted\"]}"
        )
        #expect((read.json["paymentOrder"] as? [String: Any])?["status"] as? String == "Aborted")
        await shop.shutdown()
    }

    @Test
    func `an order of the second generation changes its instrument through its link over HTTP`()
        async throws
    {
        let shop = try await RunningShop()
        let created = try await shop.send(
            "POST",
            shop.baseURL + "/payments/paymentorders",
            Shop.order(productName: nil, more: ",\"instrument\":\"CreditCard\"")
        )
        #expect(created.status == 201)
        let sdk = try #require(created.json["mobileSDK"] as? [String: Any])
        #expect(
            sdk["validInstruments"] as? [String] == [
                "Swish", "CreditCard", "Invoice-PayExFinancingSe",
            ]
        )
        let switched = try await shop.send(
            "PATCH",
            try #require(sdk["setInstrument"] as? String),
            #"{"paymentorder":{"operation":"SetInstrument","instrument":"Swish"}}"#
        )
        #expect(switched.status == 200)
        #expect(
            (switched.json["paymentOrder"] as? [String: Any])?["instrument"] as? String == "Swish"
        )
        await shop.shutdown()
    }

    @Test func `a callback that is sent over HTTP is passed to the host`() async throws {
        let shop = try await RunningShop()
        let created = try await shop.send(
            "POST",
            shop.baseURL + "/payments/paymentorders",
            Shop.order()
        )
        let id = try #require((created.json["paymentOrder"] as? [String: Any])?["id"] as? String)
        let reply = try await shop.send(
            "POST",
            shop.baseURL + "/payments/callbacks/" + Shop.secret,
            CallbackTests.callback(id),
            as: nil
        )
        #expect(reply.status == 200)
        #expect(shop.listener.receipts.map(\.orderID) == [id])
        await shop.shutdown()
    }
}
