import Adapters
import EventLog
import Foundation
import HTTPTypes
import MerchantBackend
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// What a listener that faces the internet offers: to payers and the PSP what they need, and
/// nothing else to anybody.
@Suite(.feature("S-41"), .threat("T-66")) struct ListenerTests {
    @Test func `each route is there for payers, or is not there at all`() async throws {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let own = try await world.open()
            let foreign = try await world.open()
            for (number, route) in Route.allCases.enumerated() where route != .sessionStream {
                let isOffered = route.isForPayer || route == .orderCallback
                #expect(route.isOffered(at: .payers) == isOffered)
                let body = route.method == .post ? "[]" : nil
                for session in [own.session, foreign.session] {
                    let path = AccessTests.path(of: route, session)
                    func status(
                        as token: String?,
                        _ fields: HTTPFields = [:],
                        from source: String = "192.0.2.\(number)"
                    ) async throws -> Int {
                        let reply = try await world.send(
                            route.method,
                            path,
                            as: token,
                            body,
                            fields,
                            from: source,
                            at: .payers
                        )
                        if reply.status == 404 {
                            #expect(isOffered || reply.code == "request.no-address")
                        }
                        return reply.status
                    }
                    let expected = !isOffered ? 404 : route == .orderCallback ? 200 : 401
                    for role in Role.allCases {
                        #expect(try await status(as: "\(role)") == expected, "\(role) at \(route)")
                    }
                    #expect(try await status(as: nil) == expected, "nobody at \(route)")
                    let person = ServiceWorld.fields(of: "anna", in: "operators,drivers")
                    let byProxy = try await status(as: nil, person, from: "10.0.0.1")
                    #expect(byProxy == expected, "a person at \(route)")
                    let payer = try await status(as: own.payer)
                    if route.isForPayer {
                        #expect((payer == 403) == (session != own.session), "the payer at \(route)")
                        #expect(payer != 401)
                    } else {
                        #expect(payer == expected, "the payer at \(route)")
                    }
                }
            }
            // Which other methods an address has elsewhere is not told.
            let other = try await world.send(.get, "/v1/callbacks/x", as: nil, at: .payers)
            #expect(other.status == 405)
            let elsewhere = try await world.send(
                .post,
                "/v1/sessions",
                as: "driver",
                "{}",
                at: .payers
            )
            #expect(elsewhere.status == 404)
        }
    }

    /// Policies of a merchant whose payers return through the listener.
    private static var returning: PaymentAPI.Policies {
        get throws {
            var policies = try ServiceWorld.signingIn
            let endpoints = try ReturnEndpoints(
                publicURL: "https://pay.example/pay/",
                pages: ReturnPages(
                    androidPackages: ["example.shop"],
                    appleAppIDs: ["TEAM123456.example.shop"],
                    trampolineURL: "https://back.example/button",
                    servesTrampoline: true
                )
            )
            policies.mounted = { head, _, _ in
                endpoints.respond(to: head).map {
                    ServiceResponse(head: $0.head, body: .whole($0.body))
                }
            }
            return policies
        }
    }

    @Test(.feature("O-04"), .feature("I-03"))
    func `payers return through it, and nothing else is there`() async throws {
        try await ServiceWorld.with(Self.returning) { world in
            let (session, _, _) = try await world.open()
            func reply(
                _ method: HTTPRequest.Method,
                _ path: String,
                at listener: PaymentAPI.Listener = .payers
            ) async -> HTTPResponse {
                await world.node.api.respond(
                    to: HTTPRequest(method: method, scheme: "http", authority: "x", path: path),
                    from: "192.0.2.1",
                    at: listener
                ).head
            }
            let android = "/pay/sdk-callback/android-intent?package=example.shop&id=1"
            let apps = "/.well-known/apple-app-site-association"
            for path in [android, apps] {
                let found = await reply(.get, path)
                #expect(found.status == .ok, "\(path)")
                #expect(found.headerFields[.requestID] != nil)
                #expect(await reply(.post, path).status == .methodNotAllowed)
                #expect(await reply(.get, path, at: .everything).status == .notFound)
            }
            #expect(await reply(.get, "/pay/sdk-callback/ios-universal-link").status == .badRequest)
            #expect(await reply(.get, "/button").status == .badRequest)
            for route in Route.allCases where !route.isOffered(at: .payers) {
                let path = AccessTests.path(of: route, session)
                for path in [path, "/pay" + path] {
                    #expect(await reply(route.method, path).status == .notFound, "\(route)")
                }
            }
            for path in ["/pay/", "/pay/paymentorders", "/pay/callbacks/x", "/pay/3ds/x"] {
                #expect(await reply(.get, path).status == .notFound, "\(path)")
                #expect(await reply(.post, path).status == .notFound, "\(path)")
            }
        }
    }

    @Test func `a payer pays through it`() async throws {
        try await ServiceWorld.with { world in
            let (session, payer, _) = try await world.open()
            let path = "/v1/sessions/\(session)"
            let body = #"{"instrument": "swish"}"#
            let begun = try await world.send(
                .post,
                path + "/attempts",
                as: payer,
                body,
                at: .payers
            )
            #expect(begun.status == 200)
            let action = try #require(try begun.actions.first)
            let id = try #require(action["id"] as? String)
            let reported = try await world.send(
                .post,
                path + "/actions/\(id)/report",
                as: payer,
                #"{"outcome": "launched"}"#,
                [.prefer: "wait=0"],
                at: .payers
            )
            #expect(reported.status == 202)
            try await world.approveInSwish(action)
            let seen = try await world.send(
                .get,
                path,
                as: payer,
                nil,
                [.ifNoneMatch: "\"0\""],
                at: .payers
            )
            #expect(seen.status == 200)
        }
    }

    @Test(.threat("T-49")) func `a callback without a token has the order read that it names`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, order) = try await world.openCheckout()
            func count() async throws -> Int {
                try await world.send(.get, "/v1/sessions/\(session)/events", as: "auditor").text
                    .matches(of: /callbackReceived/).count
            }
            func call(_ reference: String, _ body: String) async throws -> Int {
                try await world.send(
                    .post,
                    "/v1/callbacks/\(reference)",
                    as: nil,
                    body,
                    at: .payers
                ).status
            }
            let body = #"{"paymentOrder": {"id": "/psp/paymentorders/\#(order)"}}"#
            let foreign =
                #"{"paymentOrder": {"id": "/psp/paymentorders/5adc265f-f87f-4313-577e-08d3dca1a26c"}}"#
            // The same response to everything: which orders there are is not told.
            for (reference, body) in [("order-2", body), ("order-1", foreign), ("order-1", "[]")] {
                #expect(try await call(reference, body) == 200)
                #expect(try await count() == 0)
            }
            #expect(try await call("order-1", body) == 200)
            #expect(try await count() == 1)
            let log = try await world.send(.get, "/v1/sessions/\(session)/events", as: "auditor")
            #expect(!log.text.contains(#""by":"PSP""#))
        }
    }

    @Test(.threat("T-59"))
    func `an address that sends too many requests waits, whatever its tokens`()
        async throws
    {
        try await ServiceWorld.with(ServiceWorld.signingIn) { world in
            let node = world.node.api
            var limits = PaymentAPI.Limits()
            limits.requestsOfAddress = 1
            let api = PaymentAPI(
                engine: node.engine,
                store: node.store,
                vault: node.payers.vault,
                reach: node.reach,
                tokens: node.tokens,
                policies: node.policies,
                limits: limits,
                clock: node.clock
            )
            func refused(_ sources: [String]) async -> Int {
                var refused = 0
                for source in sources {
                    let response = await api.respond(
                        to: HTTPRequest(
                            method: .post,
                            scheme: "http",
                            authority: "test",
                            path: "/v1/callbacks/x"
                        ),
                        body: Array("{}".utf8),
                        from: source,
                        at: .payers
                    )
                    refused += response.head.status.code == 429 ? 1 : 0
                }
                return refused
            }
            #expect(await refused(Array(repeating: "192.0.2.1", count: 9)) > 0)
            #expect(await refused(["192.0.2.2"]) == 0)
            // A network of IPv6 is one address; behind a proxy, addresses are not known.
            #expect(await refused((1...9).map { "2001:db8::\($0)" }) > 0)
            #expect(await refused(Array(repeating: "10.0.0.1", count: 9)) == 0)
        }
    }
}
