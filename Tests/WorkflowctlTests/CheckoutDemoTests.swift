import Foundation
import Testing

@testable import Sandbox

@Suite struct CheckoutDemoTests {
    @Test func `demo --checkout is paid in a browser, and the commands that it suggests work`()
        async throws
    {
        try await World.with { world in
            var tool = world.tool
            tool.environment["TMPDIR"] = world.folder
            tool.environment["HOME"] = world.folder
            tool.environment["WORKFLOWCTL_STORE"] = nil
            let demo = try await tool.run(["demo", "--checkout"])
            #expect(demo.status == 0, "\(demo.output)\(demo.diagnostics)")
            #expect(demo.output.contains("completed, confirmed"))
            let next = try #require(demo.output.split(separator: "Try next\n").last)
            let commands = next.split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }.filter { !$0.hasPrefix("#") }
            #expect(commands.count == 4)
            for command in commands {
                let result = try await tool.shell("set -o pipefail; " + command)
                #expect(result.status == 0, "\(command)\n\(result.diagnostics)")
            }
            #expect(try await tool.shell("ls -d workflowctl-demo.*").status != 0)
        }
    }

    @Test func `demo --checkout --json matches its schema and leaves only its store`() async throws
    {
        try await World.with { world in
            var tool = world.tool
            tool.environment["TMPDIR"] = world.folder
            tool.environment["HOME"] = world.folder
            let demo = try await tool.run(["demo", "--checkout", "--json"])
            #expect(demo.status == 0, "\(demo.output)\(demo.diagnostics)")
            try await SchemaCheck.expect(demo.output, fits: "cli/demo", in: world)
            #expect(try demo.json["asExpected"].flag == true)
            let sessions = try demo.json["sessions"].list
            #expect(sessions.map { $0["outcome"].text } == ["completed", "completed"])
            for session in sessions {
                #expect(session["agrees"].flag == true && session["sound"].flag == true)
            }
            var given = tool
            given.environment["WORKFLOWCTL_STORE"] = nil
            let kept = try await given.run([
                "--store", "sqlite:\(world.folder)/demo.db", "demo", "--checkout", "--json",
            ])
            #expect(kept.status == 0, "\(kept.diagnostics)")
            let list = try await world.run("list", "--json", store: world.folder + "/demo.db")
            #expect(try list.json.list.count == 2)
            let folders = try await tool.shell(
                "ls -d workflowctl-demo.* | wc -l; ls workflowctl-demo.*"
            )
            #expect(folders.output.hasPrefix("1\n"), "\(folders.output)")
            #expect(!folders.output.contains("browser"), "\(folders.output)")
        }
    }

    @Test func `without a browser, demo --checkout fails with browser.missing`() async throws {
        try await World.with { world in
            let demo = try await world.tool.shell(
                "TMPDIR=\(world.folder) PATH=/nonexistent \(Tool.path) demo --checkout"
            )
            #expect(demo.status == 69, "\(demo.output)")
            #expect(demo.diagnostics.contains("[browser.missing]"))
        }
    }
}
