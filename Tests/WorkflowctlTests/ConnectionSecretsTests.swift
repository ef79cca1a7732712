import Foundation
import TestSupport
import Testing

/// Settings of connections with which somebody could read along.
@Suite struct ConnectionSecretsTests {
    @Test(.threat("T-28"))
    func `no TLS secrets are written to SSLKEYLOGFILE, and doctor warns about it`() async throws {
        try await World.with { world in
            var tool = world.tool
            tool.environment["SSLKEYLOGFILE"] = world.folder + "/secrets"
            let path = try world.write(Self.script, to: "secure.py")
            let result = try await tool.shell("python3 \(path)")
            let checks = try result.json["checks"].list
            // The program did contact the server, which it trusts.
            let psp = checks.first { $0["check"].text == "psp" }
            #expect(psp?["grade"].text == "good", "\(result.output)")
            let connections = checks.first { $0["check"].text == "connections" }
            #expect(connections?["grade"].text == "warning")
            #expect(connections?["finding"].text?.contains("SSLKEYLOGFILE") == true)
            #expect(!FileManager.default.fileExists(atPath: world.folder + "/secrets"))
        }
    }

    /// Runs a server with a certificate of its own, and the program against it.
    private static let script = """
        import http.server, json, ssl, subprocess, threading
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem",
            "-out", "ca.pem"], check=True, stderr=subprocess.DEVNULL)
        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *words): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("ca.pem", "key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        json.dump({"authorityFile": "ca.pem"}, open("config.json", "w"))
        address = f"https://localhost:{server.server_address[1]}"
        subprocess.run(["workflowctl", "doctor", "--json", "--allow-insecure-loopback", "--config",
            "config.json", "--psp", address])
        """

    @Test func `doctor grades how the connection to a store on another machine is protected`()
        async throws
    {
        try await World.with { world in
            let cases = [
                ("postgres://u@192.0.2.1/base?sslmode=require", "warning"),
                ("postgres://u:p@192.0.2.1/base?sslmode=disable", "bad"),
                ("postgres://u:p@192.0.2.1/base?sslmode=verify-full", "good"),
                ("postgres://u:p@192.0.2.1/base", "good"),
                ("postgres://u:p@127.0.0.1/base?sslmode=disable", "good"),
            ]
            for (url, grade) in cases {
                var tool = world.tool
                tool.environment["WORKFLOWCTL_STORE"] =
                    url + (url.contains("?") ? "&" : "?")
                    + "connect_timeout=2"
                let result = try await tool.run(["doctor", "--json"])
                let found = try result.json["checks"].list.first {
                    $0["check"].text == "connections"
                }
                #expect(found?["grade"].text == grade, "\(url): \(result.output)")
            }
        }
    }
}
