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

    /// Adds more imported sessions than a search compares, all newer than a store's only session,
    /// with a term in the index.
    private func addImported(withTerm term: String, to world: World) async throws {
        let columns = "id, phase, outcome, settled, last_seq, opened_at, last_at, label, imported"
        let script = """
            import sqlite3
            with sqlite3.connect("payments.db") as store:
                store.execute("CREATE TEMP TABLE copies AS SELECT * FROM sessions")
                for key in range(1000, 1000 + \(SearchIndex.mostCandidates + 1)):
                    store.execute(
                        "UPDATE copies SET key = ?, id = ?, imported = 1, reference = NULL",
                        (key, "ffffffff-ffff-7fff-bfff-%012d" % key))
                    store.execute("INSERT INTO sessions SELECT * FROM copies")
                    store.execute("INSERT INTO listed_sessions (key, \(columns)) SELECT key, \(columns) FROM copies")
                    store.execute("INSERT INTO search_terms VALUES ('\(term)', ?)", (key,))
            """
        let path = try world.write(script, to: "add.py")
        let added = try await world.tool.shell("python3 \(path)")
        try #require(added.status == 0, "\(added.diagnostics)")
    }

    @Test func `find says that matches may be missing among too many imported sessions`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            _ = try await world.run("store", "index")
            try await addImported(withTerm: "torder-4712", to: world)
            // The store counts as large.
            let moved = try await world.tool.shell(
                """
                python3 -c "import sqlite3
                with sqlite3.connect('payments.db') as store:
                    store.execute('UPDATE events SET position = position + 100000')
                    store.execute('UPDATE search_progress SET position = position + 100000')"
                """
            )
            try #require(moved.status == 0, "\(moved.diagnostics)")
            let found = try await world.run("find", "order-47")
            #expect(found.status == 1, "\(found.output)")
            #expect(found.diagnostics.contains("for this text were compared"))
            #expect(!found.diagnostics.contains("more notes may match"))
            let precise = try await world.run("find", "order-4711", "--json")
            #expect(try precise.json.list.compactMap { $0["session"].text } == [session])
            #expect(!precise.diagnostics.contains("may match"), "\(precise.diagnostics)")
            let deep = try await world.run("find", "order-47", "--deep", "--json")
            #expect(try deep.json.list.compactMap { $0["session"].text } == [session])
            #expect(!deep.diagnostics.contains("may match"), "\(deep.diagnostics)")
        }
    }

    @Test func `find says that notes of too many sessions were not compared, not the text`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            _ = try await world.run("store", "index")
            try await addImported(withTerm: "n", to: world)
            let found = try await world.run("find", "order-47", "--json")
            #expect(try found.json.list.compactMap { $0["session"].text } == [session])
            #expect(found.diagnostics.contains("more notes may match"), "\(found.diagnostics)")
            #expect(!found.diagnostics.contains("more sessions may match"))
        }
    }
}
