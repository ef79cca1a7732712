import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// `store index`: what is in the search index when followers have been stopped, and have run
/// beside each other.
@Suite(.feature("S-09")) struct StoreIndexTests {
    /// Runs a statement in the store with another program, and returns the rows that it selects.
    private func rows(_ statement: String, in world: World) async throws -> String {
        let run = try await world.tool.shell(
            """
            python3 -c "import sqlite3
            with sqlite3.connect('payments.db') as store:
                for row in store.execute('\(statement)'): print(*row)"
            """
        )
        try #require(run.status == 0, "\(run.diagnostics)")
        return run.output
    }

    private func terms(in world: World) async throws -> String {
        try await rows("SELECT term, session FROM search_terms ORDER BY 1, 2", in: world)
    }

    /// Brings the index up to date, and returns the number of records that this had to read.
    private func update(_ world: World) async throws -> Int {
        let run = try await world.run("store", "index", "--json")
        try #require(run.status == 0, "\(run.diagnostics)")
        try await SchemaCheck.expect(run.output, fits: "cli/store-index", in: world)
        #expect(try run.json["complete"].flag == true)
        return try #require(try run.json["records"].number)
    }

    private func startFollower(_ world: World) throws -> TestProcess {
        try world.tool.start(Tool.path, ["store", "index", "--follow", "--json"], input: nil)
    }

    /// Returns the result of a follower that ends, and kills one that does not within a minute.
    private func ended(_ follower: TestProcess, _ world: World) async throws -> Tool.Result {
        let limit = Task {
            try await Task.sleep(for: .seconds(60))
            kill(follower.id, SIGKILL)
        }
        defer { limit.cancel() }
        return try await world.tool.finish(follower)
    }

    /// Waits until the store's metrics say that the index has read every record.
    private func waitUntilRead(_ world: World) async throws {
        for _ in 0..<300 {
            let metrics = try await world.run("metrics").output
            if metrics.contains("payment_workflow_index_behind{index=\"search\"} 0\n") { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("the follower does not reach the end")
    }

    @Test func `a follower indexes what other processes record until it is stopped`() async throws {
        try await World.with { world in
            _ = try await world.open()
            #expect(try await !world.run("metrics").output.contains("index_behind"))
            let follower = try startFollower(world)
            defer { kill(follower.id, SIGKILL) }
            try await waitUntilRead(world)
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            _ = try await world.run("note", session, "the payer called", "--by", "anna")
            try await waitUntilRead(world)
            kill(follower.id, SIGTERM)
            let ended = try await ended(follower, world)
            #expect(ended.status == 130, "\(ended.diagnostics)")
            try await SchemaCheck.expect(ended.output, fits: "cli/store-index", in: world)
            let all = try await rows("SELECT count(*) FROM events", in: world)
            let read = try #require(try ended.json["records"].number)
            #expect(all == "\(read)\n")
            #expect(try await update(world) == 0)
            let before = try await terms(in: world)
            let found = try await world.run("find", "order-4711", "--json")
            #expect(try found.json.list.compactMap { $0["session"].text } == [session])
            #expect(try await terms(in: world) == before)
            // Without a follower, the gauge grows.
            _ = try await world.open()
            let metrics = try await world.run("metrics", "--json").json["metrics"].list
            let gauge = metrics.first { $0["name"].text == "payment_workflow_index_behind" }
            let behind = try #require(gauge?["value"].number)
            #expect(behind > 0)
            #expect(try await update(world) == behind)
        }
    }

    @Test(.tags(.repeatedThoroughly))
    func `followers that run at once skip no record`() async throws {
        try await World.with { world in
            let made = try await world.run("demo", "--sessions", Tier.isThorough ? "200" : "30")
            try #require(made.status == 0, "\(made.diagnostics)")
            let all = try await rows("SELECT count(*) FROM events", in: world)
            let read = try await update(world)
            #expect(all == "\(read)\n")
            let expected = try await terms(in: world)
            #expect(expected.contains("\nb") && expected.contains("\nt"))
            let empty = "DELETE FROM search_terms"
            let begin = "DELETE FROM search_progress"
            for statement in [empty, begin] { _ = try await rows(statement, in: world) }
            // Each of them finds no index, and begins one.
            let followers = try (0..<3).map { _ in try startFollower(world) }
            defer { for follower in followers { kill(follower.id, SIGKILL) } }
            try await waitUntilRead(world)
            for follower in followers {
                kill(follower.id, SIGINT)
                #expect(try await ended(follower, world).status == 130)
            }
            #expect(try await update(world) == 0)
            #expect(try await terms(in: world) == expected)
        }
    }

    @Test func `a store of imported sessions is indexed without keys`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open(SandboxOrder(), "--reference", "order-4711")
            _ = try await world.run("export", "-o", "logs.ndjson")
            var other = world
            other.tool.environment["WORKFLOWCTL_STORE"] = "sqlite:\(world.folder)/other.db"
            let imported = try await other.run("import", "logs.ndjson")
            try #require(imported.status == 0, "\(imported.diagnostics)")
            #expect(try await update(other) > 0)
            #expect(try await update(other) == 0)
            let indexed = try await world.tool.shell(
                "sqlite3 other.db \"SELECT count(*) FROM search_terms WHERE term = 'torder-4711'\""
            )
            #expect(indexed.output == "1\n")
            let found = try await other.run("find", "order-4711", "--imported", "--json")
            #expect(found.status == 0 && found.diagnostics.isEmpty, "\(found.diagnostics)")
            #expect(try found.json.list.compactMap { $0["session"].text } == [session])
            // From its first own session on, it has keys, with which the index is built again.
            let (own, _) = try await other.open(SandboxOrder(), "--reference", "order-4712")
            let all = try await other.run("find", "order-471", "--imported", "--json")
            #expect(try all.json.list.compactMap { $0["session"].text } == [own, session])
            let keys = try await world.tool.shell("rm other.db.key; workflowctl store index")
            #expect(keys.status == 0, "the other store keeps its keys")
            let missing = try await other.run("store", "index")
            #expect(missing.status == 78 && missing.diagnostics.contains("[vault.missing]"))
        }
    }

    @Test func `without the keys, or with those of another store, the index is not changed`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open(SandboxOrder(), "--reference", "order-4711")
            _ = try await update(world)
            _ = try await world.open()
            let before = try await terms(in: world)
            var blind = world.tool
            blind.environment["WORKFLOWCTL_KEY_FILE"] = world.folder + "/missing.key"
            let missing = try await blind.run(["store", "index"])
            #expect(missing.status == 78 && missing.diagnostics.contains("[vault.missing]"))
            var foreign = world.tool
            foreign.environment["WORKFLOWCTL_MASTER_KEY"] = String(repeating: "ab", count: 32)
            for options in [[], ["--follow"]] {
                let refused = try await foreign.run(["store", "index"] + options)
                #expect(refused.status == 77, "\(refused.output)")
                #expect(refused.diagnostics.contains("[vault.wrong-key]"))
            }
            let found = try await foreign.run(["find", "order-4711", "--json"])
            #expect(try found.json.list.count == 1)
            #expect(found.diagnostics.contains("could not be updated"))
            #expect(found.diagnostics.contains("hint: set WORKFLOWCTL_KEY_FILE to the right key"))
            #expect(try await terms(in: world) == before)
        }
    }

    /// Returns a world with a master key, and the same one with a newer key in front of it.
    private func rotated(_ world: World) -> (old: World, new: World) {
        var (old, new) = (world, world)
        let (first, second) = (
            String(repeating: "ab", count: 32), String(repeating: "cd", count: 32)
        )
        old.tool.environment["WORKFLOWCTL_MASTER_KEY"] = first
        new.tool.environment["WORKFLOWCTL_MASTER_KEY"] = second + " " + first
        return (old, new)
    }

    @Test func `a follower with former keys leaves the index to the process with the new ones`()
        async throws
    {
        try await World.with { world in
            let (old, new) = rotated(world)
            _ = try await old.open()
            let follower = try startFollower(old)
            defer { kill(follower.id, SIGKILL) }
            try await waitUntilRead(old)
            #expect(try await update(new) > 0)
            let ended = try await ended(follower, world)
            #expect(ended.status == 75 && ended.diagnostics.contains("[store.index-replaced]"))
            #expect(try await update(new) == 0)
        }
    }

    @Test func `a follower stops before records whose keys it lacks, and find does not trust it`()
        async throws
    {
        try await World.with { world in
            let (old, new) = rotated(world)
            _ = try await old.open()
            let follower = try startFollower(old)
            defer { kill(follower.id, SIGKILL) }
            try await waitUntilRead(old)
            let (session, _) = try await new.open()
            let ended = try await ended(follower, world)
            #expect(ended.status == 77 && ended.diagnostics.contains("[vault.wrong-key]"))
            let behind = try await world.run("metrics").output
            #expect(!behind.contains("payment_workflow_index_behind{index=\"search\"} 0\n"))
            // Also when the index says that it is complete.
            _ = try await rows(
                "UPDATE search_progress SET position = (SELECT max(position) FROM events)",
                in: world
            )
            let blind = try await old.run("find", session, "--json")
            #expect(blind.diagnostics.contains("could not be updated"))
            #expect(blind.diagnostics.contains("[vault.wrong-key]"))
            #expect(try await update(new) > 0)
        }
    }
}
