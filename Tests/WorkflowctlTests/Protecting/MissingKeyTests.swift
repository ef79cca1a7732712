import Foundation
import Testing

@testable import Sandbox

/// Without the key, or with a wrong one, everything works except revealing and driving.
@Suite struct MissingKeyTests {
    @Test(arguments: [("missing", Int32(78)), ("wrong", 77), ("failing command", 78)])
    func `reading needs no key, and revealing or driving fails with one error about the key`(
        kind: String,
        status: Int32
    ) async throws {
        try await World.with { world in
            let (session, order) = try await world.open()
            _ = try await world.run("export", "-o", "logs.ndjson")
            var tool = world.tool
            switch kind {
            case "missing": _ = try await tool.shell("mv payments.db.key away")
            case "wrong":
                tool.environment["WORKFLOWCTL_MASTER_KEY"] = String(repeating: "ef", count: 32)
            default: tool.environment["WORKFLOWCTL_KEY_COMMAND"] = "exit 1"
            }
            for command in [
                ["list"], ["list", "--json"], ["show", session], ["log", session],
                ["log", session, "--json"], ["replay", session], ["replay", session, "--check"],
                ["replay", session, "--step"], ["verify"], ["verify", session],
                ["verify", "logs.ndjson"], ["export", "-o", "again.ndjson"],
                ["export", session, "--redact"], ["export", "--format", "cloudevents"],
                ["import", "logs.ndjson"], ["problems", "lint"],
                ["scenario", "record", session], ["retention", "--older-than", "1d"],
            ] {
                let read = try await tool.run(command)
                #expect(read.status == 0, "\(command) \(read.diagnostics)")
                #expect(read.diagnostics.contains("vault.") == false, "\(command)")
            }
            let listed = try await tool.run(["keys", "list"])
            #expect(listed.status == (kind == "failing command" ? 78 : 0), "\(listed.diagnostics)")
            let insecure = "--allow-insecure-loopback"
            for command in [
                ["show", session, "--reveal"], ["log", session, "--reveal"],
                ["export", session, "--reveal"], [insecure, "abort", session],
                [insecure, "attempt", session, "swish"], [insecure, "resume", session],
                [insecure, "open", order.sessionURL], ["page", session, "a-1"],
            ] {
                let refused = try await tool.run(command)
                #expect(refused.status == status, "\(command) \(refused.diagnostics)")
                #expect(
                    refused.diagnostics.components(separatedBy: "error:").count == 2,
                    "\(command) \(refused.diagnostics)"
                )
                #expect(refused.diagnostics.contains("[vault."), "\(command)")
            }
            // Destroying a session's key does not require the master key.
            let erased = try await tool.run(["erase", session, "--reason", "test", "--force"])
            #expect(erased.status == 0, "\(erased.diagnostics)")
        }
    }
}
