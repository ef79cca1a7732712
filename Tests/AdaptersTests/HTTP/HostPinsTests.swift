import HTTPTypes
import TestSupport
import Testing

@testable import UVTransport

@Suite(.feature("O-32")) struct HostPinsTests {
    private static let wrong = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test(arguments: [
        ("shop.example", "shop.example", true), ("SHOP.example", "shop.example", true),
        ("shop.example", "www.shop.example", false), ("*.shop.example", "www.shop.example", true),
        ("*.shop.example", "shop.example", false), ("*.shop.example", "a.b.shop.example", false),
        ("*.shop.example", "evilshop.example", false), ("shop.example", "shop.example.org", false),
    ]) func `a pattern covers one host, or with *. the hosts exactly one label below`(
        _ pattern: String,
        _ host: String,
        _ isCovered: Bool
    ) throws {
        let pins = try #require(HostPins(pattern, digests: [Self.wrong]))
        #expect(pins.cover(host) == isCovered)
    }

    @Test(arguments: [
        "", "*", "*.", "**.shop.example", "a*.example", "https://shop.example", "shop example",
        "shop.example/", "shop.example:443", "*.*.example",
    ]) func `an invalid pattern makes no pins`(_ pattern: String) {
        #expect(HostPins(pattern, digests: [Self.wrong]) == nil)
    }

    @Test func `invalid digests make no pins`() {
        #expect(HostPins("shop.example", digests: []) == nil)
        #expect(HostPins("shop.example", digests: ["not base64"]) == nil)
        #expect(HostPins("shop.example", digests: [Self.wrong, "AAAA"]) == nil)
    }

    @Test func `a host's own pins replace the general ones, which still apply to other hosts`()
        throws
    {
        var configuration = TransportConfiguration(allowedHostSuffixes: [])
        #expect(!configuration.hasPins && configuration.pins(of: "shop.example") == nil)
        let other = "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        configuration.hostPins = [
            try #require(HostPins("*.shop.example", digests: [Self.wrong])),
            try #require(HostPins("www.shop.example", digests: [other])),
        ]
        #expect(configuration.pins(of: "psp.example") == nil)
        #expect(
            configuration.pins(of: "www.shop.example")
                == "sha256//\(Self.wrong);sha256//\(other)"
        )
        configuration.pinnedKeyDigests = [other]
        #expect(configuration.pins(of: "a.shop.example") == "sha256//\(Self.wrong)")
        #expect(configuration.pins(of: "psp.example") == "sha256//\(other)")
    }

    @Test func `a host's pin applies to that host only, also on a reused curl handle`()
        async throws
    {
        let plain = SocketServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.respond()
        }
        defer { plain.stop() }
        try await withSecureServer { server in
            let right = try server.goodKeyDigest
            func responses(_ pins: [HostPins?], general: [String] = []) async throws -> [Bool] {
                try await withTransport({
                    $0.authorityFile = server.authorityFile
                    $0.hostPins = pins.compactMap(\.self)
                    $0.pinnedKeyDigests = general
                    $0.maximumConcurrentRequests = 1
                }) { transport, _ in
                    var answered: [Bool] = []
                    for address in [plain.url(), server.url(.good)] {
                        answered.append(await transport.failure(request(.get, address)) == nil)
                    }
                    return answered
                }
            }
            #expect(
                try await responses([HostPins("localhost", digests: [Self.wrong, right])])
                    == [true, true]
            )
            #expect(
                try await responses([HostPins("localhost", digests: [Self.wrong])])
                    == [true, false]
            )
            #expect(
                try await responses([HostPins("shop.example", digests: [Self.wrong])])
                    == [true, true]
            )
            #expect(
                try await responses(
                    [HostPins("localhost", digests: [right])],
                    general: [Self.wrong]
                ) == [true, true]
            )
        }
    }
}
