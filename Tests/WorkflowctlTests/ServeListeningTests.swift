import Foundation
import TestSupport
import Testing

/// Where the service listens, and whom it believes there.
@Suite struct ServeListeningTests {
    @Test(.threat("T-64"))
    func `beyond this machine, it needs TLS or a trusted proxy, and somebody who may call`()
        async throws
    {
        try await World.with { world in
            try await ServeTLSTests.makeCertificates(in: world)
            func refusal(
                _ arguments: [String],
                _ configuration: String = "{}"
            ) async throws -> String {
                let path = try world.write(configuration, to: "config.json")
                let options = (["--config", path, "serve", "--dev"] + arguments)
                    .joined(separator: " ")
                let refused = try await world.tool.shell("timeout 30 workflowctl \(options)")
                #expect(refused.diagnostics.contains("hint: "), "\(refused.diagnostics)")
                let code = refused.diagnostics.firstMatch(of: /\[([a-z.-]+)\]/)?.1 ?? ""
                return "\(refused.status) \(code)"
            }
            let proxies = #""trustedProxies": ["10.0.0.0/8"]"#
            let roles = #""roles": {"pay-support": ["support"]}"#
            for address in ["0.0.0.0:0", "example.com:80", "[::]:0"] {
                #expect(try await refusal(["--listen", address]) == "64 service.no-tls")
                let serve = #"{"serve": {"listen": "\#(address)"}}"#
                #expect(try await refusal([], serve) == "78 service.no-tls")
                let secure = ["--listen", address] + ServeTLSTests.options
                #expect(try await refusal(secure) == "64 service.no-callers")
                let proxied = #"{"serve": {"listen": "\#(address)"}, "identity": {\#(proxies)}}"#
                #expect(try await refusal([], proxied) == "78 service.no-callers")
            }
            #expect(try await refusal([], #"{"identity": {\#(roles)}}"#) == "78 service.identity")
            let open = try world.write("0123456789abcdef", to: "open")
            let exposed = #"{"identity": {\#(proxies), \#(roles), "secretFile": "\#(open)"}}"#
            #expect(try await refusal([], exposed) == "78 service.identity")

            // People, or a token, and TLS or a proxy.
            let people = try world.write(
                #"{"identity": {\#(proxies), \#(roles)}}"#,
                to: "people.json"
            )
            let made = try await world.run("serve", "token", "create", "--role", "viewer")
            for (arguments, scheme) in [
                (ServeTLSTests.options, "https"), (["--config", people], "http"),
            ] {
                let service = try await Served.start(in: world, arguments, at: "0.0.0.0:0")
                #expect(service.url.hasPrefix("\(scheme)://0.0.0.0:"))
                kill(service.running.id, SIGTERM)
                _ = try await world.tool.finish(service.running)
            }
            let id = try #require(made.output.split(separator: "_").dropFirst().first)
            _ = try await world.run("serve", "token", "revoke", String(id))
            let secure = ["--listen", "0.0.0.0:0"] + ServeTLSTests.options
            #expect(try await refusal(secure) == "64 service.no-callers")
        }
    }

