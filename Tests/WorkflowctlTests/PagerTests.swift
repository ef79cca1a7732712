import Foundation
import Testing

@testable import Sandbox

/// Long output on a terminal, and when it must not be paged.
@Suite struct PagerTests {
    @Test func `a pager is used only on a terminal, only if one is set, and never with JSON`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            var tool = world.tool
            tool.environment["TERM"] = "xterm"
            tool.environment["PAGER"] = "sed 's/^/PAGED /'"
            let paged = try await tool.terminal("workflowctl log \(session)")
            #expect(paged.output.contains("PAGED ") && paged.output.contains("opened"))
            #expect(paged.output.contains("\u{1B}["))
            for line in ["explain \(session)", "timeline \(session)", "stats", "find \(session)"] {
                let long = try await tool.terminal("workflowctl " + line)
                #expect(long.status == 0 && long.output.contains("PAGED "), "\(line)")
            }
            for line in [
                "workflowctl log \(session) --no-pager", "workflowctl --no-pager list",
                "workflowctl log \(session) --json", "workflowctl show \(session)",
                "TERM=dumb workflowctl list", "PAGER= workflowctl list",
                "PAGER=cat workflowctl list",
            ] {
                let plain = try await tool.terminal(line)
                #expect(plain.status == 0 && !plain.output.contains("PAGED"), "\(line)")
            }
            let pipe = try await tool.run(["list"])
            #expect(!pipe.output.contains("PAGED"))
        }
    }

    @Test func `a pager that quits early or is missing does no harm, and receives no key`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            var tool = world.tool
            tool.environment["TERM"] = "xterm"
            tool.environment["PAGER"] = "head -1"
            let early = try await tool.terminal("workflowctl schema")
            #expect(early.status == 0)
            #expect(early.output.split(separator: "\n").count == 1)
            tool.environment["PAGER"] = "no-such-pager"
            let missing = try await tool.terminal("workflowctl log \(session)")
            #expect(missing.status == 0 && missing.output.contains("opened"))
            tool.environment["PAGER"] = "env"
            tool.environment["WORKFLOWCTL_MASTER_KEY"] = String(repeating: "0f", count: 32)
            let variables = try await tool.terminal("workflowctl list")
            #expect(variables.output.contains("LESS=FRX"))
            #expect(variables.output.contains("LESSSECURE=1"))
            #expect(!variables.output.contains("0f0f"))
        }
    }
}
