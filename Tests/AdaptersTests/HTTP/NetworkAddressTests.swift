import Foundation
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import UVTransport

/// Addresses that a receiver on the internet cannot have, and that names may resolve to all the
/// same.
@Suite(.threat("T-60")) struct NetworkAddressTests {
    /// Parses an address as a program of the system does.
    private func address(_ text: String) throws -> NetworkAddress {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        try #require(getaddrinfo(text, "443", &hints, &found) == 0, "\(text)")
        defer { freeaddrinfo(found) }
        let first = try #require(found).pointee
        let bytes = UnsafeRawBufferPointer(
            start: first.ai_addr,
            count: Int(first.ai_addrlen)
        )
        return try #require(NetworkAddress(socketAddress: bytes))
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
        "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255",
        "192.0.0.1", "192.0.2.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.9.9",
        "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "::ffff:169.254.169.254", "::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1",
        "2001::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::1", "3fff::1", "fc00::1",
        "fdff::1", "fe80::1", "fec0::1", "ff02::1", "4000::1",
    ])
    func `an address of this machine, a private network or a group is not public`(
        text: String
    ) throws {
        #expect(try !address(text).isPublic)
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.0.0.1",
        "128.0.0.1", "169.253.0.1", "172.15.255.255", "172.32.0.1", "192.0.1.1", "192.167.1.1",
        "192.169.1.1", "198.17.1.1", "198.20.1.1", "223.255.255.255", "2606:4700::1111",
        "2a00:1450::1", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1", "2001:200::1",
    ])
    func `any other address is public`(text: String) throws {
        #expect(try address(text).isPublic)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func `this machine is known by all its addresses`(text: String) throws {
        #expect(try address(text).isLoopback)
        #expect(try !address("10.0.0.1").isLoopback)
        #expect(try !address("::2").isLoopback)
    }

    @Test func `an address of another kind, or cut off, is none`() {
        var path = sockaddr_un()
        path.sun_family = sa_family_t(AF_UNIX)
        withUnsafeBytes(of: path) { #expect(NetworkAddress(socketAddress: $0) == nil) }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        withUnsafeBytes(of: four) { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes[..<7])
            #expect(NetworkAddress(socketAddress: part) == nil)
        }
        #expect(NetworkAddress(socketAddress: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    }

    /// `*.localhost` resolves to this machine without any name server, as a public name can with
    /// one.
    private static let name = "hooks.localhost"

    @Test func `a name that resolves to this machine is refused when the connection is made`()
        async throws
    {
        let server = SocketServer { $0.respond() }
        defer { server.stop() }
        let url = "https://\(Self.name):\(server.port)/"
        for allowsLoopback in [false, true] {
            try await withTransport({
                $0.allowedHostSuffixes = ["\(Self.name):\(server.port)"]
                $0.allowsInsecureLoopback = allowsLoopback
                $0.refusesPrivateAddresses = true
            }) { transport, _ in
                let failure = await transport.failure(request(.post, url, body: "secret"))
                #expect(failure?.kind == .refusedURL(.address))
                #expect(failure?.reach == .notSent)
            }
        }
        #expect(server.connections.withLock { $0 } == 0)
        // Without the rule, the connection is made.
        try await withTransport({ $0.allowedHostSuffixes = ["\(Self.name):\(server.port)"] }) {
            transport,
            _ in
            let failure = await transport.failure(request(.post, url, body: "secret"))
            #expect(failure?.kind == .tls(.handshake))
        }
        #expect(server.connections.withLock { $0 } > 0)
    }

    @Test func `a private address is refused as such, whatever it is written as`() async throws {
        for host in ["10.255.255.1", "169.254.169.254", "192.168.77.7"] {
            try await withTransport({
                $0.allowedHostSuffixes = [host]
                $0.refusesPrivateAddresses = true
            }) { transport, _ in
                let failure = await transport.failure(request(.post, "https://\(host)/"))
                #expect(failure?.kind == .refusedURL(.address), "\(host)")
                #expect(failure?.reach == .notSent)
            }
        }
    }

    @Test func `this machine is reached where the configuration allows it, by its own name`()
        async throws
    {
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond()
        }
        defer { server.stop() }
        try await withTransport({ $0.refusesPrivateAddresses = true }) { transport, _ in
            let response = try await transport.perform(request(.post, server.url()))
            #expect(response.status == 200)
        }
    }
}
