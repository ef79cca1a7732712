import Glibc
import HTTPTypes
import Testing

@testable import UVTransport

/// Servers that violate the protocol: each failure is classified, in bounded time and memory.
@Suite struct HostileServerTests {
    /// Returns the failure of a request to a server that reads it and then does something.
    private func failure(
        _ method: HTTPRequest.Method = .post,
        within: Duration = .seconds(20),
        _ configure: (inout TransportConfiguration) -> Void = { _ in },
        _ respond: @escaping @Sendable (SocketServer.Connection) -> Void
    ) async throws -> TransportFailure? {
        let server = SocketServer { connection in
            guard connection.readRequest() != nil else { return }
            respond(connection)
        }
        defer { server.stop() }
        let body = method == .post ? "pay" : nil
        let failure = try await withTransport(configure) { transport, _ in
            await transport.failure(request(method, server.url(), body: body, within: within))
        }
        #expect(server.requests.withLock { $0.count } == 1, "nothing is sent twice")
        return failure
    }

    @Test func `a response that trickles in byte by byte ends at the deadline`() async throws {
        let start = LoopClock.monotonicNanoseconds()
        let failure = try await failure(within: .milliseconds(500)) { connection in
            for byte in "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
                + String(repeating: "x", count: 100)
            {
                connection.send(String(byte))
                usleep(20_000)
            }
            connection.waitForClose()
        }
        let elapsed = LoopClock.elapsed(since: start)
        #expect(failure?.kind == .timedOut)
        #expect(failure?.reach != .notSent)
        #expect(elapsed >= .milliseconds(500) && elapsed < .seconds(10))
    }

    @Test func `a body that trickles forever ends at the deadline and counts as answered`()
        async throws
    {
        let failure = try await failure(within: .milliseconds(500)) { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<200 {
                connection.send("1\r\nx\r\n")
                usleep(20_000)
            }
        }
        #expect(failure?.kind == .timedOut)
        #expect(failure?.reach == .responded)
    }

    @Test func `endless interim responses stop at the limit of header bytes`() async throws {
        let failure = try await failure { connection in
            let many = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1000)
            for _ in 0..<100 { connection.send(many) }
            connection.waitForClose()
        }
        #expect(failure?.kind == .headersTooLarge)
        #expect(failure?.reach == .maybeSent)
    }

    @Test func `a hundred thousand header lines stop at the limit of header bytes`() async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            let many = String(repeating: "a:b\r\n", count: 1000)
            for _ in 0..<100 { connection.send(many) }
            connection.waitForClose()
        }
        #expect(failure?.kind == .headersTooLarge)
        #expect(failure?.reach == .responded)
    }

    @Test func `a single endless header line is refused`() async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nX: ")
            let many = String(repeating: "y", count: 10_000)
            for _ in 0..<100 { connection.send(many) }
            connection.waitForClose()
        }
        // libcurl's own limit for one line may apply first.
        #expect(failure?.kind == .headersTooLarge || failure?.kind == .other)
        #expect(failure?.reach == .responded)
    }

    @Test(arguments: [
        "zz\r\nhello\r\n0\r\n\r\n", "5\r\nhello", "5\r\nhelloX", "-1\r\nx\r\n",
        "FFFFFFFFFFFFFFFFF\r\nx",
        "5;\r\nhello\r\n", "\r\n\r\n",
    ])
    func `an invalid chunked body fails, and the request counts as answered`(
        chunks: String
    ) async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
        }
        #expect(failure?.reach == .responded, "\(String(describing: failure))")
    }

    @Test(arguments: [
        "Content-Length: 10\r\nContent-Length: 3\r\n", "Content-Length: -5\r\n",
        "Content-Length: 99999999999999999999999\r\n", "Content-Length: 100\r\n",
    ])
    func `an invalid or unfulfilled Content-Length fails, and the request counts as answered`(
        lengths: String
    ) async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n\(lengths)\r\nabc")
        }
        #expect(failure != nil)
        #expect(failure?.reach == .responded)
    }

    @Test(arguments: [
        "999 X", "600 X", "099 X", "20 X", "2000 X", "abc X", "-200 X", " X", "199 X",
    ])
    func `an invalid status line is not accepted as the response to a payment`(
        status: String
    ) async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nok")
        }
        #expect(failure != nil, "a payment was taken for answered")
    }

    @Test func `a body in a content encoding that was not requested is returned as it is`()
        async throws
    {
        // Ten megabytes of zeros, compressed: decompressed they exceed the limit.
        let server = SocketServer { connection in
            let request = connection.readRequest()
            #expect(request?.lowercased().contains("accept-encoding") == false)
            connection.respond(200, "packed", extra: "Content-Encoding: gzip\r\n")
        }
        defer { server.stop() }
        let response = try await withTransport { transport, _ in
            try await transport.perform(request(.get, server.url()))
        }
        #expect(response.body == Array("packed".utf8))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect to another host is returned, and that host is not called`(
        status: Int
    ) async throws {
        let other = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond()
        }
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond(status, "", extra: "Location: \(other.url("/stolen"))\r\n")
        }
        defer {
            server.stop()
            other.stop()
        }
        let response = try await withTransport { transport, _ in
            try await transport.perform(request(.post, server.url(), body: "pay"))
        }
        #expect(response.status == status)
        #expect(other.connections.withLock { $0 } == 0)
        #expect(server.requests.withLock { $0.count } == 1)
    }
}
