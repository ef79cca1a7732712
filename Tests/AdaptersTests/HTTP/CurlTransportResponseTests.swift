import HTTPTypes
import TestSupport
import Testing

@testable import Adapters

@Suite struct CurlTransportResponseTests {
    @Test func `a request is sent exactly as given and its response is returned complete`()
        async throws
    {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond(
                201,
                "{\"a\":1}",
                extra: "X-One: first\r\nx-one:  last \r\nEmpty:\r\n"
            )
        }
        defer { server.stop() }
        var post = request(.post, server.url("/a?b=c%20d"), body: "{\"x\":2}")
        post.headers = try HTTPFields(checking: [
            ("Content-Type", "application/json"), ("X-Empty", ""),
        ])
        let response = try await withTransport { transport, _ in try await transport.perform(post) }
        #expect(response.status == 201)
        #expect(response.body == Array("{\"a\":1}".utf8))
        #expect(response.header("X-ONE") == "last")
        #expect(response.header("empty") == "")
        #expect(response.header("absent") == nil)
        #expect(response.protocolVersion == "HTTP/1.1")
        #expect(response.duration > .zero)
        let sent = try #require(server.requests.withLock { $0.first })
        #expect(sent.hasPrefix("POST /a?b=c%20d HTTP/1.1\r\n"))
        #expect(sent.contains("\r\nContent-Type: application/json\r\n"))
        #expect(sent.contains("\r\nX-Empty:\r\n"))
        #expect(sent.contains("\r\nUser-Agent: payment-workflow\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n{\"x\":2}"))
        #expect(!sent.contains("Expect") && !sent.lowercased().contains("cookie"))
    }

    @Test func `a POST, PUT or PATCH without a body is sent with Content-Length 0`() async throws {
        let server = SocketServer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        defer { server.stop() }
        try await withTransport { transport, _ in
            for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
                _ = try await transport.perform(request(method, server.url()))
            }
        }
        let sent = server.requests.withLock { $0 }
        #expect(sent.map { $0.prefix { $0 != " " } } == ["POST", "PUT", "PATCH", "DELETE"])
        #expect(sent.prefix(3).allSatisfy { $0.contains("Content-Length: 0\r\n") })
        #expect(sent.allSatisfy { !$0.contains("Content-Type") })
    }

    @Test func `a reused connection carries no header or body over to the next request`()
        async throws
    {
        let server = SocketServer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        defer { server.stop() }
        var post = request(.post, server.url("/first"), body: "secret")
        post.headers = try HTTPFields(checking: [
            ("Content-Type", "application/json"), ("X-One", "1"),
        ])
        var put = request(.put, server.url("/second"), body: "other")
        put.headers = try HTTPFields(checking: [("X-Two", "2")])
        let (first, second) = (post, put)
        try await withTransport({ $0.maximumConcurrentRequests = 1 }) { transport, _ in
            _ = try await transport.perform(first)
            _ = try await transport.perform(request(.get, server.url("/get")))
            _ = try await transport.perform(second)
            _ = try await transport.perform(request(.delete, server.url("/delete")))
            _ = try await transport.perform(request(.post, server.url("/empty")))
            _ = try await transport.perform(request(.get, server.url("/last")))
        }
        let sent = server.requests.withLock { $0 }
        let plain =
            "Host: 127.0.0.1:\(server.port)\r\nUser-Agent: payment-workflow\r\n"
            + "Accept: */*\r\n"
        #expect(
            sent == [
                "POST /first HTTP/1.1\r\n\(plain)Content-Type: application/json\r\nX-One: 1\r\n"
                    + "Content-Length: 6\r\n\r\nsecret",
                "GET /get HTTP/1.1\r\n\(plain)\r\n",
                "PUT /second HTTP/1.1\r\n\(plain)X-Two: 2\r\nContent-Length: 5\r\n\r\nother",
                "DELETE /delete HTTP/1.1\r\n\(plain)\r\n",
                "POST /empty HTTP/1.1\r\n\(plain)Content-Length: 0\r\n\r\n",
                "GET /last HTTP/1.1\r\n\(plain)\r\n",
            ]
        )
    }

    @Test(.duty("C-34"))
    func `a redirect is returned as a response and not followed`() async throws {
        let server = SocketServer { connection in
            while connection.readRequest() != nil {
                connection.respond(302, "", extra: "Location: /elsewhere\r\nSet-Cookie: a=b\r\n")
            }
        }
        defer { server.stop() }
        try await withTransport { transport, _ in
            for _ in 0..<2 {
                let response = try await transport.perform(request(.get, server.url()))
                #expect(response.status == 302)
                #expect(response.headers[.location] == "/elsewhere")
            }
        }
        let sent = server.requests.withLock { $0 }
        #expect(sent.count == 2)
        #expect(sent.allSatisfy { !$0.contains("Cookie") })
    }

    @Test func `interim responses are skipped and trailers do not override headers`() async throws {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 103 Early\r\nX-A: early\r\n\r\n")
            connection.send("HTTP/1.1 200 OK\r\nX-A: real\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.send("2\r\nhi\r\n0\r\nX-A: trailer\r\n\r\n")
        }
        defer { server.stop() }
        try await withTransport { transport, _ in
            let response = try await transport.perform(request(.get, server.url()))
            #expect(response.status == 200)
            #expect(response.header("x-a") == "real")
            #expect(response.body == Array("hi".utf8))
        }
    }

    @Test func `a connection is kept open and reused`() async throws {
        let server = SocketServer { connection in
            while connection.readRequest() != nil { connection.respond() }
        }
        defer { server.stop() }
        try await withTransport { transport, _ in
            for _ in 0..<10 {
                _ = try await transport.perform(request(.post, server.url(), body: "x"))
            }
        }
        #expect(server.requests.withLock { $0.count } == 10)
        #expect(server.connections.withLock { $0 } == 1)
    }

    @Test func `sixty-four concurrent requests each get their own response`() async throws {
        let server = SocketServer { connection in
            while let text = connection.readRequest() {
                connection.respond(200, String(text.split(separator: " ")[1]))
            }
        }
        defer { server.stop() }
        try await withTransport({ $0.maximumConcurrentRequests = 16 }) { transport, loop in
            let tasks = (0..<64).map { number in
                loop.spawnThrowing {
                    try await transport.perform(request(.get, server.url("/\(number)"))).body
                }
            }
            for (number, task) in tasks.enumerated() {
                let body = try await task.value
                #expect(body == Array("/\(number)".utf8))
            }
        }
        #expect(server.requests.withLock { $0.count } == 64)
        #expect(server.connections.withLock { $0 } <= 16)
    }
}
