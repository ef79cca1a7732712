import Adapters
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// What the service measures of its requests.
@Suite(.feature("S-33")) struct MetricsTests {
    private func metrics(_ world: ServiceWorld) async throws -> String {
        let reply = try await world.send(.get, "/metrics", as: "viewer")
        #expect(reply.status == 200)
        return reply.text
    }

    /// Sends a request that the description does not have.
    private func stray(
        _ method: String,
        _ path: String,
        as token: String?,
        to world: ServiceWorld
    ) async throws -> ServiceResponse {
        var head = HTTPRequest(
            method: try #require(HTTPRequest.Method(method)),
            scheme: "http",
            authority: "test",
            path: path
        )
        if let token { head.headerFields[.authorization] = "Bearer \(token)" }
        return await world.node.api.respond(to: head)
    }

    @Test func `requests, refusals, keys and streams are counted`() async throws {
        try await ServiceWorld.with { world in
            var text = try await metrics(world)
            #expect(text.contains(#"payment_workflow_http_refused_total{reason="rate"} 0"# + "\n"))
            #expect(text.contains(#"payment_workflow_idempotency_total{result="replayed"} 0"#))
            let (session, payer, _) = try await world.open()
            let path = "/v1/sessions/\(session)"
            let key: HTTPFields = [.idempotencyKey: "k-1"]
            for body in [#"{"instrument": "swish"}"#, #"{"instrument": "google-pay"}"#] {
                for _ in 0..<2 {
                    _ = try await world.send(.post, path + "/attempts", as: "driver", body, key)
                }
            }
            _ = try await world.send(.get, path, as: nil)
            _ = try await world.send(.get, path, as: "subscriber")
            _ = try await world.send(.post, "/v1/sessions", as: "driver", "{")
            _ = try await world.send(
                .post,
                "/v1/sessions",
                as: "driver",
                String(repeating: " ", count: PaymentAPI.Limits().bodyBytes + 1)
            )
            let response = try await stray("BREW", "/coffee", as: nil, to: world)
            #expect(response.head.status == 404)
            _ = try await world.follow(path + "/stream", as: payer) { _ in true }
            text = try await metrics(world)
            let lines = Set(text.split(separator: "\n").map(String.init))
            let requests = "payment_workflow_http_requests_total"
            for line in [
                #"\#(requests){route="openSession",method="POST",status_class="2xx"} 1"#,
                #"\#(requests){route="openSession",method="POST",status_class="4xx"} 2"#,
                #"\#(requests){route="attempt",method="POST",status_class="2xx"} 2"#,
                #"\#(requests){route="attempt",method="POST",status_class="4xx"} 2"#,
                #"\#(requests){route="none",method="other",status_class="4xx"} 1"#,
                #"payment_workflow_http_request_duration_count{route="attempt",method="POST"} 4"#,
                #"payment_workflow_http_refused_total{reason="unauthenticated"} 1"#,
                #"payment_workflow_http_refused_total{reason="forbidden"} 1"#,
                #"payment_workflow_http_refused_total{reason="limit"} 1"#,
                #"payment_workflow_idempotency_total{result="first"} 1"#,
                #"payment_workflow_idempotency_total{result="replayed"} 1"#,
                #"payment_workflow_idempotency_total{result="mismatch"} 2"#,
                #"payment_workflow_idempotency_total{result="under_way"} 0"#,
            ] {
                #expect(lines.contains(line), "\(line) is not in \(text)")
            }
            // The gauges of the store are there, too.
            #expect(text.contains(#"payment_workflow_payments{host="127.0.0.1""#))
            #expect(text.contains("payment_workflow_store_free_bytes "))
        }
    }

    @Test func `open streams are counted while they are open`() async throws {
        try await ServiceWorld.with { world in
            let (session, payer, _) = try await world.open()
            let path = "/v1/sessions/\(session)/stream"
            var stream: ServiceResponse? = try await stray("GET", path, as: payer, to: world)
            #expect(try await metrics(world).contains("payment_workflow_streams 1\n"))
            #expect(stream != nil)
            stream = nil
            #expect(try await metrics(world).contains("payment_workflow_streams 0\n"))
        }
    }

    @Test func `a store that cannot be read takes its gauges away, and nothing else`() async throws
    {
        try await ServiceWorld.with { world in
            _ = try await world.open()
            await world.node.store.close()
            let text = try await metrics(world)
            #expect(!text.contains("payment_workflow_payments{"))
            #expect(!text.contains("payment_workflow_overdue_seconds"))
            #expect(
                text.contains(#"payment_workflow_samples_failed_total{code="store.closed"} 1"#)
            )
            #expect(text.contains("payment_workflow_http_requests_total"))
        }
    }

    @Test(.guarantee(.noSecretOutside))
    func `no session, caller, address or token is in the metrics`() async throws {
        try await ServiceWorld.with { world in
            let (session, payer, order) = try await world.open()
            let path = "/v1/sessions/\(session)"
            _ = try await world.send(
                .post,
                path + "/attempts",
                as: payer,
                #"{"instrument": "swish", "msisdn": "+46739000001"}"#,
                [.idempotencyKey: "marked-key-1"]
            )
            _ = try await stray("MARKED", path + "/marked-part", as: payer, to: world)
            _ = try await world.send(.get, path, as: "pwt_marked_token")
            let text = try await metrics(world)
            let secret = try #require(order.sessionURL.split(separator: "/").last)
            for hidden in [session, String(secret), payer, "marked", "46739000001", "order-1"] {
                #expect(!text.contains(hidden), "\(hidden)")
            }
            let labels = Set(text.matches(of: /([a-z_]+)="/).map { String($0.1) })
            let known: Set = [
                "route", "method", "status_class", "reason", "result", "le", "host", "currency",
                "state",
            ]
            #expect(labels.isSubset(of: known), "\(labels)")
        }
    }
}
