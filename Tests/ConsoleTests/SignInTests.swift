import Adapters
import Console
import EventLog
import Foundation
import HTTPTypes
import Service
import ServiceFixtures
import TestSupport
import Testing
import Workflow

/// Who may open pages, and what keeps others out.
@Suite(.feature("S-45"), .threat("T-70")) struct SignInTests {
    private static let cookie = "__Host-console"

    @Test func `a token opens the console, and is in no address and no cookie`() async throws {
        try await ServiceWorld.with { world in
            let visitor = Visitor(world)
            let wanted = "/console/payments?turn=support"
            let door = try await visitor.open(wanted)
            #expect(door.status == 401)
            #expect(door.text.contains("name=\"next\" value=\"\(wanted)\""))
            let token = try #require(world.tokens["support"])
            let reply = try await visitor.send(
                "/console/sign-in",
                ["token": " \(token)\n", "next": wanted]
            )
            #expect(reply.status == 303)
            #expect(reply.fields[.location] == wanted)
            let set = try #require(reply.fields[.setCookie])
            for word in ["__Host-console=", "Path=/", "Secure", "HttpOnly", "SameSite=Strict"] {
                #expect(set.contains(word))
            }
            #expect(!set.contains("Domain"))
            let secret = try #require(token.split(separator: "_").last)
            #expect(!set.contains(secret))
            let page = try await visitor.open(wanted)
            #expect(page.status == 200)
            #expect(!page.text.contains(secret))
        }
    }

    @Test func `a wrong token is refused, and says so`() async throws {
        try await ServiceWorld.with { world in
            let visitor = Visitor(world)
            for token in ["pwt_0_0", "", "ppt_x", String(repeating: "a", count: 5000)] {
                let reply = try await visitor.signIn(as: token)
                #expect(reply.status == 403)
                #expect(reply.words.contains("unknown, expired or revoked"))
            }
            #expect(visitor.cookies.isEmpty)
        }
    }

    @Test func `a revoked token ends the session at once`() async throws {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            #expect(try await visitor.open("/console/payments").status == 200)
            let file = AccessTokens(path: world.folder.appending(path: "tokens").path)
            let entry = try #require(try file.entries().first { $0.name == "viewer" })
            try file.revoke(entry.id, at: Instant(microseconds: 1))
            let page = try await visitor.open("/console/payments")
            #expect(page.status == 401)
            #expect(page.words.contains("You are signed out"))
        }
    }

    @Test func `a claim that was changed in any part is refused`() async throws {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            let claim = try #require(visitor.cookies[Self.cookie])
            let other = Visitor(world)
            try await other.signIn(as: "operator")
            let theirs = try #require(other.cookies[Self.cookie]).split(separator: ".")
            let parts = claim.split(separator: ".").map(String.init)
            for index in parts.indices {
                var changed = parts
                changed[index] = index == 2 || index == 3 ? "99999999999" : String(theirs[index])
                guard changed != parts else { continue }
                try visitor.change(Self.cookie) { _ in changed.joined(separator: ".") }
                #expect(try await visitor.open("/console/payments").status == 401, "\(index)")
            }
            try visitor.change(Self.cookie) { _ in claim }
            #expect(try await visitor.open("/console/payments").status == 200)
        }
    }

    @Test func `a session ends when it is idle, and after hours although it is used`() async throws
    {
        try await ServiceWorld.with { world in
            let clock = SetClock()
            let api = PaymentAPI(
                engine: world.node.engine,
                store: world.node.store,
                vault: try KeyFileVault(
                    path: world.folder.appending(path: "payments.db.key").path
                ),
                reach: TransportConfiguration(),
                tokens: AccessTokens(path: world.folder.appending(path: "tokens").path),
                clock: clock
            )
            let visitor = Visitor(world, at: Console(of: api))
            try await visitor.signIn(as: "viewer")
            // Used every ten minutes, it lives on, but not longer than ten hours.
            for _ in 0..<59 {
                clock.advance(by: .seconds(600))
                try #require(try await visitor.open("/console/payments").status == 200)
            }
            clock.advance(by: .seconds(700))
            #expect(try await visitor.open("/console/payments").status == 401)
            try await visitor.signIn(as: "viewer")
            clock.advance(by: BrowserSession.idle)
            #expect(try await visitor.open("/console/payments").status == 401)
        }
    }

    @Test(arguments: ["cross-site", "same-site", "none", nil])
    func `a form of another site does nothing`(site: String?) async throws {
        try await ServiceWorld.visit(as: "operator") { _, visitor in
            let reply = try await visitor.send("/console/search", ["text": "order"], site: site)
            #expect(reply.status == 403)
            #expect(reply.words.contains("request.other-site"))
        }
    }

    @Test func `a link on another site goes on by itself, without the cookie at first`()
        async throws
    {
        try await ServiceWorld.with { world in
            let visitor = Visitor(world)
            let fields: HTTPFields = [
                try #require(HTTPField.Name("Sec-Fetch-Site")): "cross-site",
                try #require(HTTPField.Name("Sec-Fetch-Mode")): "navigate",
            ]
            let page = try await visitor.open("/console/payments?turn=support", fields)
            #expect(page.status == 200)
            let refresh = page.fields[try #require(HTTPField.Name("Refresh"))]
            #expect(refresh == "0; url=/console/payments?turn=support")
            #expect(page.links.contains("/console/payments?turn=support"))
        }
    }

    @Test func `signing out forgets the session`() async throws {
        try await ServiceWorld.visit(as: "viewer") { _, visitor in
            let reply = try await visitor.send("/console/sign-out", [:])
            #expect(reply.status == 303)
            #expect(try await visitor.open("/console/payments").status == 401)
        }
    }

    @Test func `people whom a proxy signed in need no token`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let visitor = Visitor(world)
            let fields = ServiceWorld.fields(of: "anna@shop.example", in: "supports")
            let page = try await visitor.open("/console/payments", fields, from: "10.0.0.1")
            #expect(page.status == 200)
            #expect(page.words.contains("anna@shop.example"))
            #expect(try await visitor.open("/console/payments", fields).status == 401)
        }
    }

    @Test(
        arguments: [
            ("viewer", [200, 403, 403]), ("support", [200, 200, 200]),
            ("auditor", [200, 200, 200]),
            ("admin", [200, 403, 403]), ("driver", [403, 403, 403]),
            ("subscriber", [403, 403, 403]),
        ]
    )
    func `a role opens the pages of its endpoints, and no link leads to others`(
        role: String,
        statuses: [Int]
    ) async throws {
        try await ServiceWorld.visit(as: role) { _, visitor in
            let found = try await visitor.send("/console/search", ["text": "order-1"])
            let pages = [
                try await visitor.open("/console/payments"), found,
                try await visitor.open("/console/at-risk"),
            ]
            #expect(pages.map(\.status) == statuses)
            let links = pages[0].links
            #expect(links.contains("/console/at-risk") == (statuses[2] == 200))
            for page in pages where page.status == 403 {
                #expect(page.words.contains("You may not do this"))
                #expect(page.words.contains("request.forbidden"))
            }
        }
    }

    @Test func `every response has the policy, and says that nothing may be kept`() async throws {
        try await ServiceWorld.visit(as: "support") { _, visitor in
            for path in [
                "/console/payments", "/console/search", "/console/at-risk", "/console/nowhere",
                "/console/payments/x", "/console/sign-in",
            ] {
                let page = try await visitor.open(path)
                let policy = try #require(page.fields[.contentSecurityPolicy])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
                #expect(policy.contains("require-trusted-types-for 'script'"))
                #expect(!policy.contains("unsafe"))
                #expect(page.fields[.cacheControl] == "no-store")
                #expect(page.fields[.xContentTypeOptions] == "nosniff")
                #expect(!page.text.contains("style=\"") && !page.text.contains("<style"))
            }
        }
    }
}

/// A clock that a test sets.
final class SetClock: EngineClock {
    private let time = ThreadLock(Instant(microseconds: 1_900_000_000_000_000))

    func now() -> Instant { time.withLock { $0 } }

    func sleep(until instant: Instant) async {}

    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}
