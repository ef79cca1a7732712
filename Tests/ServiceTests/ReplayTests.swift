import Adapters
import EventLog
import Foundation
import HTTPTypes
import Sandbox
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// States of a session in its past, and proofs of its log.
@Suite(.feature("S-37")) struct ReplayTests {
    /// The lines of a response, each an object.
    private static func lines(of reply: ServiceWorld.Reply) throws -> [[String: Any]] {
        try reply.text.split(separator: "\n").map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(value as? [String: Any])
        }
    }

    @Test func `each event is there with the view that it left, and the last is the present one`()
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
            try #require(begun.status == 200, "\(begun.text)")
            let all = try await world.send(.get, path + "/states", as: "viewer")
            let steps = try Self.lines(of: all)
            let events = try await world.send(.get, path + "/events", as: "viewer")
            let recorded = try Self.lines(of: events).map { line in
                try #require(line["record"] as? [String: Any])
            }
            #expect(steps.count == recorded.count && steps.count > 5)
            #expect(steps.map { $0["seq"] as? Int } == recorded.map { $0["seq"] as? Int })
            #expect(steps.map { $0["type"] as? String } == recorded.map { $0["type"] as? String })
            for step in steps {
                #expect(Set(step.keys) == ["seq", "at", "type", "view", "owed"])
                let seq = try #require(step["seq"] as? Int)
                let view = try #require(step["view"] as? NSDictionary)
                #expect(view["lastSeq"] as? Int == seq)
                let one = try await world.send(.get, path + "/states/\(seq)", as: "viewer")
                #expect(try one.json as NSDictionary == view)
            }
            let now = try await world.send(.get, path, as: "viewer")
            #expect(try steps.last?["view"] as? NSDictionary == now.json as NSDictionary)
            // A driver sees no more of the past than others: no link of the action, no address.
            let link = try #require(try begun.actions.first?["url"] as? String)
            let token = try #require(link.firstMatch(of: /token=([^&]+)/)?.1)
            let secret = try #require(order.sessionURL.split(separator: "/").last)
            for place in ["/states", "/states/\(steps.count)"] {
                let seen = try await world.send(.get, path + place, as: "driver")
                #expect(seen.status == 200)
                #expect(!seen.text.contains(token) && !seen.text.contains(secret))
            }
        }
    }

    @Test func `a range is cut out, and what is not in the log is not found`() async throws {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            let path = "/v1/sessions/\(session)/states"
            let part = try await world.send(.get, path + "?from=2&to=3", as: "support")
            let all = try await world.send(.get, path, as: "support")
            #expect(try Self.lines(of: part).map { $0["seq"] as? Int } == [2, 3])
            #expect(
                all.text.split(separator: "\n")[1...2].joined(separator: "\n") + "\n" == part.text
            )
            for end in ["?from=4000", "?from=9223372036854775807"] {
                let after = try await world.send(.get, path + end, as: "support")
                #expect(after.status == 200 && after.text.isEmpty)
            }
            for query in ["?from=0", "?from=3&to=2", "?to=x", "?until=3", "?from=1&from=2"] {
                let refused = try await world.send(.get, path + query, as: "support")
                #expect(refused.status == 400, "\(query)")
            }
            let first = try await world.send(.get, path + "/0", as: "support")
            #expect(try first.json["lastSeq"] as? Int == 0)
            for number in ["4000", "-1", "x", "9223372036854775808"] {
                let refused = try await world.send(.get, path + "/" + number, as: "support")
                #expect(refused.status == 404, "\(number)")
                #expect(refused.code == "usage.at")
            }
        }
    }

    @Test func `a log without a checkpoint has no proof, and then it has one`() async throws {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            let path = "/v1/sessions/\(session)/proof"
            let none = try await world.send(.get, path, as: "auditor")
            #expect(none.status == 409)
            #expect(none.code == "checkpoint.none")
            let signer = try #require(CheckpointSigner(privateKey: Array(repeating: 7, count: 32)))
            _ = try await world.node.store.makeCheckpoint(
                signedBy: signer,
                at: Instant(microseconds: 1_780_000_000_000_000),
                checking: nil
            )
            let proof = try await world.send(.get, path, as: "auditor")
            try #require(proof.status == 200, "\(proof.text)")
            let document = try CheckpointDocument(parsing: Array(proof.text.utf8))
            #expect(document.fault == nil)
            #expect(document.inclusion?.leaf.stream == SessionID(session))
            let (later, _, _) = try await world.open()
            let notYet = try await world.send(.get, "/v1/sessions/\(later)/proof", as: "auditor")
            #expect(notYet.status == 409)
            #expect(notYet.code == "checkpoint.not-covered")
            let unknown = try await world.send(
                .get,
                "/v1/sessions/01a22bb5-c9f2-7000-bfe3-000000000000/proof",
                as: "auditor"
            )
            #expect(unknown.status == 404)
        }
    }
}