    @Test(.threat("T-66"), .feature("S-41"))
    func `the listener for payers has the payer's session, and nothing else`() async throws {
        try await World.with { world in
            try await ServeTLSTests.makeCertificates(in: world)
            let serve = #"{"returnURL": "https://pay.example/", "androidPackages": ["lamp.shop"]}"#
            let config = try world.write(#"{"serve": \#(serve)}"#, to: "config.json")
            let arguments = ["--public-listen", "127.0.0.1:0", "--config", config]
            let service = try await Served.start(in: world, arguments + ServeTLSTests.options)
            let running = try JSON(parsing: service.running.outputSoFar)
            let publicURL = try #require(running["publicUrl"].text)
            func status(_ request: String, _ token: String, at url: String) async throws -> String {
                try await world.tool.shell(
                    "curl -sS --cacert ca.pem -o reply -w '%{http_code}' "
                        + "-H 'Authorization: Bearer \(token)' \(url)\(request)"
                ).output
            }
            let session = try await world.open().session
            let path = "/v1/sessions/\(session)"
            let made = try await status(
                "\(path)/payer-tokens -X POST",
                service.token,
                at: service.url
            )
            #expect(made == "201")
            let reply = try String(contentsOfFile: world.folder + "/reply", encoding: .utf8)
            let payer = try #require(try JSON(parsing: reply)["token"].text)
            #expect(try await status(path, payer, at: publicURL) == "200")
            #expect(try await status(path, service.token, at: publicURL) == "401")
            for other in ["/v1/sessions", "/healthz", "/metrics", "/openapi.json", "/"] {
                #expect(try await status(other, service.token, at: publicURL) == "404", "\(other)")
            }
            #expect(try await status("/healthz", "", at: service.url) == "200")
            // Payers come back into the app.
            let back = "'/sdk-callback/android-intent?package=lamp.shop&id=1'"
            #expect(try await status(back, "", at: publicURL) == "200")
            #expect(try await status(back, "", at: service.url) == "404")
            kill(service.running.id, SIGTERM)
            #expect(try await world.tool.finish(service.running).status == 130)
            let refused = try await world.tool.shell(
                "timeout 30 workflowctl serve --public-listen 0.0.0.0:0"
            )
            #expect(refused.status == 64)
            #expect(refused.diagnostics.contains("[service.no-tls]"))
            let wrong = try world.write(
                #"{"serve": {"returnURL": "https://pay.example/", "appleSchemes": ["lamp"]}}"#,
                to: "wrong.json"
            )
            let unusable = try await world.tool.shell(
                "timeout 30 workflowctl --config \(wrong) serve --public-listen 127.0.0.1:0"
            )
            #expect(unusable.status == 78)
            #expect(unusable.diagnostics.contains("serve.trampolineURL"))
        }
    }

    @Test(.threat("T-65"), .feature("S-40"))
    func `a person acts through the proxy, which proves itself, and nobody else does`()
        async throws
    {
        try await World.with { world in
            let secret = try world.write("0123456789abcdef\n", to: "secret")
            _ = try await world.tool.shell("chmod 600 secret")
            let identity = #"""
                "trustedProxies": ["127.0.0.1"], "roles": {"leads": ["operator", "auditor"]},
                "userHeader": "Remote-User", "groupsHeader": "Remote-Groups"
                """#
            let path = try world.write(
                #"{"identity": {\#(identity), "secretFile": "\#(secret)"}}"#,
                to: "config.json"
            )
            let service = try await Served.start(in: world, ["--config", path])
            let session = try await world.open().session
            func abort(_ fields: String...) async throws -> String {
                let all = fields.map { "-H '\($0)'" }.joined(separator: " ")
                return try await world.tool.shell(
                    "curl -sS -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' "
                        + "-d '{\"reason\": \"the payer called\"}' \(all) "
                        + "\(service.url)/v1/sessions/\(session)/abort"
                ).output
            }
            let (user, groups) = ("Remote-User: anna@shop.example", "Remote-Groups: staff,leads")
            #expect(try await abort(user, groups) == "401")
            #expect(try await abort(user, groups, "X-Proxy-Secret: 0123456789abcdeX") == "401")
            let proof = "X-Proxy-Secret: 0123456789abcdef"
            #expect(try await abort("X-Forwarded-User: anna", groups, proof) == "401")
            #expect(try await abort(user, "Remote-Groups: staff", proof) == "403")
            #expect(try await abort(user, groups, "Authorization: Bearer x", proof) == "401")
            #expect(try await abort(user, groups, proof) == "200")
            kill(service.running.id, SIGTERM)
            let ended = try await world.tool.finish(service.running)
            #expect(ended.diagnostics.contains(#""caller":"anna@shop.example""#))
            #expect(!ended.diagnostics.contains("0123456789abcdef"))
            #expect(!ended.diagnostics.contains("can say that it is anybody"))
            let log = try await world.run("log", session, "--json")
            #expect(log.output.contains(#""by":"anna@shop.example""#))
            // Without a secret, the service says what that means.
            let other = try world.write(#"{"identity": {\#(identity)}}"#, to: "other.json")
            let believing = try await Served.start(in: world, ["--config", other])
            let head = "-o /dev/null -w '%header{strict-transport-security}'"
            let told = try await world.tool.shell("curl -sS \(head) \(believing.url)/healthz")
            #expect(told.status == 0 && told.output.isEmpty, "without TLS, nothing is said of it")
            kill(believing.running.id, SIGTERM)
            let noted = try await world.tool.finish(believing.running)
            #expect(noted.diagnostics.contains("can say that it is anybody"))
        }
    }
}
