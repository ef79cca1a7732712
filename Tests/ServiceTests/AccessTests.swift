import Adapters
import EventLog
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import SwedbankPay
import TestSupport
import Testing

@testable import Service

/// Who may call what: every role and the payer at every endpoint, on a session of their own, a
/// foreign one and an unknown one.
@Suite(.feature("S-33"), .threat("T-57")) struct AccessTests {
    @Test func `each role reaches its endpoints and no other, and without a token nobody any`()
        async throws
    {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let own = try await world.open()
            let foreign = try await world.open()
            let erased = try await world.open().session
            try await world.erase(erased)
            let unknown = "01a22bb5-c9f2-7000-bfe3-000000000000"
            for route in Route.allCases {
                guard let roles = route.roles else { continue }
                // Requests that open or change something are sent with bodies that are refused.
                for session in [own.session, foreign.session, erased, unknown] {
                    let path = Self.path(of: route, session)
                    let body = route.method == .post ? "[]" : nil
                    for role in Role.allCases {
                        // Streams are tried elsewhere.
                        guard !Self.isStream(route) || !roles.contains(role) else { continue }
                        let reply = try await world.send(route.method, path, as: "\(role)", body)
                        #expect(
                            (reply.status == 403) != roles.contains(role),
                            "\(role) at \(route) of \(session): \(reply.status)"
                        )
                        // A person with the role may do the same, through the proxy only.
                        let fields = ServiceWorld.fields(of: "anna", in: "others, \(role)s")
                        let person = try await world.send(
                            route.method,
                            path,
                            as: nil,
                            route.method == .post ? "[]" : nil,
                            fields,
                            from: "10.1.2.3"
                        )
                        #expect(person.status == reply.status, "a person as \(role) at \(route)")
                        let forged = try await world.send(
                            route.method,
                            path,
                            as: nil,
                            body,
                            fields,
                            from: "192.0.2.1"
                        )
                        #expect(forged.status == 401, "a forged \(role) at \(route)")
                    }
                    let nobody = try await world.send(route.method, path, as: nil, body)
                    #expect(nobody.status == 401, "nobody at \(route)")
                    let wrong = try await world.send(route.method, path, as: "pwt_x_y", body)
                    #expect(wrong.status == 401, "a wrong token at \(route)")
                    guard !Self.isStream(route) || session != own.session else { continue }
                    let payer = try await world.send(route.method, path, as: own.payer, body)
                    let mayPay = route.isForPayer && session == own.session
                    #expect((payer.status == 403) != mayPay, "the payer at \(route) of \(session)")
                }
            }
        }
    }

    @Test(.feature("S-42"), .threat("T-67"))
    func `where drivers see their own sessions, a foreign one is as unknown as none`()
        async throws
    {
        var policies = try ServiceWorld.signingIn
        policies.limitsDrivers = true
        try await ServiceWorld.with(policies) { world in
            let own = try await world.open()
            let file = AccessTokens(path: world.folder.appending(path: "tokens").path)
            func token(_ name: String, _ roles: Set<Role>) throws -> String {
                try file.create(
                    name: name,
                    roles: roles,
                    expires: nil,
                    at: Instant(microseconds: 0),
                    random: SystemRandom()
                ).secret
            }
            let rival = try token("rival", [.driver])
            let both = try token("rival", [.driver, .viewer])
            let ownErased = try await world.open().session
            try await world.erase(ownErased)
            let unknown = "01a22bb5-c9f2-7000-bfe3-000000000000"
            for route in Route.allCases where route.namesSession {
                let body = route.method == .post ? "[]" : nil
                func reply(_ session: String, as token: String?) async throws -> String {
                    let reply = try await world.send(
                        route.method,
                        Self.path(of: route, session),
                        as: token,
                        body
                    )
                    return "\(reply.status) \(reply.text.replacing(session, with: "SESSION"))"
                }
                let none = try await reply(unknown, as: rival)
                let may = route.roles?.contains(.driver) == true
                #expect(none.hasPrefix(may ? "404 " : "403 "), "\(none) at \(route)")
                #expect(try await reply(own.session, as: rival) == none, "\(route)")
                #expect(try await reply(ownErased, as: rival) == none, "erased, \(route)")
                if !Self.isStream(route) {
                    let mine = try await reply(own.session, as: "driver")
                    #expect(may == (mine != none), "\(mine) at \(route)")
                    // As a viewer, it reads all; as a driver, it drives its own.
                    let isRead = route.roles?.contains(.viewer) == true
                    let seen = try await reply(own.session, as: both)
                    #expect(isRead ? seen.hasPrefix("200 ") || route == .state : seen == none)
                }
                let person = try await world.send(
                    route.method,
                    Self.path(of: route, own.session),
                    as: nil,
                    body ?? "",
                    ServiceWorld.fields(of: "driver", in: "drivers"),
                    from: "10.1.2.3"
                )
                #expect(person.status == (may ? 404 : 403), "\(route)")
            }
            func listed(as token: String) async throws -> Int {
                let list = try await world.send(.get, "/v1/sessions", as: token)
                return try #require(try list.json["items"] as? [Any]).count
            }
            #expect(try await listed(as: "driver") == 2)
            #expect(try await listed(as: rival) == 0)
            #expect(try await listed(as: both) == 2)
            let erased = "/v1/sessions/\(ownErased)"
            #expect(try await world.send(.get, erased, as: "driver").status == 200)
            // A viewer gets nothing that acts for the payer.
            let attempt = #"{"instrument": "swish"}"#
            let path = "/v1/sessions/\(own.session)"
            let begun = try await world.send(.post, path + "/attempts", as: "driver", attempt)
            #expect(try begun.actions.first?["url"] as? String != nil)
            let seen = try await world.send(.get, path, as: both)
            #expect(try begun.json["lastSeq"] as? Int == seen.json["lastSeq"] as? Int)
            #expect(!seen.text.contains("token="))
            // Whoever knows the address has no session by it, and nobody names another opener.
            let address = #"{"url": "\#(own.order.sessionURL)"}"#
            #expect(try await world.send(.post, "/v1/sessions", as: rival, address).status == 403)
            let again = try await world.send(.post, "/v1/sessions", as: "driver", address)
            #expect(again.status == 200)
            let order = try await world.sandbox.createOrder()
            let forged =
                #"{"url": "\#(order.sessionURL)", "metadata": {"openedBy": "driver"}}"#
            #expect(try await world.send(.post, "/v1/sessions", as: rival, forged).status == 422)
            // A person's name is sealed, and known again.
            let anna = ServiceWorld.fields(of: "anna@shop.example", in: "drivers")
            let mine = try await world.send(
                .post,
                "/v1/sessions",
                as: nil,
                #"{"url": "\#(order.sessionURL)"}"#,
                anna,
                from: "10.1.2.3"
            )
            let session = try #require(try mine.json["session"] as? String, "\(mine.text)")
            #expect(!mine.text.contains("anna@"))
            for (fields, status) in [
                (anna, 200), (ServiceWorld.fields(of: "eve", in: "drivers"), 404),
            ] {
                let view = try await world.send(
                    .get,
                    "/v1/sessions/\(session)",
                    as: nil,
                    nil,
                    fields,
                    from: "10.1.2.3"
                )
                #expect(view.status == status)
            }
            // So is who opened a checkout.
            let checkout = try await world.openCheckout().session
            #expect(try await world.send(.get, "/v1/sessions/\(checkout)", as: rival).status == 404)
            let called = try await world.send(
                .post,
                "/v1/callbacks/order-1",
                as: rival,
                #"{"paymentOrder": {"id": "/psp/paymentorders/x"}}"#
            )
            #expect(called.status == 200)
        }
    }

    private static func isStream(_ route: Route) -> Bool {
        route == .sessionStream || route == .eventStream
    }

    static func path(of route: Route, _ session: String) -> String {
        var parts = route.path.split(separator: "/").map(String.init)
        for (index, part) in parts.enumerated() where part == "*" {
            parts[index] = index == 2 ? session : "a-1"
        }
        return "/" + parts.joined(separator: "/")
    }

    @Test func `a revoked or expired token is refused from the next request on`() async throws {
        try await ServiceWorld.with { world in
            let file = AccessTokens(path: world.folder.appending(path: "tokens").path)
            let made = try file.create(
                name: "anna",
                roles: [.viewer],
                expires: nil,
                at: Instant(microseconds: 0),
                random: SystemRandom()
            )
            #expect(try await world.send(.get, "/v1/me", as: made.secret).status == 200)
            try file.revoke(made.entry.id, at: Instant(microseconds: 1))
            #expect(try await world.send(.get, "/v1/me", as: made.secret).status == 401)
            let old = try file.create(
                name: "old",
                roles: [.viewer],
                expires: Instant(microseconds: 1),
                at: Instant(microseconds: 0),
                random: SystemRandom()
            )
            #expect(try await world.send(.get, "/v1/me", as: old.secret).status == 401)
            #expect(throws: AccessTokens.Fault.unknown) {
                try file.revoke("none", at: Instant(microseconds: 1))
            }
        }
    }

    @Test(.threat("T-58")) func `the file of tokens has no secret, and nobody else may read it`()
        async throws
    {
        try await ServiceWorld.with { world in
            let path = world.folder.appending(path: "tokens").path
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for secret in world.tokens.values {
                #expect(!text.contains(try #require(secret.split(separator: "_").last)))
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let refused = try await world.send(.get, "/v1/me", as: "viewer")
            #expect(refused.status == 503)
            #expect(refused.code == "service.tokens")
        }
    }

    @Test func `a payer's token that was changed, or is over, is refused`() async throws {
        try await ServiceWorld.with { world in
            let (session, payer, _) = try await world.open()
            let path = "/v1/sessions/\(session)"
            #expect(try await world.send(.get, path, as: payer).status == 200)
            var parts = payer.split(separator: ".").map(String.init)
            parts[1] = "\(try #require(Int64(parts[1])) + 1)"
            let changed = parts.joined(separator: ".")
            #expect(try await world.send(.get, path, as: changed).status == 401)
            let over = try await world.node.api.payers.token(
                for: try #require(SessionID(session)),
                until: Instant(microseconds: 1_000_000)
            )
            #expect(try await world.send(.get, path, as: over).status == 401)
            let long = try await world.send(
                .post,
                path + "/payer-tokens",
                as: "driver",
                #"{"seconds": 86401}"#
            )
            #expect(long.status == 422)
        }
    }
}
