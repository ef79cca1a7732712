import EventLog
import Foundation
import HTTPTypes
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// Streams and the feed: what somebody who follows them sees.
@Suite(.feature("S-33")) struct StreamTests {
    @Test func `a stream has each record of a session once and in order, at another node, too`()
        async throws
    {
        try await ServiceWorld.with { world in
            let (session, payer, _) = try await world.open()
            let path = "/v1/sessions/\(session)/stream"
            let first = try await world.follow(path, as: payer) { $0.count >= 4 }
            #expect(first.map(\.id) == first.indices.map { "\($0 + 1)" })
            let node = try await ServiceWorld.start(in: world.folder)
            async let rest = world.follow(path, as: payer, after: first[3].id, at: node) { events in
                events.contains { $0.data.contains(#""type":"attemptStarted""#) }
            }
            _ = try await world.send(
                .post,
                "/v1/sessions/\(session)/attempts",
                as: payer,
                #"{"instrument": "swish"}"#
            )
            let seen = Array(first.prefix(4)) + (try await rest)
            #expect(seen.map(\.id) == seen.indices.map { "\($0 + 1)" })
            #expect(seen.allSatisfy { $0.name == "session" })
            #expect(seen.last?.data.contains(#""view":{"#) == true)
            await node.shutdown()
        }
    }

    @Test(.guarantee(.feedComplete))
    func `the feed has each record once, from the position that was read last`() async throws {
        try await ServiceWorld.with { world in
            for _ in 0..<3 { _ = try await world.open() }
            let all = try await world.send(.get, "/v1/events?limit=1000", as: "subscriber")
            let lines = all.text.split(separator: "\n")
            #expect(lines.count > 9)
            var (paged, position) = ([Substring](), "")
            while true {
                let page = try await world.send(
                    .get,
                    "/v1/events?limit=4&after=\(position)",
                    as: "subscriber"
                )
                guard !page.text.isEmpty else { break }
                // Each page's text lives as long as its lines.
                paged += Substring(page.text).split(separator: "\n")
                position = try #require(page.fields[.lastEventID])
            }
            #expect(paged == lines)
            let streamed = try await world.follow("/v1/events/stream", as: "subscriber") {
                $0.count >= lines.count
            }
            #expect(streamed.map(\.data) == lines.map(String.init))
            let later = try await world.follow(
                "/v1/events/stream",
                as: "subscriber",
                after: streamed[4].id
            ) { $0.count >= lines.count - 5 }
            #expect(later.map(\.data) == lines.dropFirst(5).map(String.init))
            #expect(lines.allSatisfy { $0.contains(#""seals":[]"#) }, "no seal leaves")
        }
    }

    @Test func `who waits for the feed hears of an append at once`() async throws {
        try await ServiceWorld.with { world in
            let end = try await world.send(.get, "/v1/events?limit=1000", as: "subscriber")
            async let next = world.send(
                .get,
                "/v1/events?after=\(end.fields[.lastEventID] ?? "")",
                as: "subscriber",
                nil,
                [.prefer: "wait=30"]
            )
            _ = try await world.open()
            #expect(try await next.text.contains(#""type":"opened""#))
        }
    }

    @Test func `a position of another store is refused`() async throws {
        try await ServiceWorld.with { world in
            let foreign = LogCursor(store: StoreIdentity(high: 1, low: 2, epoch: 1), position: 3)
            let reply = try await world.send(.get, "/v1/events?after=\(foreign)", as: "subscriber")
            #expect(reply.status == 410)
            #expect(reply.code == "cursor.other-store")
            let garbage = try await world.send(.get, "/v1/events?after=c1.x", as: "subscriber")
            #expect(garbage.status == 400)
        }
    }

    @Test func `streams end with the service`() async throws {
        try await ServiceWorld.with { world in
            let (session, payer, _) = try await world.open()
            let node = try await ServiceWorld.start(in: world.folder)
            async let seen = world.follow(
                "/v1/sessions/\(session)/stream",
                as: payer,
                after: "0",
                at: node
            ) { _ in false }
            try await Task.sleep(for: .milliseconds(300))
            for task in node.running { task.cancel() }
            #expect(try await seen.last?.name == "bye")
            await node.shutdown()
        }
    }
}
