import Adapters
import EventLog
import Foundation
import HTTPTypes
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// People whom a reverse proxy has signed in.
@Suite(.feature("S-40"), .threat("T-65")) struct PeopleTests {
    private static let proxy = "10.1.2.3"

    /// Sends a request that a proxy passes on.
    private func me(
        _ world: ServiceWorld,
        _ fields: HTTPFields,
        as token: String? = nil,
        from source: String = proxy
    ) async throws -> ServiceWorld.Reply {
        try await world.send(.get, "/v1/me", as: token, nil, fields, from: source)
    }

    @Test func `a person has the roles of all groups, and none without a known one`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let anna = try await me(
                world,
                ServiceWorld.fields(of: "anna@shop.example", in: "supports,auditors")
            )
            #expect(try anna.json["name"] as? String == "anna@shop.example")
            #expect(try anna.json["roles"] as? [String] == ["auditor", "support"])
            for groups in ["", "support", "guests", "Supports", "supports auditors"] {
                let stranger = try await me(world, ServiceWorld.fields(of: "eve", in: groups))
                #expect(stranger.status == 403, "\(groups)")
            }
            var alone: HTTPFields = [:]
            alone[ProxyIdentity.usualUserField] = "eve"
            #expect(try await me(world, alone).status == 403)
        }
    }

    @Test func `fields count from the proxy only, and once`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let fields = ServiceWorld.fields(of: "anna", in: "operators")
            for source in ["10.0.0.1", "::ffff:10.0.0.1"] {
                #expect(try await me(world, fields, from: source).status == 200)
            }
            for source in ["127.0.0.1", "11.0.0.1", "::1", "nowhere", "10.0.0.1, 127.0.0.1"] {
                #expect(try await me(world, fields, from: source).status == 401, "\(source)")
            }
            // A proxy that passes on what it was sent makes nobody else of the sender.
            var doubled = fields
            doubled.append(HTTPField(name: ProxyIdentity.usualUserField, value: "eve"))
            #expect(try await me(world, doubled).status == 401)
            doubled = ServiceWorld.fields(of: "eve", in: "guests")
            doubled.append(HTTPField(name: ProxyIdentity.usualGroupsField, value: "operators"))
            #expect(try await me(world, doubled).status == 403)
            for name in ["", " ", "a\u{202E}b", String(repeating: "a", count: 201)] {
                let nameless = try await me(world, ServiceWorld.fields(of: name, in: "operators"))
                #expect(nameless.status == 401, "\(name)")
            }
        }
    }

    @Test func `no name makes a person the PSP or a payer`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let session = try await world.open().session
            for name in ["PSP", "payer", "none"] {
                let fields = ServiceWorld.fields(of: name, in: "guests")
                for route in Route.allCases where route.roles != nil {
                    let reply = try await world.send(
                        route.method,
                        AccessTests.path(of: route, session),
                        as: nil,
                        route.method == .post ? "{}" : nil,
                        fields,
                        from: Self.proxy
                    )
                    #expect(reply.status == 403, "\(name) at \(route)")
                }
            }
        }
    }

    @Test func `a token counts before what the proxy says`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let fields = ServiceWorld.fields(of: "anna", in: "operators")
            let viewer = try await me(world, fields, as: "viewer")
            #expect(try viewer.json["roles"] as? [String] == ["viewer"])
            #expect(try await me(world, fields, as: "pwt_none_none").status == 401)
        }
    }

    @Test func `what a person does is recorded with the name`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let session = try await world.open().session
            let aborted = try await world.send(
                .post,
                "/v1/sessions/\(session)/abort",
                as: nil,
                #"{"reason": "the payer called"}"#,
                ServiceWorld.fields(of: "anna@shop.example", in: "operators"),
                from: Self.proxy
            )
            #expect(aborted.status == 200)
            let log = try await world.send(.get, "/v1/sessions/\(session)/events", as: "auditor")
            #expect(log.text.contains(#""by":"anna@shop.example""#), "\(log.text)")
        }
    }

    @Test func `a person and a token of one name share no key, no limit and no name in logs`()
        async throws
    {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let session = try await world.open().session
            let key: HTTPFields = [.idempotencyKey: "k-1"]
            func note(_ text: String, as token: String?, _ fields: HTTPFields) async throws -> Int {
                let reply = try await world.send(
                    .post,
                    "/v1/sessions/\(session)/notes",
                    as: token,
                    #"{"text": "\#(text)"}"#,
                    fields,
                    from: Self.proxy
                )
                #expect(reply.status == 201, "\(reply.text)")
                return try #require(try reply.json["seq"] as? Int)
            }
            let person = ServiceWorld.fields(of: "operator", in: "operators") + key
            let first = try await note("one", as: "operator", key)
            #expect(try await note("two", as: nil, person) > first)
            #expect(try await note("one", as: "operator", key) == first)
            let log = try await world.send(.get, "/v1/sessions/\(session)/events", as: "auditor")
            for name in ["operator", "operator@proxy"] {
                #expect(log.text.contains(#""by":"\#(name)""#), "\(log.text)")
            }
        }
        var limits = PaymentAPI.Limits()
        limits.requestsOfReader = 1
        let (used, now) = (CallerLimits(limits), Instant(microseconds: 1_000_000))
        for name in ["anna", "anna@shop.example"] {
            let token = Caller(name: name, roles: [.viewer])
            let person = Caller(person: name, roles: [.viewer])
            try used.count(token, at: now)
            try used.count(person, at: now)
            #expect(throws: ServiceProblem.self) { try used.count(person, at: now) }
            #expect(person.name.contains("@") && !token.name.contains("@"))
        }
    }

    @Test func `a form of another site's page changes nothing`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let session = try await world.open().session
            for media in ["text/plain", "application/x-www-form-urlencoded", ""] {
                var fields = ServiceWorld.fields(of: "anna", in: "operators")
                fields[.contentType] = media.isEmpty ? nil : media
                let refused = try await world.send(
                    .post,
                    "/v1/sessions/\(session)/abort",
                    as: nil,
                    media.isEmpty ? nil : "",
                    fields,
                    from: Self.proxy
                )
                #expect(refused.status == 415, "\(media)")
            }
            let view = try await world.send(.get, "/v1/sessions/\(session)", as: "viewer")
            #expect(try view.json["outcome"] is NSNull)
        }
    }

    @Test func `a proxy proves itself with a secret, which can be changed without a gap`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "secret").path
        func write(_ text: String, _ mode: Int = 0o600) throws {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let (first, second) = (String(repeating: "a", count: 16), String(repeating: "b", count: 20))
        for (text, mode) in [("short\n", 0o600), ("", 0o600), (first, 0o640)] {
            try write(text, mode)
            #expect(throws: KeyVaultError.self) { _ = try ProxySecret(path: path) }
        }
        try write(first + "\n")
        var policies = try ServiceWorld.signingIn
        policies.identity?.secret = try ProxySecret(path: path)
        try await ServiceWorld.with(policies) { world in
            func status(_ secrets: String...) async throws -> Int {
                var fields = ServiceWorld.fields(of: "anna", in: "operators")
                for secret in secrets {
                    fields.append(HTTPField(name: ProxySecret.usualField, value: secret))
                }
                return try await me(world, fields).status
            }
            #expect(try await status(first) == 200)
            #expect(try await status() == 401)
            #expect(try await status(second) == 401)
            #expect(try await status(first, first) == 401)
            try write("\(first)\n\(second)\n")
            #expect(try await status(first) == 200)
            #expect(try await status(second) == 200)
            try write("\(second)\n")
            #expect(try await status(first) == 401)
            // While the file cannot be read, what was read last remains.
            try write("\(first)\n", 0o644)
            #expect(try await status(first) == 401)
            #expect(try await status(second) == 200)
        }
    }
}
