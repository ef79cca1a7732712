import EventLog
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// What operators do, and what the log says of it.
@Suite(.feature("S-38")) struct InterventionTests {
    /// The records of operators' actions in a session's log.
    private static func acts(
        _ world: ServiceWorld,
        _ session: String
    ) async throws -> [[String: Any]] {
        let reply = try await world.send(.get, "/v1/sessions/\(session)/events", as: "auditor")
        return try reply.text.split(separator: "\n").compactMap { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let record = value?["record"] as? [String: Any]
            return record?["type"] as? String == "operatorActed"
                ? record?["data"] as? [String: Any] : nil
        }
    }

    @Test func `where a reason is required, nothing is done without one`() async throws {
        var policies = ServiceWorld.merchant
        (policies.recordsInterventions, policies.requiresReason) = (true, true)
        try await ServiceWorld.with(policies) { world in
            let (session, order) = try await world.paidCheckout()
            let (native, _, _) = try await world.open()
            let (path, other) = ("/v1/sessions/\(session)", "/v1/sessions/\(native)")
            let capture = #"{"kind": "capture", "amount": 100, "description": "Lamp"}"#
            let before = try await world.send(.get, path, as: "viewer")
            for (place, body) in [
                (path + "/transactions", capture), (other + "/abort", nil),
                (other + "/abort", "{}"),
                (other + "/retry", nil),
            ] {
                let refused = try await world.send(.post, place, as: "operator", body)
                #expect(refused.status == 422, "\(place): \(refused.text)")
                #expect(refused.code == "usage.reason")
            }
            // A reason is recorded in the clear: one with a link or a token is none.
            for reason in [
                "", " ", "see https://x.example/?t=1", String(repeating: "a", count: 501),
            ] {
                let refused = try await world.send(
                    .post,
                    other + "/abort",
                    as: "operator",
                    #"{"reason": "\#(reason)"}"#
                )
                #expect(refused.code == "usage.reason", "\(refused.text)")
            }
            let after = try await world.send(.get, path, as: "viewer")
            #expect(try before.json["lastSeq"] as? Int == after.json["lastSeq"] as? Int)
            let asked = try #require(await world.sandbox.orderLedger(order)).requests
            #expect(asked["capture"] ?? 0 == 0)

            let captured = try await world.send(
                .post,
                path + "/transactions",
                as: "operator",
                capture,
                [.reason: "shipped today", .idempotencyKey: "t-1"]
            )
            try #require(captured.status == 200, "\(captured.text)")
            let again = try await world.send(
                .post,
                path + "/transactions",
                as: "operator",
                capture,
                [.reason: "shipped today", .idempotencyKey: "t-1"]
            )
            #expect(again.fields[.idempotencyReplayed] == "true")
            let acts = try await Self.acts(world, session)
            #expect(acts.map { $0["action"] as? String } == ["capture"])
            #expect(acts.first?["by"] as? String == "operator")
            #expect(acts.first?["reason"] as? String == "shipped today")
            let aborted = try await world.send(
                .post,
                other + "/abort",
                as: "operator",
                #"{"reason": "the payer called"}"#,
                [.reason: "something else"]
            )
            #expect(try aborted.json["outcome"] as? String == "canceled", "\(aborted.text)")
            let abort = try await Self.acts(world, native)
            #expect(abort.map { $0["reason"] as? String } == ["the payer called"])
            // To read again is no intervention.
            let read = try await world.send(.post, path + "/refetch", as: "operator")
            #expect(read.status == 200)
        }
    }

    @Test func `where none is required, an intervention with a reason is recorded, and no other`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (first, _, _) = try await world.open()
            let (second, _, _) = try await world.open()
            _ = try await world.send(.post, "/v1/sessions/\(first)/abort", as: "operator")
            _ = try await world.send(
                .post,
                "/v1/sessions/\(second)/abort",
                as: "operator",
                nil,
                [.reason: "the payer called"]
            )
            #expect(try await Self.acts(world, first).isEmpty)
            #expect(try await Self.acts(world, second).map { $0["action"] as? String } == ["abort"])
            // What was refused is not recorded.
            let refused = try await world.send(
                .post,
                "/v1/sessions/\(second)/abort",
                as: "operator",
                nil,
                [.reason: "again"]
            )
            #expect(refused.status == 409)
            #expect(try await Self.acts(world, second).count == 1)
        }
    }

    @Test(.feature("S-43"), .threat("T-68"))
    func `unknown money is resolved by two people, each with a sign-in of their own`()
        async throws
    {
        var policies = try ServiceWorld.signingIn
        policies.requiresSecondPerson = true
        try await ServiceWorld.with(policies) { world in
            let session = try await world.open().session
            let path = "/v1/sessions/\(session)"
            await world.sandbox.injectFaults(
                with: ["start-payment-attempt", "session"].map {
                    Fault(rel: $0, requests: .every, kind: .reset)
                }
            )
            _ = try await world.send(
                .post,
                path + "/attempts",
                as: "driver",
                #"{"instrument": "swish", "msisdn": "+46739000001"}"#
            )
            func resolve(
                _ verdict: String,
                as person: String,
                _ fields: HTTPFields = [:]
            ) async throws -> ServiceWorld.Reply {
                try await world.send(
                    .post,
                    path + "/resolution",
                    as: nil,
                    #"{"verdict": "\#(verdict)", "evidence": "the PSP's portal"}"#,
                    ServiceWorld.fields(of: person, in: "operators") + fields,
                    from: "10.1.2.3"
                )
            }
            func standing(_ reply: ServiceWorld.Reply) throws -> String? {
                (try reply.json["money"] as? [String: Any])?["standing"] as? String
            }
            let key: HTTPFields = [.idempotencyKey: "r-1"]
            let first = try await resolve("paid", as: "anna@shop.example", key)
            #expect(first.status == 202, "\(first.text)")
            #expect(try standing(first) == "unknown")
            let repeated = try await resolve("paid", as: "anna@shop.example", key)
            #expect(repeated.fields[.idempotencyReplayed] == "true")
            #expect(repeated.status == 202)
            // Nobody confirms what they found themselves, with whatever sign-in.
            for name in ["anna@shop.example", "Anna@other.example", "anna"] {
                #expect(try await resolve("paid", as: name).status == 422, "\(name)")
            }
            // Who found something else proposes that.
            #expect(try await resolve("not-paid", as: "kim@shop.example").status == 202)
            let stale = try await resolve("paid", as: "anna@shop.example")
            #expect(stale.status == 202)
            #expect(try standing(stale) == "unknown")
            let second = try await resolve("paid", as: "kim@shop.example")
            #expect(second.status == 200, "\(second.text)")
            #expect(try standing(second) == "confirmed")
            let acts = try await Self.acts(world, session)
            #expect(
                acts.map { $0["action"] as? String } == [
                    "proposeResolution", "proposeResolution", "proposeResolution",
                    "confirmResolution",
                ]
            )
            #expect(acts.last?["by"] as? String == "kim@shop.example")
            let found = acts.last?["resolution"] as? [String: Any]
            #expect(found?["secondPerson"] as? String == "anna@shop.example")
            let story = try await world.send(.get, path + "/story", as: "support")
            #expect(story.text.contains("kim@shop.example confirmed the outcome that"))
        }
    }
}
