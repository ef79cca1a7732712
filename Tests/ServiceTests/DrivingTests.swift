import EventLog
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// Payments that clients drive over HTTP.
@Suite(.feature("S-33")) struct DrivingTests {
    @Test func `a payer's own token is enough to pay with Swish`() async throws {
        try await ServiceWorld.with { world in
            let (session, payer, order) = try await world.open()
            let path = "/v1/sessions/\(session)"
            let begun = try await world.send(
                .post,
                path + "/attempts",
                as: payer,
                #"{"instrument": "swish"}"#
            )
            try #require(begun.status == 200, "\(begun.text)")
            let action = try #require(try begun.actions.first)
            #expect(action["kind"] as? String == "launchApp")
            let launched = try await world.send(
                .post,
                path + "/actions/\(try #require(action["id"] as? String))/report",
                as: payer,
                #"{"outcome": "launched"}"#,
                [.prefer: "wait=0"]
            )
            #expect(launched.status == 202)
            try await world.approveInSwish(action)
            var reply = try await world.send(.get, path, as: payer)
            for _ in 0..<30 where try reply.json["outcome"] as? String == nil {
                reply = try await world.send(
                    .get,
                    path,
                    as: payer,
                    nil,
                    [.ifNoneMatch: try #require(reply.fields[.eTag]), .prefer: "wait=10"]
                )
            }
            #expect(try reply.json["outcome"] as? String == "completed")
            let ledger = await world.sandbox.orderLedger(order.id)
            #expect(try #require(ledger).attempts.count == 1)
            let story = try await world.send(.get, path + "/story", as: "viewer")
            #expect(story.text.contains("Paid"))
        }
    }

    @Test func `a request that is repeated with its key is carried out once, at any node`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, _, order) = try await world.open()
            let path = "/v1/sessions/\(session)/attempts"
            let body = #"{"instrument": "swish"}"#
            let key: HTTPFields = [.idempotencyKey: "k-1"]
            let first = try await world.send(.post, path, as: "driver", body, key)
            try #require(first.status == 200, "\(first.text)")
            #expect(first.fields[.idempotencyReplayed] == nil)
            let again = try await world.send(.post, path, as: "driver", body, key)
            #expect(again.status == 200)
            #expect(again.fields[.idempotencyReplayed] == "true")
            // Without the key, and with another one, it is a second attempt, which is refused.
            let other = try await world.send(.post, path, as: "driver", body)
            #expect(other.code == "session.attempt-running")
            #expect(try other.json["allowed"] as? [String] != nil)
            let second = try await world.send(
                .post,
                path,
                as: "driver",
                body,
                [.idempotencyKey: "k-2"]
            )
            #expect(second.code == "session.attempt-running")
            // What was refused has not used its key.
            let unknown = try await world.send(
                .get,
                "/v1/sessions/\(session)/requests/k-2",
                as: "driver"
            )
            #expect(unknown.status == 404)
            // Another request must not have the key.
            let reused = try await world.send(
                .post,
                path,
                as: "driver",
                #"{"instrument": "google-pay"}"#,
                key
            )
            #expect(reused.status == 422)
            #expect(reused.code == "request.key-reused")
            // A node that starts later knows the key, too.
            let node = try await ServiceWorld.start(in: world.folder)
            let elsewhere = try await world.send(.post, path, as: "driver", body, key, to: node)
            #expect(elsewhere.fields[.idempotencyReplayed] == "true")
            let known = try await world.send(
                .get,
                "/v1/sessions/\(session)/requests/k-1",
                as: "driver",
                to: node
            )
            #expect(try known.json["seq"] as? Int == 7)
            await node.shutdown()
            #expect(try #require(await world.sandbox.orderLedger(order.id)).attempts.count == 1)
        }
    }

    @Test func `a note that is sent again with its key is written once`() async throws {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            let path = "/v1/sessions/\(session)/notes"
            let (text, key) = (#"{"text": "called"}"#, [.idempotencyKey: "n-1"] as HTTPFields)
            let first = try await world.send(.post, path, as: "support", text, key)
            let again = try await world.send(.post, path, as: "support", text, key)
            #expect(first.status == 201 && again.status == 201)
            #expect(try first.json["seq"] as? Int == again.json["seq"] as? Int)
            let other = try await world.send(.post, path, as: "support", #"{"text": "x"}"#, key)
            #expect(other.code == "request.key-reused")
            // The same key of another caller is another key.
            let theirs = try await world.send(.post, path, as: "operator", text, key)
            #expect(try theirs.json["seq"] as? Int != first.json["seq"] as? Int)
        }
    }

    @Test(arguments: [
        #"{"url": "URL", "refrence": "order-1"}"#, #"{"url": "URL", "reference": ""}"#,
        #"{"url": "URL", "reference": "a\u0000b"}"#, #"{"url": "URL", "callbackScheme": "https"}"#,
        #"{"url": "URL", "metadata": {"": "x"}}"#,
        #"{"url": "URL", "preferences": [{"instrument": "swish", "msisdm": "+46739000001"}]}"#,
        #"{"url": "URL", "preferences": [{"instrument": "card", "card": "4761739001010416"}]}"#,
        #"{"url": "URL", "preferences": [{"instrument": "card", "card": "4761739001010416*"}]}"#,
    ])
    func `what may be misspelt, or should not be recorded, opens nothing`(
        body: String
    ) async throws {
        try await ServiceWorld.with { world in
            let order = try await world.sandbox.createOrder()
            let reply = try await world.send(
                .post,
                "/v1/sessions",
                as: "driver",
                body.replacing("URL", with: order.sessionURL)
            )
            #expect(reply.status == 422, "\(reply.text)")
            #expect(!reply.text.contains("4761739001010416"))
            let events = try await world.send(.get, "/v1/events", as: "subscriber")
            #expect(events.text.isEmpty)
        }
    }

    @Test func `a session at a host that is not allowed is shown, and nothing is recorded in it`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            let path = "/v1/sessions/\(session)"
            let before = try await world.send(.get, path, as: "viewer")
            let node = try await ServiceWorld.start(in: world.folder, allowingLoopback: false)
            let shown = try await world.send(.get, path, as: "driver", to: node)
            #expect(shown.status == 200)
            for command in ["/refetch", "/abort", "/retry"] {
                let reply = try await world.send(.post, path + command, as: "driver", to: node)
                #expect(reply.code == "usage.host", "\(reply.text)")
            }
            let after = try await world.send(.get, path, as: "viewer", to: node)
            #expect(try after.json["lastSeq"] as? Int == before.json["lastSeq"] as? Int)
            await node.shutdown()
        }
    }

    @Test func `two equal requests at the same time are one`() async throws {
        try await ServiceWorld.with { world in
            let (session, _, order) = try await world.open()
            let replies = try await withThrowingTaskGroup(of: ServiceWorld.Reply.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        try await world.send(
                            .post,
                            "/v1/sessions/\(session)/attempts",
                            as: "driver",
                            #"{"instrument": "swish"}"#,
                            [.idempotencyKey: "k-1"]
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for reply in replies {
                #expect(reply.status == 200 || reply.code == "request.under-way", "\(reply.text)")
            }
            #expect(try #require(await world.sandbox.orderLedger(order.id)).attempts.count == 1)
        }
    }

    @Test func `a command that relies on an earlier version is refused`() async throws {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            let path = "/v1/sessions/\(session)"
            let seen = try #require(
                try await world.send(.get, path, as: "operator").fields[.eTag]
            )
            let refetched = try await world.send(.post, path + "/refetch", as: "operator")
            #expect(refetched.status == 200)
            let late = try await world.send(
                .post,
                path + "/abort",
                as: "operator",
                nil,
                [.ifMatch: seen]
            )
            #expect(late.status == 412)
            let current = try await world.send(
                .post,
                path + "/abort",
                as: "operator",
                nil,
                [.ifMatch: try #require(refetched.fields[.eTag])]
            )
            #expect(try current.json["outcome"] as? String == "canceled", "\(current.text)")
        }
    }

    @Test func `an address that is known gives its session, and a foreign host is refused`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, _, order) = try await world.open()
            let again = try await world.send(
                .post,
                "/v1/sessions",
                as: "driver",
                #"{"url": "\#(order.sessionURL)"}"#
            )
            #expect(again.status == 200)
            #expect(try again.json["session"] as? String == session)
            for url in ["https://evil.example/x", "ftp://x/y", "http://169.254.0.1/a", ""] {
                let refused = try await world.send(
                    .post,
                    "/v1/sessions",
                    as: "driver",
                    #"{"url": "\#(url)"}"#
                )
                #expect(refused.status == 422, "\(refused.text)")
                #expect(url.isEmpty || !refused.text.contains(url))
            }
        }
    }

    @Test(arguments: [
        (#"{"url": 1}"#, 422), ("{", 400), ("[]", 422), (#"{"url": "x", "url": "y"}"#, 400),
        (#"{}"#, 422), (String(repeating: "[", count: 100), 400),
        (#"{"url": "\ud800"}"#, 400),
        (#"{"url": "x", "amount": {"minorUnits": 1.5, "currency": "SEK"}}"#, 422),
    ])
    func `a malformed body is refused, and nothing of it is repeated`(
        body: String,
        status: Int
    ) async throws {
        try await ServiceWorld.with { world in
            let reply = try await world.send(.post, "/v1/sessions", as: "driver", body)
            #expect(reply.status == status, "\(reply.text)")
            let list = try await world.send(.get, "/v1/sessions", as: "viewer")
            #expect(try (list.json["items"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a body that is too large or of another media type is refused`() async throws {
        try await ServiceWorld.with { world in
            let large = String(repeating: " ", count: PaymentAPI.Limits().bodyBytes + 1)
            let reply = try await world.send(.post, "/v1/sessions", as: "driver", large)
            #expect(reply.status == 413)
            let form = try await world.send(
                .post,
                "/v1/sessions",
                as: "driver",
                "url=x",
                [.contentType: "application/x-www-form-urlencoded"]
            )
            #expect(form.status == 415)
        }
    }

    @Test func `only who performs the actions gets what they need, and nobody the address`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, payer, order) = try await world.open()
            let path = "/v1/sessions/\(session)"
            let begun = try await world.send(
                .post,
                path + "/attempts",
                as: payer,
                #"{"instrument": "swish"}"#
            )
            let link = try #require(try begun.actions.first?["url"] as? String)
            let token = try #require(link.firstMatch(of: /token=([^&]+)/)?.1)
            let secret = try #require(order.sessionURL.split(separator: "/").last)
            for role in ["viewer", "support", "operator", "auditor", "admin", "driver"] {
                for place in ["", "/story", "/timeline", "/events"] {
                    let reply = try await world.send(.get, path + place, as: role)
                    #expect(!reply.text.contains(secret), "\(role) \(place)")
                    guard role != "driver" || !place.isEmpty else { continue }
                    #expect(!reply.text.contains(token), "\(role) \(place)")
                }
            }
            let driver = try await world.send(.get, path, as: "driver")
            #expect(driver.text.contains(token))
        }
    }

    @Test func `a note is sealed, and a page of an action has its own policy`() async throws {
        try await ServiceWorld.with { world in
            let (session, payer, _) = try await world.open()
            let path = "/v1/sessions/\(session)"
            let noted = try await world.send(
                .post,
                path + "/notes",
                as: "support",
                #"{"text": "the payer called about 4711"}"#
            )
            #expect(noted.status == 201)
            let events = try await world.send(.get, path + "/events", as: "auditor")
            #expect(!events.text.contains("called"))
            #expect(events.text.contains(#""by":"support""#))
            let menu = try await world.send(.post, path + "/menu", as: payer, nil)
            let action = try #require(
                try menu.actions.first { $0["kind"] as? String == "showMenu" }
            )
            let page = try await world.send(
                .get,
                path + "/actions/\(try #require(action["id"] as? String))/page",
                as: payer
            )
            #expect(page.status == 200)
            #expect(page.fields[.contentSecurityPolicy] != nil)
            #expect(page.text.contains("<html"))
        }
    }
}
