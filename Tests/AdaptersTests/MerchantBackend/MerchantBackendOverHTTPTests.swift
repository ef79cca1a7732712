import SwedbankPay
import TestSupport
import Testing

@testable import Adapters

/// The client over HTTP, against a backend on a socket.
@Suite struct MerchantBackendOverHTTPTests {
    private static func options() -> SwedbankPayOptions {
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        options.requestDeadline = .seconds(20)
        return options
    }

    @Test(.feature("I-04"))
    func `a backend is called by its root, with the host's own headers`() async throws {
        let server = SocketServer { connection in
            while let request = connection.readRequest() {
                let isRoot = request.hasPrefix("GET /api/ ")
                connection.respond(
                    isRoot ? 200 : 201,
                    isRoot ? OrderFixture.root : OrderFixture.checkout,
                    extra: "Content-Type: application/json\r\n"
                        + (isRoot ? "Cache-Control: max-age=60\r\n" : "")
                )
            }
        }
        defer { server.stop() }
        try await withTransport { transport, _ in
            let client = try MerchantBackendClient(
                root: server.url("/api/"),
                transport: transport,
                access: OrderAccess(headers: { _ in [("X-User", "anna")] }),
                options: Self.options()
            )
            let order = try await client.create(#"{"amount":1}"#)
            _ = try await client.setInstrument(.swish, of: order)
            await transport.shutdown()
        }
        let lines = server.requests.withLock { $0 }
        #expect(
            lines.map { $0.prefix { $0 != "\r\n" } } == [
                "GET /api/ HTTP/1.1", "POST /api/paymentorders HTTP/1.1",
                "PATCH /api/patch HTTP/1.1",
            ]
        )
        #expect(lines.allSatisfy { $0.contains("\r\nX-User: anna\r\n") })
    }

    @Test(.feature("O-19"), .timeLimit(.minutes(10)))
    func `a canceled call closes its connection, and fails as canceled and possibly sent`()
        async throws
    {
        let gone = ThreadLock(0)
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
            gone.withLock { $0 += 1 }
        }
        defer { server.stop() }
        try await withTransport { transport, loop in
            let client = try MerchantBackendClient(
                root: server.url("/api/"),
                transport: transport,
                options: Self.options()
            )
            let call = loop.spawn {
                await orderError { () async throws(OrderAPIError) in
                    try await client.endpoints()
                }
            }
            while server.requests.withLock({ $0.isEmpty }) { await Task.yield() }
            call.cancel()
            guard case .network(let failure)? = await call.value else {
                Issue.record("no failure")
                return
            }
            #expect(failure.kind == .canceled && failure.reach == .maybeSent)
            // Before the shutdown, which would close it, too.
            while gone.withLock({ $0 == 0 }) { try await Task.sleep(for: .milliseconds(1)) }
            await transport.shutdown()
        }
    }
}
