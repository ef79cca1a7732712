import Adapters
import EventLog
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// Checkouts that clients open and drive over HTTP.
@Suite(.feature("S-36")) struct CheckoutTests {
    @Test func `a checkout shows the PSP's page, and a repeated request opens no other`()
        async throws
    {
        try await ServiceWorld.with { world in
            let key: HTTPFields = [.idempotencyKey: "c-1"]
            let body = world.checkout()
            let first = try await world.send(.post, "/v1/checkouts", as: "driver", body, key)
            try #require(first.status == 201, "\(first.text)")
            let session = try #require(try first.json["session"] as? String)
            #expect(try first.actions.first?["kind"] as? String == "showMenu")
            #expect(try first.json["reference"] as? String == "order-1")
            #expect(!first.text.contains(ServiceWorld.accessToken))
            let again = try await world.send(.post, "/v1/checkouts", as: "driver", body, key)
            #expect(again.status == 201)
            #expect(again.fields[.idempotencyReplayed] == "true")
            #expect(try again.json["session"] as? String == session)
            let node = try await ServiceWorld.start(in: world.folder)
            let elsewhere = try await world.send(
                .post,
                "/v1/checkouts",
                as: "driver",
                body,
                key,
                to: node
            )
            #expect(try elsewhere.json["session"] as? String == session)
            await node.shutdown()
            let known = try await world.send(
                .get,
                "/v1/sessions/\(session)/requests/c-1",
                as: "driver"
            )
            #expect(try known.json["seq"] as? Int == 1)
            // Whoever was not told the session finds it by the reference, and nobody else's.
            let path = "/v1/requests/c-1?reference=order-1"
            let found = try await world.send(.get, path, as: "driver")
            #expect(try found.json["session"] as? String == session, "\(found.text)")
            #expect(try found.json["seq"] as? Int == 1)
            #expect(try await world.send(.get, path + "2", as: "driver").status == 404)
            #expect(try await world.send(.get, "/v1/requests/c-1", as: "driver").status == 400)
            let file = AccessTokens(path: world.folder.appending(path: "tokens").path)
            let stranger = try file.create(
                name: "other shop",
                roles: [.driver],
                expires: nil,
                at: Instant(microseconds: 0),
                random: SystemRandom()
            )
            let theirs = try await world.send(.get, path, as: stranger.secret)
            #expect(theirs.code == "request.unknown-key")
            let other = world.checkout(ServiceWorld.order(amount: 20_000))
            let reused = try await world.send(.post, "/v1/checkouts", as: "driver", other, key)
            #expect(reused.status == 422)
            #expect(reused.code == "request.key-reused")
            // By what is personal, or absent, nothing can be found again.
            let named = #", "orderReference": "order-1""#
            let unnamed = ServiceWorld.order().replacing(named, with: "")
            for lost in [unnamed, ServiceWorld.order(reference: "19900101-2385")] {
                let lost = world.checkout(lost)
                let refused = try await world.send(.post, "/v1/checkouts", as: "driver", lost, key)
                #expect(refused.code == "request.key-needs-reference", "\(refused.text)")
            }
            let list = try await world.send(.get, "/v1/sessions", as: "viewer")
            #expect(try (list.json["items"] as? [Any])?.count == 1)
        }
    }

    @Test(.threat("T-63")) func `what could not be created, or should go elsewhere, opens nothing`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (psp, order) = (world.sandbox.baseURL, ServiceWorld.order())
            let charge = order.replacing("Purchase", with: "Recur")
            for (body, code) in [
                (#"{"order": \#(order)}"#, "usage.gateway"),
                (#"{"psp": "\#(psp)", "backend": "\#(psp)", "order": \#(order)}"#, "usage.gateway"),
                (#"{"psp": "https://evil.example/", "order": \#(order)}"#, "usage.host"),
                (#"{"backend": "https://evil.example/", "order": \#(order)}"#, "usage.host"),
                (#"{"psp": "ftp://x/", "order": \#(order)}"#, "usage.gateway"),
                (#"{"psp": "\#(psp)"}"#, "request.content"),
                (#"{"psp": "\#(psp)", "order": []}"#, "order.unreadable"),
                (#"{"psp": "\#(psp)", "order": {}}"#, "order.invalid"),
                (world.checkout(ServiceWorld.order(amount: -1)), "order.invalid"),
                (world.checkout(order, #", "generation": "v2""#), "usage.gateway"),
                (world.checkout(order, #", "generation": "v9""#), "request.content"),
                (world.checkout(order, #", "checkIn": ["se"]"#), "usage.check-in"),
                (world.checkout(order, #", "checkIn": []"#), "usage.check-in"),
                (world.checkout(order, #", "redirectHosts": ["*"]"#), "usage.redirect-host"),
                (
                    world.checkout(
                        order,
                        #", "redirects": "browser", "redirectHosts": ["bank.example"]"#
                    ), "usage.redirect-host"
                ),
                (world.checkout(order, #", "redirects": "nowhere""#), "request.content"),
                (world.checkout(order, #", "reference": "a\u0000b""#), "request.content"),
                (world.checkout(order, #", "refrence": "x""#), "request.content"),
            ] {
                let refused = try await world.send(.post, "/v1/checkouts", as: "driver", body)
                #expect(refused.status == 422, "\(body): \(refused.text)")
                #expect(refused.code == code, "\(body): \(refused.text)")
                #expect(!refused.text.contains("evil.example"))
            }
            let token = charge.replacing(
                #""language""#,
                with: #""recurrenceToken": "5a17c24e-d459-4567-bbad-aa0f17a76119", "language""#
            )
            let paged = try await world.send(
                .post,
                "/v1/checkouts",
                as: "driver",
                world.checkout(token)
            )
            #expect(paged.code == "usage.order", "\(paged.text)")
            #expect(!paged.text.contains("5a17c24e"))
            let events = try await world.send(.get, "/v1/events", as: "subscriber")
            #expect(events.text.isEmpty)
        }
    }

    @Test func `without the merchant's access token no order is sent to the PSP`() async throws {
        var policies = PaymentAPI.Policies()
        policies.orders = OrderAccess()
        try await ServiceWorld.with { world in
            let (session, _) = try await world.paidCheckout()
            let node = try await ServiceWorld.start(in: world.folder, policies)
            let path = "/v1/sessions/\(session)"
            let before = try await world.send(.get, path, as: "viewer")
            for (place, role, body) in [
                ("/v1/checkouts", "driver", world.checkout()),
                (path + "/transactions", "operator", #"{"kind": "capture", "description": "x"}"#),
                (path + "/refetch", "operator", nil),
            ] {
                let refused = try await world.send(.post, place, as: role, body, to: node)
                #expect(refused.status == 500, "\(refused.text)")
                #expect(refused.code == "configuration.token")
            }
            await node.shutdown()
            let after = try await world.send(.get, path, as: "viewer")
            #expect(try before.json["lastSeq"] as? Int == after.json["lastSeq"] as? Int)
            let list = try await world.send(.get, "/v1/sessions", as: "viewer")
            #expect(try (list.json["items"] as? [Any])?.count == 1)
        }
    }

    @Test func `an order is handed over, paid natively, and its checkout knows it`() async throws {
        try await ServiceWorld.with { world in
            let (session, order) = try await world.openCheckout()
            let path = "/v1/sessions/\(session)"
            let key: HTTPFields = [.idempotencyKey: "h-1"]
            let native = try await world.send(.post, path + "/hand-over", as: "driver", nil, key)
            try #require(native.status == 200, "\(native.text)")
            let other = try #require(try native.json["session"] as? String)
            #expect(other != session)
            let again = try await world.send(.post, path + "/hand-over", as: "driver", nil, key)
            #expect(again.fields[.idempotencyReplayed] == "true")
            #expect(try again.json["session"] as? String == other)
            let back = try await world.send(.post, path + "/hand-back", as: "driver")
            #expect(try back.actions.first?["kind"] as? String == "showMenu", "\(back.text)")
            _ = try await world.send(.post, path + "/hand-over", as: "driver")
            let begun = try await world.send(
                .post,
                "/v1/sessions/\(other)/attempts",
                as: "driver",
                #"{"instrument": "swish", "msisdn": "+46739000001"}"#
            )
            try #require(begun.status == 200, "\(begun.text)")
            var checkout = begun
            for _ in 0..<50 where try checkout.json["outcome"] as? String == nil {
                try await Task.sleep(for: .milliseconds(200))
                checkout = try await world.send(.get, path, as: "viewer")
            }
            #expect(try checkout.json["outcome"] as? String == "completed", "\(checkout.text)")
            let ledger = try #require(await world.sandbox.orderLedger(order))
            #expect(ledger.doubles.isEmpty && ledger.status == "Paid")
        }
    }

    @Test func `commands for checkouts are refused for other sessions and states`() async throws {
        try await ServiceWorld.with { world in
            let (native, _, _) = try await world.open()
            for (place, body) in [
                ("instrument", #"{"instrument": "Swish"}"#), ("hand-over", nil), ("hand-back", nil),
            ] {
                let refused = try await world.send(
                    .post,
                    "/v1/sessions/\(native)/\(place)",
                    as: "driver",
                    body
                )
                #expect(refused.code == "session.not-a-checkout", "\(place): \(refused.text)")
            }
            let (session, _) = try await world.openCheckout()
            let path = "/v1/sessions/\(session)"
            let locked = try await world.send(
                .post,
                path + "/instrument",
                as: "driver",
                #"{"instrument": "Swish"}"#
            )
            #expect(locked.code == "order.not-in-instrument-mode")
            for body in [#"{"instrument": "Sw ish"}"#, #"{"instrument": ""}"#, #"{"name": "x"}"#] {
                let refused = try await world.send(.post, path + "/instrument", as: "driver", body)
                #expect(refused.status == 422)
            }
            let adopted = try await world.send(
                .post,
                path + "/order",
                as: "operator",
                #"{"order": "/psp/paymentorders/a1"}"#
            )
            #expect(adopted.code == "order.not-lost", "\(adopted.text)")
            let wrong = try await world.send(
                .post,
                path + "/order",
                as: "operator",
                #"{"order": "https://api.payex.com/x"}"#
            )
            #expect(wrong.code == "usage.order")
        }
    }

    @Test func `an order in instrument mode changes its method`() async throws {
        try await ServiceWorld.with { world in
            let (session, _) = try await world.openCheckout(
                ServiceWorld.order(instrument: "CreditCard")
            )
            let changed = try await world.send(
                .post,
                "/v1/sessions/\(session)/instrument",
                as: "driver",
                #"{"instrument": "Swish"}"#
            )
            try #require(changed.status == 200, "\(changed.text)")
            let checkout = try #require(try changed.json["checkout"] as? [String: Any])
            let order = try #require(checkout["order"] as? [String: Any])
            #expect(order["instrument"] as? String == "Swish", "\(changed.text)")
        }
    }

    @Test func `a callback makes the order be read, and a foreign one does nothing`() async throws {
        try await ServiceWorld.with { world in
            let (session, order) = try await world.openCheckout()
            let path = "/v1/sessions/\(session)/callbacks"
            let body = #"{"paymentOrder": {"id": "/psp/paymentorders/\#(order)", "number": 1}}"#
            for foreign in ["{}", body.replacing(order, with: "x" + order), "no JSON"] {
                let refused = try await world.send(.post, path, as: "driver", foreign)
                #expect(refused.code == "order.foreign-callback", "\(refused.text)")
            }
            let large = String(repeating: " ", count: 1 << 16) + body
            #expect(try await world.send(.post, path, as: "driver", large).status == 413)
            let before = try await world.send(.get, "/v1/sessions/\(session)", as: "viewer")
            let read = try await world.send(.post, path, as: "driver", body)
            #expect(read.status == 200, "\(read.text)")
            let events = try await world.send(
                .get,
                "/v1/sessions/\(session)/events",
                as: "auditor"
            )
            #expect(events.text.contains(#""type":"callbackReceived""#))
            #expect(
                try #require(try read.json["lastSeq"] as? Int)
                    > #require(try before.json["lastSeq"] as? Int)
            )
        }
    }
}
