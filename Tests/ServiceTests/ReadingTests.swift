import Adapters
import EventLog
import Foundation
import HTTPTypes
import Inspection
import ServiceFixtures
import SwedbankPay
import TestSupport
import Testing

@testable import Service

/// Lists, health and documents.
@Suite struct ReadingTests {
    @Test func `a list is paged, and a filter that it does not have is refused`() async throws {
        try await ServiceWorld.with { world in
            var opened: [String] = []
            for _ in 0..<5 { opened.append(try await world.open().session) }
            var (seen, before) = ([String](), "")
            repeat {
                let page = try await world.send(
                    .get,
                    "/v1/sessions?limit=2\(before)",
                    as: "viewer"
                ).json
                let items = try #require(page["items"] as? [[String: Any]])
                seen += items.compactMap { $0["session"] as? String }
                before = (page["next"] as? String).map { "&before=\($0)" } ?? ""
            } while !before.isEmpty
            #expect(seen == opened.reversed())
            let filtered = try await world.send(
                .get,
                "/v1/sessions?phase=ended&reference=order-*",
                as: "viewer"
            )
            #expect(try (filtered.json["items"] as? [Any])?.isEmpty == true)
            for query in [
                "phases=ended", "phase=done", "limit=0", "limit=x", "since=now", "a=1&a=1",
            ] {
                let refused = try await world.send(.get, "/v1/sessions?\(query)", as: "viewer")
                #expect(refused.status == 400, "\(query)")
            }
        }
    }

    @Test func `rows with facts and records with positions are all that a reader needs`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (first, _, _) = try await world.open()
            let newest = try await world.send(.get, "/v1/events?after=newest", as: "viewer")
            #expect(newest.text.isEmpty)
            let end = try #require(newest.fields[.lastEventID])
            let (second, _, _) = try await world.open()
            for (query, found) in [
                ("open=true", [second, first]), ("open=false", []), ("origin=imported", []),
                ("origin=any", [second, first]), ("ending=\(first.suffix(8))", [first]),
                ("orderReference=none", []),
            ] {
                let list = try await world.send(
                    .get,
                    "/v1/sessions?facts=true&\(query)",
                    as: "driver"
                )
                let items = try #require(try list.json["items"] as? [[String: Any]])
                #expect(items.compactMap { $0["session"] as? String } == found, "\(query)")
                #expect(items.allSatisfy { ($0["facts"] as? [String: Any])?["marks"] != nil })
            }
            let later = try await world.send(
                .get,
                "/v1/events?positions=true&after=\(end)",
                as: "auditor"
            )
            let lines = later.text.split(separator: "\n")
            let last = try #require(lines.last)
            #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(second) })
            let reached = try #require(later.fields[.lastEventID])
            #expect(last.hasPrefix(#"{"cursor":"\#(reached)","record":{"#))
            for query in ["sessions?open=maybe", "events?positions=1", "sessions?origin=else"] {
                #expect(try await world.send(.get, "/v1/\(query)", as: "viewer").status == 400)
            }
        }
    }

    @Test func `a search finds what a caller says, and a whole card number is refused`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            for text in ["order-1", String(session.suffix(8)), "ORDER"] {
                let found = try await world.send(
                    .post,
                    "/v1/search",
                    as: "support",
                    #"{"text": "\#(text)"}"#
                )
                #expect(found.text.contains(session), "\(text): \(found.text)")
                #expect(try found.json["complete"] as? Bool == true)
            }
            let none = try await world.send(
                .post,
                "/v1/search",
                as: "support",
                #"{"text": "nothing of the sort"}"#
            )
            #expect(try (none.json["items"] as? [Any])?.isEmpty == true)
            let card = try await world.send(
                .post,
                "/v1/search",
                as: "support",
                #"{"text": "4761739001010416"}"#
            )
            #expect(card.status == 422)
            #expect(!card.text.contains("4761739001010416"))
        }
    }

    @Test func `sums, counts and drawings are those of the commands`() async throws {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            let risk = try await world.send(.get, "/v1/money-at-risk", as: "support")
            #expect(risk.status == 200)
            let counts = try await world.send(
                .get,
                "/v1/statistics?since=2026-01-01T00:00:00Z",
                as: "viewer"
            )
            #expect(try counts.json["open"] as? Int == 1)
            let bad = try await world.send(.get, "/v1/statistics?since=today", as: "viewer")
            #expect(bad.status == 400)
            let path = "/v1/sessions/\(session)"
            let diagram = try await world.send(.get, path + "/diagram.svg", as: "viewer")
            #expect(diagram.text.contains("<svg"))
            let page = try await world.send(.get, path + "/report.html", as: "viewer")
            #expect(page.text.contains("order-1"))
            #expect(page.fields[.contentSecurityPolicy] != nil)
            // Nothing is unknown that could be resolved.
            let refused = try await world.send(
                .post,
                path + "/resolution",
                as: "operator",
                #"{"verdict": "paid", "evidence": "the PSP's portal"}"#
            )
            #expect(refused.status == 409, "\(refused.text)")
        }
    }

    @Test func `the service is ready while its store and keys are there`() async throws {
        try await ServiceWorld.with { world in
            #expect(try await world.send(.get, "/healthz", as: nil).status == 200)
            #expect(try await world.send(.get, "/readyz", as: nil).status == 200)
            let metrics = try await world.send(.get, "/metrics", as: "viewer")
            #expect(metrics.text.contains("# TYPE payment_workflow_"))
            await world.node.store.close()
            #expect(try await world.send(.get, "/readyz", as: nil).status == 503)
        }
    }

    @Test(.guarantee(.authenticLog))
    func `nothing is told of a log with a record that no key holder wrote`() async throws {
        try await ServiceWorld.with { world in
            let (session, _, _) = try await world.open()
            let path = "/v1/sessions/\(session)"
            #expect(try await world.send(.get, path, as: "viewer").status == 200)
            // Whoever can write the database makes a record with its hash, and without its MAC.
            let id = try #require(SessionID(session))
            let store = world.node.store
            let log = try await store.log(of: id)
            let last = try #require(log.records.last)
            let forged = try RecordWriter.unsealedRecord(
                RecordedEvent(
                    stream: id,
                    sequence: last.sequence.next,
                    at: last.at,
                    event: SessionEvent.completed(Completed(evidence: .redirectToCompleteURL)),
                    metadata: EventMetadata(build: "1", catalogue: "1", cause: "x", node: "n")
                ),
                after: StreamHead(sequence: last.sequence, hash: last.hash)
            )
            var row = try #require(try await store.row(of: id))
            (row.lastSequence, row.phase, row.outcome) = (forged.sequence, "ended", "completed")
            try await store.append(
                StreamAppend(
                    stream: id,
                    expectedVersion: last.sequence,
                    records: [forged],
                    summary: row
                )
            )
            for role in ["viewer", "driver"] {
                for place in ["", "/story", "/timeline", "/states"] {
                    let reply = try await world.send(.get, path + place, as: role)
                    #expect(reply.status == 500, "\(role) \(place) \(reply.text)")
                    #expect(reply.code == "log.not-authentic", "\(role) \(place)")
                }
            }
        }
    }

    @Test func `a problem leads to the page of its code`() async throws {
        try await ServiceWorld.with { world in
            let refused = try await world.send(.get, "/v1/events", as: "admin")
            let type = try #require(try refused.json["type"] as? String)
            let page = try await world.send(.get, type, as: nil)
            #expect(page.status == 200)
        }
    }
}
