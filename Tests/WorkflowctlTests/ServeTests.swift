import EventLog
import Foundation
import FoundationNetworking
import Sandbox
import TestSupport
import Testing

@testable import workflowctl

/// The service as a process, over HTTP.
@Suite struct ServeTests {
    @Test(.guarantee(.noDoublePay))
    func `a killed service's payment goes on in the next one, and is paid once`() async throws {
        try await World.with { world in
            let created = try await world.sandbox.createOrder(
                SandboxOrder(payerReference: "payer-1")
            )
            var service = try await Served.start(in: world)
            let opened = try await service.send(
                "POST",
                "/v1/sessions",
                #"{"url": "\#(created.sessionURL)"}"#
            )
            #expect(opened.status == 201)
            let session = try #require(opened.json["session"].text)
            let (path, body) = ("/v1/sessions/\(session)", #"{"instrument": "swish"}"#)
            let key = ["Idempotency-Key": "k-1"]
            let begun = try await service.send("POST", path + "/attempts", body, key)
            #expect(begun.status == 200)
            let action = begun.json["actions"][0]
            kill(service.running.id, SIGKILL)
            _ = try await world.tool.finish(service.running)

            service = try await Served.start(in: world)
            let again = try await service.send("POST", path + "/attempts", body, key)
            #expect(again.status == 200)
            #expect(again.json["actions"][0]["id"].text == action["id"].text)
            let reported = try await service.send(
                "POST",
                path + "/actions/\(try #require(action["id"].text))/report",
                #"{"outcome": "launched"}"#
            )
            #expect(reported.status == 200)
            _ = try await world.approveInSwish(action)
            var view = reported.json
            for _ in 0..<60 where view["outcome"].text == nil {
                let seen = try #require(view["lastSeq"].number)
                let next = try await service.send(
                    "GET",
                    path,
                    nil,
                    ["If-None-Match": "\"\(seen)\"", "Prefer": "wait=5"]
                )
                if next.status == 200 { view = next.json }
            }
            #expect(view["outcome"].text == "completed")
            // An interrupt ends it well.
            kill(service.running.id, SIGTERM)
            let ended = try await world.tool.finish(service.running)
            #expect(ended.status == 130)
            let ledger = try #require(await world.sandbox.orderLedger(created.id))
            #expect(ledger.attempts.count == 1)
            // No line of its log has a secret.
            let secret = try #require(created.sessionURL.split(separator: "/").last)
            #expect(ended.diagnostics.contains(#""route":"attempt""#))
            for secret in [String(secret), service.token] {
                #expect(!ended.diagnostics.contains(secret))
            }
            #expect(try await world.run("verify").status == 0)
        }
    }

    @Test func `a page of an error has no link to a page that is not served`() {
        #expect(ErrorPage.all.count > 200)
        #expect(ErrorPage.all.filter { $0.value.contains("](") }.keys.sorted() == [])
    }

    @Test(.guarantee(.payersDontWaitForEachOther))
    func `a payer who has approved does not wait for one who has not`() async throws {
        try await World.with { world in
            let service = try await Served.start(in: world)
            var waiting: [JSON] = []
            for _ in 0..<20 {
                let created = try await world.sandbox.createOrder(
                    SandboxOrder(payerReference: "payer-1")
                )
                let opened = try await service.send(
                    "POST",
                    "/v1/sessions",
                    #"{"url": "\#(created.sessionURL)", "preferences": [{"instrument": "swish"}]}"#
                )
                waiting.append(opened.json)
            }
            let one = try #require(waiting.last)
            _ = try await world.approveInSwish(one["actions"][0])
            let begin = ContinuousClock.now
            var outcome: String?
            while outcome == nil, ContinuousClock.now - begin < .seconds(30) {
                let path = "/v1/sessions/\(try #require(one["session"].text))"
                outcome = try await service.send("GET", path).json["outcome"].text
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(outcome == "completed")
            kill(service.running.id, SIGTERM)
            _ = try await world.tool.finish(service.running)
        }
    }

    @Test func `another program can read the metrics, also of requests to the PSP`() async throws {
        try await World.with { world in
            let created = try await world.sandbox.createOrder(
                SandboxOrder(payerReference: "payer-1")
            )
            let service = try await Served.start(in: world)
            _ = try await service.send(
                "POST",
                "/v1/sessions",
                #"{"url": "\#(created.sessionURL)"}"#
            )
            var request = URLRequest(url: try #require(URL(string: service.url + "/metrics")))
            request.setValue("Bearer \(service.token)", forHTTPHeaderField: "Authorization")
            let page = String(
                decoding: try await URLSession.shared.data(for: request).0,
                as: UTF8.self
            )
            let path = try world.write(
                """
                import sys
                from prometheus_client.parser import text_string_to_metric_families
                for family in text_string_to_metric_families(sys.stdin.read()):
                    print(family.type, family.name)
                """,
                to: "families.py"
            )
            let run = try await world.tool.shell("python3 \(path)", input: page)
            #expect(run.status == 0, "\(run.diagnostics)")
            let families = Set(run.output.split(separator: "\n").map(String.init))
            for family in [
                "histogram payment_workflow_request_duration",
                "histogram payment_workflow_http_request_duration",
                "counter payment_workflow_http_requests", "gauge payment_workflow_payments",
                "counter payment_workflow_append_failures",
            ] {
                #expect(families.contains(family), "\(run.output)")
            }
            let psp = #"request_duration_count{rel="session",outcome="snapshot"} 1"#
            #expect(page.contains("payment_workflow_" + psp), "\(page)")
            #expect(!page.contains(try #require(created.sessionURL.split(separator: "/").last)))
            kill(service.running.id, SIGTERM)
            _ = try await world.tool.finish(service.running)
        }
    }

    @Test func `the example in another language pays`() async throws {
        try await World.with { world in
            let service = try await Served.start(in: world)
            let example = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Examples/OverHTTP/pay.py").path
            let paid = try await world.tool.shell(
                "python3 '\(example)' \(service.url) \(service.token) \(world.sandbox.baseURL)"
            )
            #expect(paid.status == 0, "\(paid.diagnostics)")
            #expect(paid.output.hasSuffix("ended as completed\n"))
            kill(service.running.id, SIGTERM)
            _ = try await world.tool.finish(service.running)
        }
    }

    @Test func `tokens are made, listed and revoked`() async throws {
        try await World.with { world in
            let made = try await world.run(
                "serve",
                "token",
                "create",
                "--role",
                "viewer",
                "--name",
                "anna",
                "--expires",
                "1h",
                "--json"
            )
            #expect(made.status == 0)
            try await SchemaCheck.expect(made.output, fits: "cli/serve-token-create", in: world)
            let id = try #require(made.json["id"].text)
            let list = try await world.run("serve", "token", "list", "--json")
            try await SchemaCheck.expect(list.output, fits: "cli/serve-token-list", in: world)
            #expect(try list.json[0]["name"].text == "anna")
            #expect(try world.mode(of: world.storePath + ".tokens") == 0o600)
            let revoked = try await world.run("serve", "token", "revoke", id, "--json")
            try await SchemaCheck.expect(revoked.output, fits: "cli/serve-token-revoke", in: world)
            #expect(try await world.run("serve", "token", "revoke", "none").status == 66)
            let after = try await world.run("serve", "token", "list")
            #expect(after.output.contains("anna"))
            #expect(after.output.contains("\tno"))
        }
    }

    @Test(arguments: ["127.0.0.1", ":80", "127.0.0.1:99999", "127.0.0.1:+80", "127.0.0.1:"])
    func `an address without a host or a port is refused`(address: String) async throws {
        try await World.with { world in
            let refused = try await world.run("serve", "--listen", address)
            #expect(refused.status == 64)
            #expect(refused.diagnostics.contains("usage.listen"))
        }
    }
}
