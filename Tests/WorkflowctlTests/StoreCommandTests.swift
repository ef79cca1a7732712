import Adapters
import Foundation
import Testing

@testable import Sandbox
@testable import workflowctl

/// `store` and `node` with files; the tests with servers are elsewhere.
@Suite struct StoreCommandTests {
    @Test func `a store can be initialized repeatedly, and store status describes it`() async throws
    {
        try await World.with { world in
            for command in ["status", "migrate"] {
                let missing = try await world.run("store", command)
                #expect(missing.status == 66 && missing.diagnostics.contains("does not exist"))
                #expect(missing.diagnostics.contains("[store.no-database]"))
                #expect(missing.diagnostics.contains("'workflowctl store init'"))
            }
            #expect(!FileManager.default.fileExists(atPath: world.storePath))
            for command in ["init", "init", "migrate", "status"] {
                let done = try await world.run("store", command, "--json")
                #expect(done.status == 0, "\(done.diagnostics)")
                try await SchemaCheck.expect(done.output, fits: "cli/store", in: world)
                #expect(try done.json["position"].number == 0)
            }
            let (session, _) = try await world.open()
            let status = try await world.run("store", "status", "--json")
            #expect(try status.json["newestSession"].text == session)
        }
    }

    @Test func `the schema of store lists every kind of store`() throws {
        let document = try #require(EmbeddedSchemas.documents["cli/store"])
        let kinds = try JSON(parsing: document)["properties"]["kind"]["enum"].list
        #expect(kinds.compactMap(\.text) == StoreKinds.all.map { $0.name })
    }

    @Test func `a copy of a file store has the same logs and keys`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let copy = world.folder + "/copy.db"
            let copied = try await world.run("store", "copy", "sqlite:" + copy, "--json")
            #expect(copied.status == 0, "\(copied.diagnostics)")
            try await SchemaCheck.expect(copied.output, fits: "cli/store-copy", in: world)
            var tool = world.tool
            tool.environment["WORKFLOWCTL_KEY_FILE"] = world.storePath + ".key"
            tool.environment["WORKFLOWCTL_STORE"] = "sqlite:" + copy
            let verified = try await tool.run(["verify", "--keys"])
            #expect(verified.status == 0, "\(verified.diagnostics)")
            let logs = [
                try await world.run("log", session, "--json"),
                try await tool.run(["log", session, "--json"]),
            ]
            #expect(logs[0].output == logs[1].output)
            let itself = try await world.run("store", "copy", "sqlite:" + world.storePath)
            #expect(itself.status == 64)
        }
    }

    @Test func `node list and store grants match their schemas`() async throws {
        try await World.with { world in
            _ = try await world.open()
            let nodes = try await world.run("node", "list", "--json")
            try await SchemaCheck.expect(nodes.output, fits: "cli/node-list", in: world)
            let grants = try await world.run("store", "grants", "engine", "--json")
            try await SchemaCheck.expect(grants.output, fits: "cli/store-grants", in: world)
            #expect(try await world.run("store", "grants", "").status == 64)
        }
    }
}
