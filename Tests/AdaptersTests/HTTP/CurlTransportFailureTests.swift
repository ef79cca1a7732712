import HTTPTypes
import TestSupport
import Testing

@testable import UVTransport

@Suite struct CurlTransportFailureTests {
    @Test func `a POST that was read but got no response is not sent again`() async throws {
        // The first request gets a response and keeps the connection; every later one is read and
        // dropped.
        let server = SocketServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond()
            _ = connection.readRequest()
        }
        defer { server.stop() }
        let failure = try await withTransport { transport, _ in
            _ = try await transport.perform(request(.post, server.url("/first"), body: "1"))
            return await transport.failure(request(.post, server.url("/second"), body: "2"))
        }
        #expect(failure?.reach == .maybeSent)
        #expect(failure?.kind == .reset)
        let posts = server.requests.withLock { $0 }.filter { $0.hasPrefix("POST /second") }
        #expect(posts.count == 1)
    }

    @Test func `a GET on a kept connection that has died is sent again`() async throws {
        let server = SocketServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond()
            _ = connection.readRequest()
        }
        defer { server.stop() }
        try await withTransport { transport, _ in
            _ = try await transport.perform(request(.get, server.url("/first")))
            let response = try await transport.perform(request(.get, server.url("/second")))
            #expect(response.status == 200)
        }
        #expect(server.requests.withLock { $0.count } == 3)
    }

    @Test func `a reset after the request was read leaves the outcome unknown`() async throws {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.resetOnClose()
        }
        defer { server.stop() }
        let failure = try await withTransport { transport, _ in
            await transport.failure(request(.post, server.url(), body: "pay"))
        }
        #expect(failure?.reach == .maybeSent)
        #expect(failure?.kind == .reset)
        #expect(failure?.isTransient == true)
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test func `a refused connection fails as not sent`() async throws {
        let server = SocketServer { _ in }
        let address = server.url("/secret-path")
        server.stop()
        let failure = try await withTransport { transport, _ in
            await transport.failure(request(.post, address, body: "pay"))
        }
        #expect(failure?.reach == .notSent)
        #expect(failure?.kind == .connectionRefused)
        #expect(failure?.description == "http.refused, notSent, curl 7")
    }

    @Test func `a response that stops halfway fails as truncated, and counts as answered`()
        async throws
    {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }
        defer { server.stop() }
        let failure = try await withTransport { transport, _ in
            await transport.failure(request(.post, server.url(), body: "pay"))
        }
        #expect(failure?.reach == .responded)
        #expect(failure?.kind == .truncated)
    }

    @Test func `a response that is not HTTP leaves the outcome unknown`() async throws {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.send("hello\r\n\r\n")
        }
        defer { server.stop() }
        let failure = try await withTransport { transport, _ in
            await transport.failure(request(.post, server.url(), body: "pay"))
        }
        #expect(failure?.reach == .maybeSent)
        #expect(failure?.kind == .malformedResponse)
    }

    @Test(.threat("T-35"), arguments: [true, false])
    func `a response body over the limit is refused while it arrives`(announced: Bool) async throws
    {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            let length = announced ? "Content-Length: 4000000\r\n" : ""
            connection.send("HTTP/1.1 200 OK\r\n\(length)\r\n")
            let piece = String(repeating: "x", count: 10_000)
            for _ in 0..<400 { connection.send(piece) }
            connection.waitForClose()
        }
        defer { server.stop() }
        var get = request(.get, server.url())
        get.maximumResponseBytes = 50_000
        let failure = try await withTransport { transport, _ in await transport.failure(get) }
        #expect(failure?.reach == .responded)
        #expect(failure?.kind == .responseTooLarge)
    }

    @Test func `a body of exactly the limit is accepted`() async throws {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond(200, "12345")
        }
        defer { server.stop() }
        var get = request(.get, server.url())
        get.maximumResponseBytes = 5
        let response = try await withTransport { transport, _ in try await transport.perform(get) }
        #expect(response.body.count == 5)
    }

    @Test func `response headers over the limit are refused`() async throws {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            let line = "X-Fill: \(String(repeating: "x", count: 1_000))\r\n"
            connection.respond(200, "", extra: String(repeating: line, count: 30))
        }
        defer { server.stop() }
        let failure = try await withTransport({ $0.maximumHeaderBytes = 10_000 }) { transport, _ in
            await transport.failure(request(.get, server.url()))
        }
        #expect(failure?.kind == .headersTooLarge)
        #expect(failure?.reach == .responded)
    }

    @Test func `a server that never responds runs into the deadline`() async throws {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        defer { server.stop() }
        let start = LoopClock.monotonicNanoseconds()
        let failure = try await withTransport { transport, _ in
            await transport.failure(
                request(.post, server.url(), body: "pay", within: .milliseconds(300))
            )
        }
        #expect(failure?.kind == .timedOut)
        #expect(failure?.reach == .maybeSent)
        #expect(LoopClock.elapsed(since: start) >= .milliseconds(300))
    }

    @Test func `each request has its own deadline, whatever others have`() async throws {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        defer { server.stop() }
        let start = LoopClock.monotonicNanoseconds()
        try await withTransport { transport, loop in
            let limits: [Duration] = [.milliseconds(400), .milliseconds(100), .milliseconds(250)]
            let ends = limits.map { limit in
                loop.spawn { () -> (TransportFailure?, Duration) in
                    let failure = await transport.failure(
                        request(.post, server.url(), within: limit)
                    )
                    return (failure, LoopClock.elapsed(since: start))
                }
            }
            var last = Duration.zero
            for (limit, end) in zip(limits, ends).sorted(by: { $0.0 < $1.0 }) {
                let (failure, elapsed) = await end.value
                #expect(failure?.kind == .timedOut)
                #expect(elapsed >= limit && elapsed > last)
                last = elapsed
            }
        }
    }

    @Test func `a host name that does not resolve fails as not sent`() async throws {
        let failure = try await withTransport({ $0.allowedHostSuffixes = ["invalid"] }) {
            transport,
            _ in
            await transport.failure(request(.post, "https://psp.invalid/", body: "pay"))
        }
        #expect(failure?.reach == .notSent)
        #expect(failure?.kind == .unresolvedHost || failure?.kind == .timedOut)
    }
}
