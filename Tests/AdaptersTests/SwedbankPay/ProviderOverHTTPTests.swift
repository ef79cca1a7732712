import SwedbankPay
import TestSupport
import Testing
import UVTransport

@testable import SwedbankPayHTTP

/// The provider and the real transport, against a server on the loopback interface.
@Suite struct ProviderOverHTTPTests {
    private func perform(
        _ rel: Rel,
        _ body: OperationBody = .none,
        deadline: Duration = .seconds(20),
        _ handle: @escaping @Sendable (SocketServer.Connection) -> Void
    ) async throws -> (ProviderResponse, [String]) {
        let server = SocketServer(handle)
        defer { server.stop() }
        let bench = try RequestBench()
        return try await withTransport { transport, _ in
            var options = SwedbankPayOptions()
            options.allowsInsecureLoopback = true
            options.requestDeadline = deadline
            options.maximumResponseBytes = 64 << 10
            let response = await SwedbankPayProvider(transport: transport, options: options)
                .perform(bench.request(rel, body, address: server.url("/psp/paymentsessions/x")))
            await transport.shutdown()
            return (response, server.requests.withLock { $0 })
        }
    }

    @Test func `a session is read over the wire`() async throws {
        let (response, requests) = try await perform(.session) { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(
                200,
                SnapshotTests.illustrative,
                extra: "Content-Type: application/json\r\n"
            )
        }
        guard case .snapshot(let snapshot, 200) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        #expect(snapshot.methods.map(\.name.rawValue) == ["Swish", "CreditCard", "Trustly"])
        let request = try #require(requests.first)
        #expect(request.hasPrefix("GET /psp/paymentsessions/x HTTP/1.1\r\n"))
        #expect(request.contains("\r\nAccept: application/json\r\n"))
        #expect(request.contains("\r\nContent-Type: application/json\r\n"))
    }

    @Test func `an attempt is started with exactly its body, once`() async throws {
        let (response, requests) = try await perform(
            .startPaymentAttempt,
            .swishAttempt(msisdn: nil)
        ) { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(204, "")
        }
        #expect(response.outcome == .empty(status: 204))
        let request = try #require(requests.first)
        #expect(requests.count == 1 && request.hasPrefix("POST "))
        #expect(
            request.hasSuffix(
                #"{"client":{"clientType":"Native","screenColorDepth":24,"screenHeight":2400,"screenWidth":1080,"userAgent":"agent/1"},"culture":"sv-SE","msisdn":null}"#
            )
        )
    }

    @Test func `a refusal over the wire carries its problem and a Retry-After given as a date`()
        async throws
    {
        let (response, _) = try await perform(.abortPayment) { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(
                503,
                #"{"type":"https://api.payex.com/psp/errordetail/systemerror","status":503}"#,
                extra:
                    "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:47 GMT\r\n"
            )
        }
        guard case .refused(503, let document, .seconds(10)?) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        #expect(document.type == ProblemCatalogue.typePrefix + "systemerror")
    }

    @Test func `a connection that dies after the request leaves its outcome unknown`() async throws
    {
        let (response, requests) = try await perform(
            .startPaymentAttempt,
            .swishAttempt(msisdn: nil)
        ) { connection in
            _ = connection.readRequest()
            connection.resetOnClose()
        }
        guard case .failed(.maybeSent, _, true) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        #expect(requests.count == 1)
    }

    @Test func `a response that does not arrive in time leaves the outcome unknown`() async throws {
        let (response, _) = try await perform(.getPayment, deadline: .milliseconds(500)) {
            connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        #expect(
            response.outcome
                == .failed(reach: .maybeSent, code: "http.timeout", isTransient: true)
        )
    }

    @Test(.guarantee(.boundedEverything))
    func `a response over the size limit fails as too large`() async throws {
        let (response, _) = try await perform(.getPayment) { connection in
            _ = connection.readRequest()
            connection.respond(200, String(repeating: " ", count: 1 << 20))
        }
        #expect(
            response.outcome
                == .failed(reach: .responded, code: "http.too-large", isTransient: false)
        )
    }
}
