import Foundation
import TestSupport
import Testing

/// The service over TLS, with certificates of an authority that only the test trusts.
@Suite(.feature("S-39"), .threat("T-64")) struct ServeTLSTests {
    static let options = ["--tls-certificate", "good.pem", "--tls-key", "good.key"]

    /// Makes certificates in a world's folder: two for this machine, `good` and `next`.
    static func makeCertificates(in world: World) async throws {
        let script = """
            set -e; exec 2>/dev/null
            key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
            openssl req -x509 $key -keyout ca.key -out ca.pem -days 30 -subj "/CN=Test"
            echo 'subjectAltName=DNS:localhost,IP:127.0.0.1' > names
            for name in good next; do
              openssl req $key -keyout $name.key -out $name.csr -subj "/CN=$name"
              openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
                -extfile names -out $name.pem
            done
            chmod 600 *.key
            """
        try #require(await world.tool.shell(script).status == 0)
    }

    /// Runs a test with a service over TLS, and expects that a signal ends it well.
    private static func with(
        _ body: (World, Served) async throws -> Void
    ) async throws {
        try await World.with { world in
            try await makeCertificates(in: world)
            let service = try await Served.start(in: world, Self.options)
            try await body(world, service)
            kill(service.running.id, SIGTERM)
            let ended = try await world.tool.finish(service.running)
            #expect(ended.status == 130, "\(ended.diagnostics)")
        }
    }

    private static func curl(
        _ world: World,
        _ service: Served,
        _ arguments: String
    ) async throws -> Tool.Result {
        try await world.tool.shell(
            "curl -sS --cacert ca.pem -H 'Authorization: Bearer \(service.token)' \(arguments)"
        )
    }

    @Test func `a client speaks HTTP/2 or HTTP/1.1 over TLS, and nothing without TLS`()
        async throws
    {
        try await Self.with { world, service in
            #expect(service.url.hasPrefix("https://127.0.0.1:"))
            let shown = "-o /dev/null -w '%{http_version} %{http_code}' \(service.url)/v1/me"
            #expect(try await Self.curl(world, service, "--http2 " + shown).output == "2 200")
            #expect(try await Self.curl(world, service, "--http1.1 " + shown).output == "1.1 200")
            for address in ["/v1/me", "/healthz", "/nowhere"] {
                let head = "-o /dev/null -w '%header{strict-transport-security}' "
                let told = try await Self.curl(world, service, head + service.url + address)
                #expect(told.output == "max-age=31536000", "\(address)")
            }
            let plain = service.url.replacing("https:", with: "http:")
            let refused = try await Self.curl(world, service, "\(plain)/healthz")
            #expect(refused.status != 0)
            let stranger = try await world.tool.shell("curl -sS \(service.url)/healthz")
            #expect(stranger.status == 60)
            // A body of more than one frame.
            let body = String(repeating: "x", count: 100_000)
            _ = try world.write(#"{"text": "\#(body)"}"#, to: "body")
            let large = try await Self.curl(
                world,
                service,
                "--http2 -H 'Content-Type: application/json' -d @body \(service.url)/v1/search"
            )
            #expect(large.output.contains("usage.find"), "\(large.output) \(large.diagnostics)")
        }
    }

    @Test func `versions of TLS before 1.2 are refused`() async throws {
        try await Self.with { world, service in
            let address = service.url.replacing("https://", with: "")
            for (version, isSpoken) in [("1", false), ("1_1", false), ("1_2", true), ("1_3", true)]
            {
                let shaken = try await world.tool.shell(
                    "openssl s_client -connect \(address) -CAfile ca.pem -tls\(version) "
                        + "-cipher DEFAULT@SECLEVEL=0 -brief < /dev/null"
                )
                #expect((shaken.status == 0) == isSpoken, "\(version): \(shaken.diagnostics)")
                let alert = "alert protocol version"
                #expect(shaken.diagnostics.contains(alert) != isSpoken, "\(shaken.diagnostics)")
            }
        }
    }

    @Test func `a replaced certificate is used for new connections, and only with its key`()
        async throws
    {
        try await Self.with { world, service in
            let address = service.url.replacing("https://", with: "")
            let subject =
                "openssl s_client -connect \(address) < /dev/null 2>/dev/null | grep subject"
            #expect(try await world.tool.shell(subject).output.contains("good"))
            let replacing = try await world.tool.shell("cp next.pem new && mv new good.pem")
            #expect(replacing.status == 0)
            // Until the key is replaced, too, the certificate that was read last remains.
            #expect(try await world.tool.shell(subject).output.contains("good"))
            #expect(try await world.tool.shell("cp -p next.key new && mv new good.key").status == 0)
            #expect(try await world.tool.shell(subject).output.contains("next"))
            #expect(try await Self.curl(world, service, "\(service.url)/v1/me").status == 0)
        }
    }

    @Test func `certificates and keys that cannot be used are refused`() async throws {
        try await World.with { world in
            try await Self.makeCertificates(in: world)
            _ = try world.write("no certificate", to: "none")
            let cases: [(arguments: [String], status: Int32)] = [
                (["--tls-certificate", "good.pem"], 64), (["--tls-key", "good.key"], 64),
                (["--tls-certificate", "good.pem", "--tls-key", "next.key"], 78),
                (["--tls-certificate", "good.pem", "--tls-key", "missing"], 78),
                (["--tls-certificate", "missing", "--tls-key", "good.key"], 78),
                (["--tls-certificate", "none", "--tls-key", "good.key"], 78),
                (["--tls-certificate", "good.key", "--tls-key", "good.key"], 78),
            ]
            for (arguments, status) in cases {
                let refused = try await world.tool.run(
                    ["serve", "--dev", "--listen", "127.0.0.1:0"] + arguments
                )
                #expect(refused.status == status, "\(arguments) \(refused.diagnostics)")
                #expect(refused.diagnostics.contains("[service.tls]"), "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains("hint: "))
            }
            for (file, mode) in [("good.key", "640"), ("good.pem", "666")] {
                _ = try await world.tool.shell("chmod \(mode) \(file)")
                let refused = try await world.tool.run(["serve", "--dev"] + Self.options)
                #expect(refused.status == 78)
                #expect(refused.diagnostics.contains("[service.tls]"), "\(refused.diagnostics)")
                _ = try await world.tool.shell("chmod 600 \(file)")
            }
        }
    }

    @Test func `the configuration names the certificate, too`() async throws {
        try await World.with { world in
            try await Self.makeCertificates(in: world)
            let serve =
                #"{"listen": "[::1]:0", "tlsCertificate": "good.pem", "tlsKey": "good.key"}"#
            let path = try world.write(#"{"serve": \#(serve)}"#, to: "config.json")
            let service = try await Served.start(in: world, ["--config", path], at: nil)
            #expect(service.url.hasPrefix("https://[::1]:"))
            kill(service.running.id, SIGTERM)
            _ = try await world.tool.finish(service.running)
            let half = try world.write(#"{"serve": {"tlsKey": "good.key"}}"#, to: "half.json")
            let refused = try await world.run("--config", half, "serve", "--dev")
            #expect(refused.status == 78)
        }
    }

    @Test
    func `streams over HTTP/2 end with the service, and requests that come then harm nothing`()
        async throws
    {
        try await Self.with { world, service in
            let header = "-H 'Authorization: Bearer \(service.token)'"
            let stream = try world.tool.start(
                "/bin/bash",
                [
                    "-c",
                    "exec curl -sSN --http2 --cacert ca.pem \(header) \(service.url)/v1/events/stream",
                ],
                input: nil
            )
            // Requests without an end on connections that stay open.
            let flood = try world.tool.start(
                "/bin/bash",
                [
                    "-c",
                    "exec curl -s --http2 --parallel --parallel-max 40 --cacert ca.pem \(header) "
                        + "-o /dev/null '\(service.url)/healthz?[1-100000]'",
                ],
                input: nil
            )
            try await Task.sleep(for: .seconds(1))
            let begin = ContinuousClock.now
            kill(service.running.id, SIGTERM)
            let followed = try await world.tool.finish(stream)
            #expect(followed.output.contains("event: bye"), "\(followed)")
            while kill(service.running.id, 0) == 0, ContinuousClock.now - begin < .seconds(30) {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(ContinuousClock.now - begin < .seconds(20))
            kill(flood.id, SIGKILL)
            _ = try await world.tool.finish(flood)
        }
    }

    @Test func `a client that begins nothing is cut off`() async throws {
        try await Self.with { world, service in
            let port = try #require(service.url.split(separator: ":").last)
            // One that does not shake hands, one that then sends nothing.
            let script = """
                import socket, ssl
                trust = ssl.create_default_context(cafile="ca.pem")
                first = socket.create_connection(("127.0.0.1", \(port)), timeout=30)
                second = trust.wrap_socket(
                    socket.create_connection(("127.0.0.1", \(port)), timeout=30),
                    server_hostname="localhost")
                print(first.recv(1), second.recv(1))
                """
            let cut = try await world.tool.shell("python3 -", input: script)
            #expect(cut.output == "b'' b''\n", "\(cut.diagnostics)")
        }
    }
}
