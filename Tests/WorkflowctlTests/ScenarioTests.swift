import Foundation
import TestSupport
import Testing

/// `sandbox --scenario`.
@Suite struct ScenarioTests {
    @Test func `the sandbox applies a scenario to the orders that match it, and to no others`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(
                """
                {"name": "busy", "appliesTo": {"description": "Shoes"},
                 "operations": {"session": [{"refusal": "forbidden", "times": "rest"}]}}
                """,
                to: "busy.json"
            )
            let running = try world.tool.start(
                Tool.path,
                ["sandbox", "--json", "--scenario", path],
                input: nil
            )
            for _ in 1...400 where !running.outputSoFar.contains("\n") {
                try await Task.sleep(for: .milliseconds(25))
            }
            let url = try #require(try JSON(parsing: running.outputSoFar)["baseURL"].text)
            for (description, status) in [("Shoes", Int32(69)), ("Hat", 0)] {
                let order = try await world.run(
                    "sandbox",
                    "order",
                    "--at",
                    url,
                    "--description",
                    description
                )
                let session = order.output.trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(try await world.run("open", session).status == status)
            }
            kill(running.id, SIGTERM)
            #expect(try await world.tool.finish(running).status == 130)
        }
    }

    @Test func `a malformed scenario is refused with the path of the member`() async throws {
        try await World.with { world in
            let path = try world.write(
                #"{"name": "a", "operations": {"session": [{"after": "soon"}]}}"#,
                to: "bad.json"
            )
            let refused = try await world.tool.run(["sandbox", "--scenario", path])
            #expect(refused.status == 78)
            #expect(refused.diagnostics.contains("[scenario.malformed]"))
            #expect(refused.diagnostics.contains("operations.session.0.after: must be an integer"))
            let missing = try await world.tool.run(["sandbox", "--scenario", "no-such.json"])
            #expect(missing.status == 66)
        }
    }
}
