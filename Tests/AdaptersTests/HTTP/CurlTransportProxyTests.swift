import Glibc
import HTTPTypes
import Testing

@testable import Adapters

@Suite struct CurlTransportProxyTests {
    @Test func `the environment's proxy is not used`() async {
        await #expect(processExitsWith: .success) {
            for name in ["http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"] {
                setenv(name, "http://127.0.0.1:1", 1)
            }
            let server = SocketServer { connection in
                _ = connection.readRequest()
                connection.respond()
            }
            // No host is exempt, so that only the setting overrides the environment's proxy.
            let response = try await withTransport({ $0.hostsWithoutProxy = [] }) { transport, _ in
                try await transport.perform(request(.get, server.url()))
            }
            exit(response.status == 200 ? 0 : 1)
        }
    }

    @Test func `a configured proxy is used, but not for the hosts that are exempt`() async throws {
        let proxy = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond(200, "by proxy")
        }
        let server = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond(200, "direct")
        }
        defer {
            proxy.stop()
            server.stop()
        }
        try await withTransport({
            $0.proxy = proxy.url("")
            $0.hostsWithoutProxy = []
        }) { transport, _ in
            let response = try await transport.perform(request(.get, server.url("/a")))
            #expect(response.body == Array("by proxy".utf8))
        }
        let seen = proxy.requests.withLock { $0 }
        #expect(seen.first?.hasPrefix("GET \(server.url("/a")) HTTP/1.1") == true)
        try await withTransport({ $0.proxy = proxy.url("") }) { transport, _ in
            let response = try await transport.perform(request(.get, server.url("/a")))
            #expect(response.body == Array("direct".utf8))
        }
    }

    @Test func `a proxy that refuses the tunnel has forwarded nothing`() async throws {
        let proxy = SocketServer { connection in
            _ = connection.readRequest()
            connection.respond(403, "no")
        }
        defer { proxy.stop() }
        let failure = try await withTransport({ $0.proxy = proxy.url("") }) { transport, _ in
            await transport.failure(request(.post, "https://api.payex.com/secret", body: "pay"))
        }
        #expect(failure?.reach == .notSent)
        #expect(failure?.kind == .proxy)
        let seen = proxy.requests.withLock { $0 }
        #expect(seen.count == 1)
        #expect(
            seen.allSatisfy { $0.hasPrefix("CONNECT api.payex.com:443 ") && !$0.contains("secret") }
        )
    }
}
