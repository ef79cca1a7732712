import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite(.feature("S-32")) struct ScenarioRecordTests {
    @Test func `a failed payment is reproduced in the sandbox by a scenario recorded from its log`()
        async throws
    {
        try await World.with { world in
            var failing = SandboxOrder.everyMethod
            failing.amount = 900_361
            let (session, _) = try await world.open(failing)
            let failed = try await world.run("attempt", session, "card", "--prefill", "1", "--json")
            let type = try #require(try failed.json["problem"]["type"].text)
            let path = world.folder + "/case.json"
            let recorded = try await world.run(
                "scenario",
                "record",
                session,
                "-o",
                path,
                "--name",
                "order 4711"
            )
            #expect(recorded.status == 0, "\(recorded.diagnostics)")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains(world.sandbox.baseURL))
            try await SchemaCheck.expect(
                text.replacing("\n", with: " "),
                fits: "scenario",
                in: world
            )
            var configuration = SandboxConfiguration()
            configuration.scenarios = [try ScenarioFile.read(Array(text.utf8))]
            let played = try await SandboxServer.start(configuration)
            // The order has no special amount; the faults come from the scenario alone.
            let again = try await played.createOrder(SandboxOrder(payerReference: "payer-1"))
            let opened = try await world.run("open", again.sessionURL, "--json")
            let second = try #require(try opened.json["session"].text)
            #expect(try opened.json["methods"].list.count == failed.json["methods"].list.count)
            let repeated = try await world.run(
                "attempt",
                second,
                "card",
                "--prefill",
                "1",
                "--json"
            )
            #expect(try repeated.json["problem"]["type"].text == type)
            #expect(try repeated.json["phase"].text == failed.json["phase"].text)
            await played.shutdown()
        }
    }
}
