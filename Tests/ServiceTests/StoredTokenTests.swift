import Adapters
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// A payer's stored cards, listed and deleted over HTTP.
@Suite(.feature("S-36")) struct StoredTokenTests {
    private func send(
        _ path: String,
        _ more: String,
        as role: String? = "operator",
        to world: ServiceWorld
    ) async throws -> ServiceWorld.Reply {
        try await world.send(
            .post,
            path,
            as: role,
            #"{"psp": "\#(world.sandbox.baseURL)"\#(more)}"#
        )
    }

    private func tokens(_ reply: ServiceWorld.Reply) throws -> [[String: Any]] {
        let list = try JSONSerialization.jsonObject(with: Data(reply.text.utf8))
        return try #require(list as? [[String: Any]], "\(reply.text)")
    }

    /// Pays an order whose card is stored.
    private func store(_ payer: String, in world: ServiceWorld) async throws {
        let order = ServiceWorld.order().replacing(
            #""payeeInfo""#,
            with: #""generatePaymentToken": true, "payer": {"payerReference": "\#(payer)"}, "#
                + #""payeeInfo""#
        )
        try await world.payElsewhere(try await world.openCheckout(order).order)
    }

    @Test func `a stored card is listed without its token, and deleted once`() async throws {
        try await ServiceWorld.with { world in
            try await store("payer-42", in: world)
            let list = try await send(
                "/v1/payment-tokens",
                #", "payer": "payer-42""#,
                as: "driver",
                to: world
            )
            try #require(list.status == 200, "\(list.text)")
            let found = try tokens(list)
            let name = try #require(found.first?["name"] as? String)
            #expect(found.first?["number"] as? Int == 1)
            #expect(found.allSatisfy { $0["token"] as? String == "•••" })
            #expect(!list.text.contains(ServiceWorld.accessToken))
            let deletion = #", "payer": "payer-42", "number": 1, "name": "\#(name)""#
            for (wrong, code) in [
                (#", "payer": "payer-42", "number": 1"#, "tokens.unknown"),
                (#", "payer": "payer-42", "number": 1, "name": "another""#, "tokens.unknown"),
                (#", "payer": "payer-42", "number": 99, "name": "\#(name)""#, "tokens.unknown"),
                (#", "payer": "payer-42", "number": 0, "name": "\#(name)""#, "request.content"),
                (#", "payer": "", "number": 1, "name": "\#(name)""#, "order.malformed-value"),
                (deletion + #", "comment": """#, "request.content"),
            ] {
                let refused = try await send("/v1/payment-tokens/deletion", wrong, to: world)
                #expect(refused.code == code, "\(refused.text)")
            }
            let deleted = try await send("/v1/payment-tokens/deletion", deletion, to: world)
            #expect(deleted.status == 200, "\(deleted.text)")
            #expect(try deleted.json["deleted"] as? String == name)
            // Sent again, it means another token, or none.
            let again = try await send("/v1/payment-tokens/deletion", deletion, to: world)
            #expect(again.code == "tokens.unknown", "\(again.text)")
            let rest = try await send("/v1/payment-tokens", #", "payer": "payer-42""#, to: world)
            #expect(try tokens(rest).count == found.count - 1)
        }
    }

    @Test(.threat("T-63")) func `the merchant's credentials go to allowed hosts only`() async throws
    {
        try await ServiceWorld.with { world in
            for (body, code) in [
                (#"{"payer": "payer-42"}"#, "usage.gateway"),
                (#"{"payer": "payer-42", "psp": "https://evil.example/"}"#, "usage.host"),
                (#"{"payer": "payer-42", "backend": "https://evil.example/"}"#, "usage.host"),
            ] {
                let reply = try await world.send(.post, "/v1/payment-tokens", as: "driver", body)
                #expect(reply.code == code, "\(reply.text)")
            }
        }
        var policies = PaymentAPI.Policies()
        policies.orders = OrderAccess()
        try await ServiceWorld.with(policies) { world in
            let reply = try await send("/v1/payment-tokens", #", "payer": "a""#, to: world)
            #expect(reply.code == "configuration.token")
        }
        policies.orders = OrderAccess(accessToken: { _ in "another" })
        try await ServiceWorld.with(policies) { world in
            let reply = try await send("/v1/payment-tokens", #", "payer": "a""#, to: world)
            #expect(reply.status == 409 && reply.code == "order.problem", "\(reply.text)")
            #expect(!reply.text.contains("another"))
            await world.sandbox.shutdown()
            let away = try await send("/v1/payment-tokens", #", "payer": "a""#, to: world)
            #expect(away.status == 503, "\(away.text)")
        }
    }
}
