import Adapters
import EventLog
import Inspection
import Testing

@testable import Sandbox
@testable import workflowctl

/// What `find` reads of the index in a store that counts as large.
@Suite struct LargeStoreSearchTests {
    /// What a search found in the index.
    private struct Outcome: Sendable {
        var found: [String]
        var isIndexed: Bool
        /// Whether the store has at most two records, and at most as many as a small one.
        var smallness: [Bool]
    }

    /// Searches the index of a world's store in this process.
    private func search(
        _ text: String,
        in world: World,
        isSmall: Bool,
        limit: Int? = nil,
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let loop = try UVLoop(name: "test")
        let invocation = FalseTerminal().invocation(
            on: loop,
            columns: nil,
            environment: environment
        )
        let location = try StoreLocation("sqlite:" + world.storePath)
        let wanted = try Wanted(text)
        let task = loop.spawnThrowing {
            let store = try await location.open(.readOnly, on: loop)
            let reader = Reader(
                store: store,
                location: location,
                invocation: invocation,
                configuration: Configuration()
            )
            var search = SessionSearch(wanted, limit: limit, query: SessionQuery(), in: reader)
            let isIndexed = try await search.readIndex(in: reader, isSmall: isSmall)
            let smallness = [try await search.isSmall(upTo: 2), try await search.isSmall()]
            await store.close()
            return Outcome(
                found: search.found.map { "\($0.row.session)" },
                isIndexed: isIndexed,
                smallness: smallness
            )
        }
        let result = await task.result
        loop.shutdown()
        return try result.get()
    }

    @Test func `notes and the ends of ids are compared only if nothing else was found`()
        async throws
    {
        try await World.with { world in
            let (named, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            let (noted, _) = try await world.open()
            _ = try await world.run("note", noted, "see order-4711", "--by", "anna")
            let small = try await search("order-4711", in: world, isSmall: true)
            #expect(small.isIndexed && small.found == [named, noted])
            #expect(small.smallness == [false, true])
            let large = try await search("order-4711", in: world, isSmall: false)
            #expect(large.isIndexed && large.found == [named])
            let byNote = try await search("see order", in: world, isSmall: false)
            #expect(byNote.isIndexed && byNote.found == [noted])
            let byEnding = try await search(
                String(named.suffix(12)),
                in: world,
                isSmall: false
            )
            #expect(byEnding.isIndexed && byEnding.found == [named])
        }
    }

    @Test func `without keys, a search that stopped at its limit does not compare the ends of ids`()
        async throws
    {
        try await World.with { world in
            let (ending, _) = try await world.open()
            let part = String(ending.suffix(12))
            let (named, _) = try await world.open(SandboxOrder(), "--reference", part)
            let blind = ["WORKFLOWCTL_KEY_FILE": world.folder + "/missing.key"]
            let one = try await search(
                part,
                in: world,
                isSmall: false,
                limit: 1,
                environment: blind
            )
            #expect(!one.isIndexed && one.found == [named])
            let all = try await search(part, in: world, isSmall: false, environment: blind)
            #expect(!all.isIndexed && all.found == [named, ending])
        }
    }
}
