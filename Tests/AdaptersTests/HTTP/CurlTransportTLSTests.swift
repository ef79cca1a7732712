import HTTPTypes
import TestSupport
import Testing

@testable import UVTransport

@Suite(.threat("T-31"), .duty("C-11")) struct CurlTransportTLSTests {
    @Test
    func `a trusted server is called over HTTP/2, and concurrent requests share a connection`()
        async throws
    {
        try await withSecureServer { server in
            try await withTransport({ $0.authorityFile = server.authorityFile }) {
                transport,
                loop in
                let first = try await transport.perform(request(.get, server.url(.good)))
                #expect(first.status == 200)
                #expect(first.protocolVersion == "HTTP/2")
                #expect(first.body == Array("hello".utf8))
                let address = server.url(.good)
                let tasks = (0..<20).map { _ in
                    loop.spawnThrowing {
                        try await transport.perform(
                            request(.post, address, body: "pay")
                        ).protocolVersion
                    }
                }
                for task in tasks {
                    let version = try await task.value
                    #expect(version == "HTTP/2")
                }
            }
            let arrivals = try server.arrivals
            #expect(arrivals.count { $0 == "POST HTTP/2.0" } == 20)
            #expect(arrivals.count == 21)
            #expect(try server.connectionCount == 1)
        }
    }

    @Test func `a server with an untrusted, expired or foreign certificate receives no request`()
        async throws
    {
        try await withSecureServer { server in
            let expected: [(SecureServer.Certificate, TransportFailure.TLSReason)] = [
                (.expired, .expired), (.stranger, .untrusted), (.elsewhere, .wrongHost),
            ]
            try await withTransport({ $0.authorityFile = server.authorityFile }) { transport, _ in
                for (certificate, reason) in expected {
                    let failure = await transport.failure(
                        request(.post, server.url(certificate), body: "pay")
                    )
                    #expect(failure?.kind == .tls(reason))
                    let codes: [TransportFailure.TLSReason: String] = [
                        .expired: "http.tls-expired", .untrusted: "http.tls-untrusted",
                        .wrongHost: "http.tls-wrong-host",
                    ]
                    #expect(failure?.code == codes[reason])
                    #expect(failure?.reach == .notSent)
                    #expect(failure?.isTransient == false)
                }
            }
            // Without the file the test's authority is not trusted.
            try await withTransport { transport, _ in
                let failure = await transport.failure(request(.get, server.url(.good)))
                #expect(failure?.kind == .tls(.untrusted))
            }
            try await withTransport({ $0.authorityFile = "/nowhere.pem" }) { transport, _ in
                let failure = await transport.failure(request(.get, server.url(.good)))
                #expect(failure?.code == "http.tls-authorities")
            }
            #expect(try server.arrivals.isEmpty)
        }
    }

    @Test(.threat("T-32"))
    func `a pinned key is required in addition to a trusted certificate`() async throws {
        try await withSecureServer { server in
            let digest = try server.goodKeyDigest
            let wrong = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            try await withTransport({
                $0.authorityFile = server.authorityFile
                $0.pinnedKeyDigests = [wrong, digest]
            }) { transport, _ in
                let response = try await transport.perform(request(.get, server.url(.good)))
                #expect(response.status == 200)
            }
            try await withTransport({
                $0.authorityFile = server.authorityFile
                $0.pinnedKeyDigests = [wrong]
            }) { transport, _ in
                let failure = await transport.failure(request(.post, server.url(.good)))
                #expect(failure?.kind == .tls(.pinMismatch) && failure?.code == "http.tls-pin")
                #expect(failure?.reach == .notSent)
            }
            #expect(try server.arrivals == ["GET HTTP/2.0"])
        }
    }

    @Test
    func `a server without TLS, or one that never completes the handshake, is sent no request`()
        async throws
    {
        let plain = SocketServer { connection in connection.send("HTTP/1.1 200 OK\r\n\r\n") }
        let mute = SocketServer { connection in connection.waitForClose() }
        defer {
            plain.stop()
            mute.stop()
        }
        try await withTransport { transport, _ in
            let broken = await transport.failure(
                request(.post, "https://127.0.0.1:\(plain.port)/", body: "pay")
            )
            #expect(broken?.kind == .tls(.handshake))
            #expect(broken?.reach == .notSent)
            var slow = request(.post, "https://127.0.0.1:\(mute.port)/", body: "pay")
            slow.connectDeadline = .milliseconds(200)
            let late = await transport.failure(slow)
            #expect(late?.kind == .timedOut)
            #expect(late?.reach == .notSent)
            #expect(late?.curlCode == 28)
        }
    }

    @Test func `an unreadable authority file is reported as unreadableAuthorities`() async throws {
        try await withSecureServer { server in
            try await withTransport({ $0.authorityFile = "/nonexistent/ca.pem" }) { transport, _ in
                let failure = await transport.failure(request(.get, server.url(.good)))
                #expect(failure?.kind == .tls(.unreadableAuthorities))
                #expect(failure?.reach == .notSent)
            }
        }
    }
}
