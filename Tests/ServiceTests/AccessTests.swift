import Adapters
import EventLog
import Foundation
import HTTPTypes
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
