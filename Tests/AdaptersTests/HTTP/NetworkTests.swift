import Foundation
import Glibc
import HTTPTypes
import Testing

@testable import Adapters

/// The network between the engine and the PSP: restarts, IPv6, names, proxies, old protocols.
@Suite struct NetworkTests {
    @Test func `a restarting server gets no request twice, and a request while it is down fails`()
        async throws
    {
        let first = SocketServer { connection in
            // Responds once and then disappears with its connection, as at a restart.
            guard connection.readRequest() != nil else { return }
            connection.respond(200, "before")
        }
        let port = first.port
        try await withTransport { transport, _ in
            let before = try await transport.perform(request(.post, first.url(), body: "1"))
            #expect(before.body == Array("before".utf8))
            first.stop()
            let down = await transport.failure(request(.post, first.url(), body: "2"))
            // It depends on whether libcurl has seen the end how far the request got; there is
            // never a response.
            #expect(down?.reach == .notSent || down?.reach == .maybeSent)
            #expect(down?.isTransient == true)
            let second = try #require(
                SocketServer(port: port) { connection in
                    while connection.readRequest() != nil { connection.respond(200, "after") }
                }
            )
            defer { second.stop() }
            let after = try await transport.perform(request(.post, second.url(), body: "3"))
            #expect(after.body == Array("after".utf8))
            #expect(second.requests.withLock { $0.count } == 1)
        }
        #expect(first.requests.withLock { $0.count } == 1)
    }

    @Test func `an idle connection closed by the server is not used for the next payment`()
        async throws
    {
        // Closes right after each response, without announcing it.
        let server = SocketServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond()
        }
        defer { server.stop() }
        try await withTransport { transport, _ in
            for number in 0..<20 {
                let response = try await transport.perform(
                    request(.post, server.url("/\(number)"), body: "pay")
                )
                #expect(response.status == 200)
                // Gives the close time to arrive.
                usleep(20_000)
            }
        }
        let requests = server.requests.withLock { $0 }
        #expect(requests.count == 20)
        #expect(Set(requests.map { $0.prefix { $0 != "\r" } }).count == 20)
    }

    @Test func `a server is reached over IPv6`() async throws {
        let server = try #require(
            SocketServer(port: 0, overIPv6: true) { connection in
                _ = connection.readRequest()
                connection.respond(200, "six")
            },
            "this machine has no IPv6 loopback"
        )
        defer { server.stop() }
        let response = try await withTransport { transport, _ in
            try await transport.perform(request(.get, "http://[::1]:\(server.port)/"))
        }
        #expect(response.body == Array("six".utf8))
        let host = server.requests.withLock { $0 }.first?.lowercased() ?? ""
        #expect(host.contains("host: [::1]:\(server.port)"))
    }

    @Test func `a proxy that asks for its password gets it, but no part of the request`()
        async throws
    {
        let proxy = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond(407, "", extra: "Proxy-Authenticate: Basic realm=\"x\"\r\n")
        }
        defer { proxy.stop() }
        let address = proxy.url("").replacing("http://", with: "http://user:s3cr3t@")
        let failure = try await withTransport({ $0.proxy = address }) { transport, _ in
            await transport.failure(request(.post, "https://api.payex.com/session-1", body: "pay"))
        }
        #expect(failure?.kind == .proxy)
        #expect(failure?.reach == .notSent)
        #expect("\(String(describing: failure))".contains("s3cr3t") == false)
        let seen = proxy.requests.withLock { $0 }
        let credentials = Data("user:s3cr3t".utf8).base64EncodedString()
        #expect(seen.contains { $0.contains("Proxy-Authorization: Basic \(credentials)") })
        #expect(seen.allSatisfy { !$0.contains("session-1") && !$0.contains("pay\r\n") })
    }

    @Test func `the PSP's own certificate is verified through a proxy's tunnel`() async throws {
        try await withSecureServer { server in
            let proxy = SocketServer(tunnelTo: server)
            defer { proxy.stop() }
            try await withTransport({
                $0.authorityFile = server.authorityFile
                $0.proxy = proxy.url("")
                $0.hostsWithoutProxy = []
            }) { transport, _ in
                let response = try await transport.perform(
                    request(.post, server.url(.good), body: "pay")
                )
                #expect(response.body == Array("hello".utf8))
                let failure = await transport.failure(
                    request(.post, server.url(.stranger), body: "pay")
                )
                #expect(failure?.kind == .tls(.untrusted))
                #expect(failure?.reach == .notSent)
            }
            let seen = proxy.requests.withLock { $0 }
            #expect(seen.count == 2 && seen.allSatisfy { $0.hasPrefix("CONNECT localhost:") })
            #expect(try server.arrivals == ["POST HTTP/2.0"])
        }
    }

    @Test func `an unreachable proxy fails as not sent`() async throws {
        let gone = SocketServer { _ in }
        let address = gone.url("")
        gone.stop()
        let failure = try await withTransport({ $0.proxy = address }) { transport, _ in
            await transport.failure(request(.post, "https://api.payex.com/", body: "pay"))
        }
        #expect(failure?.reach == .notSent)
        #expect(failure?.isTransient == true)
    }

    @Test(arguments: ["TLSv1.1", "TLSv1"])
    func `a server that supports at most TLS 1.1 receives no request`(
        version: String
    ) async throws {
        try await withSecureServer { server in
            let old = try OldServer(version, in: server.directory)
            defer { old.stop() }
            let failure = try await withTransport({ $0.authorityFile = server.authorityFile }) {
                transport,
                _ in
                await transport.failure(
                    request(.post, "https://localhost:\(old.port)/", body: "pay")
                )
            }
            #expect(failure?.kind == .tls(.handshake))
            #expect(failure?.reach == .notSent)
            // The server itself works: a client of the old protocol gets a response.
            #expect(old.speaks(version))
        }
    }

    @Test func `after GOAWAY the next request uses a new connection, and none arrives twice`()
        async throws
    {
        try await withSecureServer { server in
            try await withTransport({ $0.authorityFile = server.authorityFile }) { transport, _ in
                for _ in 0..<12 {
                    let response = try await transport.perform(
                        request(.post, server.url(.fleeting), body: "pay")
                    )
                    #expect(response.protocolVersion == "HTTP/2")
                }
            }
            #expect(try server.arrivals.count == 12, "each arrives exactly once")
        }
    }
}

extension SocketServer {
    /// A proxy that opens tunnels to the ports of a server on this machine.
    convenience init(tunnelTo server: SecureServer) {
        self.init { connection in
            guard let request = connection.readRequest(),
                let port = request.split(separator: " ").dropFirst().first?.split(separator: ":")
                    .last
                    .flatMap({ UInt16($0) }),
                let peer = Self.connect(to: port)
            else { return }
            connection.send("HTTP/1.1 200 Connection established\r\n\r\n")
            Thread.detachNewThread { Self.pump(from: peer, to: connection.descriptor) }
            Self.pump(from: connection.descriptor, to: peer)
            close(peer)
        }
    }

    private static func connect(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return status == 0 ? descriptor : nil
    }

    private static func pump(from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            guard send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(target, Int32(SHUT_WR))
    }
}
