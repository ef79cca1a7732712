import EventLog
import SwedbankPay
import Testing
import UVTransport

@testable import SwedbankPayHTTP

/// Messages of client telemetry over HTTP.
@Suite struct EventLoggingSenderTests {
    private let beacon = Beacon(
        sequence: 7,
        created: Instant(microseconds: 1_795_262_400_250_999),
        action: .httpRequest,
        durationMilliseconds: 184,
        request: Beacon.Request(url: "https://a.example/session/12ab", method: "GET", status: 200),
        method: Beacon.Method(name: "startPaymentSession", succeeded: true),
        values: [Beacon.Value(name: "instrument", text: "Swish")]
    )

    private func send(
        answering status: Int,
        _ body: String = ""
    ) async throws -> (BeaconOutcome, [String]) {
        let server = SocketServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond(status, body)
        }
        defer { server.stop() }
        return try await withTransport { transport, _ in
            var options = SwedbankPayOptions()
            options.allowsInsecureLoopback = true
            let sender = EventLoggingSender(transport: transport, options: options)
            let outcome = await sender.send(beacon, to: server.url("/psp/log/TOKEN"))
            await transport.shutdown()
            return (outcome, server.requests.withLock { $0 })
        }
    }

    @Test func `a message is posted in the PSP's format`() async throws {
        let (outcome, requests) = try await send(answering: 204)
        #expect(outcome == .delivered)
        let request = try #require(requests.first)
        #expect(request.hasPrefix("POST /psp/log/TOKEN HTTP/1.1\r\n"))
        #expect(request.contains("\r\nContent-Type: application/json\r\n"))
        let text = try #require(request.split(separator: "\r\n\r\n", maxSplits: 1).last)
        let expected = try ForeignJSON(
            parsing: Array(
                """
                {"type":"ClientEvent",
                 "client":{"userAgent":"payment-workflow/1","screenHeight":2400,"screenWidth":1080,
                   "screenColorDepth":24},
                 "service":{"name":"payment-workflow","version":"1"},
                 "event":{"created":"2026-11-21T12:00:00.250Z","action":"HttpRequest","duration":184},
                 "http":{"requestUrl":"https://a.example/session/12ab","method":"GET",
                   "responseStatusCode":200},
                 "method":{"name":"startPaymentSession","sdk":"payment-workflow","succeeded":true},
                 "extensions":{"values":{"instrument":"Swish"}}}
                """.utf8
            ),
            maximumDepth: 8
        )
        #expect(try ForeignJSON(parsing: Array(text.utf8), maximumDepth: 8) == expected)
    }

    @Test(arguments: [
        (200, BeaconOutcome.delivered), (201, .delivered), (202, .delivered), (204, .delivered),
        (302, .failed), (400, .refused), (404, .refused), (408, .failed), (413, .refused),
        (425, .failed), (429, .failed), (500, .failed), (503, .failed),
    ])
    func `any 2xx is delivered; 408, 425, 429, redirects and 5xx failed; other 4xx refused`(
        status: Int,
        expected: BeaconOutcome
    ) async throws {
        #expect(try await send(answering: status).0 == expected)
    }

    @Test func `the body of a response is ignored`() async throws {
        #expect(try await send(answering: 200, "<html>thanks</html>").0 == .delivered)
    }

    @Test func `an address that may not be called is refused`() async throws {
        let (outcome, requests) = try await withTransport { transport, _ in
            let sender = EventLoggingSender(transport: transport)
            let refused = await sender.send(beacon, to: "ftp://api.payex.com/log")
            let elsewhere = await sender.send(beacon, to: "https://elsewhere.example/log")
            await transport.shutdown()
            return (refused, elsewhere)
        }
        #expect(outcome == .refused)
        #expect(requests == .refused)
    }

    @Test func `an unreachable server counts as failed, not as refused`() async throws {
        let outcome = try await withTransport { transport, _ in
            var options = SwedbankPayOptions()
            options.allowsInsecureLoopback = true
            let sender = EventLoggingSender(transport: transport, options: options)
            let outcome = await sender.send(beacon, to: "http://127.0.0.1:9/log")
            await transport.shutdown()
            return outcome
        }
        #expect(outcome == .failed)
    }
}
