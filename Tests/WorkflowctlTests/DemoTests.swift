import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite struct DemoTests {
    @Test func `demo plays its payments as expected, and the commands that it suggests work`()
        async throws
    {
        try await World.with { world in
            var tool = world.tool
            tool.environment["TMPDIR"] = world.folder
            tool.environment["WORKFLOWCTL_STORE"] = nil
            let demo = try await tool.run(["demo"])
            #expect(demo.status == 0, "\(demo.output)\(demo.diagnostics)")
            #expect(!demo.output.contains("\u{1B}"))
            for words in [
                "a-14: the app is open", "challenge shown",
                "problem acknowledged", "attempt 2: Swish on another device",
                "canceled by the client", "completed, as the PSP reported",
                "the PSP refunded 100.00 SEK afterwards",
            ] {
                #expect(demo.output.contains(words), "\(words)")
            }
            let next = try #require(demo.output.split(separator: "Try next\n").last)
            let commands = next.split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }.filter { !$0.hasPrefix("#") }
            #expect(commands.count == 8)
            for command in commands where !command.contains(" sandbox ") {
                let result = try await tool.shell("set -o pipefail; " + command)
                #expect(result.status == 0, "\(command)\n\(result.diagnostics)")
            }
            #expect(try await tool.shell("ls -d workflowctl-demo.*").status != 0)
        }
    }

    @Test func `demo --json matches its schema and lists the outcome of every session`()
        async throws
    {
        try await World.with { world in
            let demo = try await world.run("demo", "--json", store: world.folder + "/demo.db")
            #expect(demo.status == 0)
            try await SchemaCheck.expect(demo.output, fits: "cli/demo", in: world)
            #expect(try demo.json["asExpected"].flag == true)
            #expect(
                try demo.json["sessions"].list.map { $0["outcome"].text }
                    == [
                        "completed", "completed", "completed", "canceled", "completed",
                        "completed",
                    ]
            )
            let list = try await world.run("list", "--json", store: world.folder + "/demo.db")
            #expect(try list.json.list.count == 6)
        }
    }

    @Test func `the commands that the sandbox suggests work`() async throws {
        try await World.with { world in
            let running = try world.tool.start(Tool.path, ["sandbox"], input: nil)
            for _ in 1...400 where !running.outputSoFar.contains("Ctrl-C") {
                try await Task.sleep(for: .milliseconds(25))
            }
            let commands = running.outputSoFar.split(separator: "\n").filter {
                $0.hasPrefix("  ")
            }
            #expect(commands.count == 4)
            for command in commands {
                let result = try await world.tool.shell("set -o pipefail; " + command)
                #expect(result.status == 0, "\(command)\n\(result.diagnostics)")
                #expect(!result.output.contains("errordetail"), "\(result.output)")
            }
            let list = try await world.run("list", "--phase", "ready", "--json")
            #expect(try list.json.list.count == 1)
            kill(running.id, SIGINT)
            #expect(try await world.tool.finish(running).status == 130)
        }
    }

    @Test func `the sandbox serves orders until it is interrupted`() async throws {
        try await World.with { world in
            let running = try world.tool.start(Tool.path, ["sandbox", "--json"], input: nil)
            for _ in 1...400 where !running.outputSoFar.contains("\n") {
                try await Task.sleep(for: .milliseconds(25))
            }
            try await SchemaCheck.expect(running.outputSoFar, fits: "cli/sandbox", in: world)
            let url = try #require(try JSON(parsing: running.outputSoFar)["baseURL"].text)
            let order = try await world.run("sandbox", "order", "--at", url, "--json")
            try await SchemaCheck.expect(order.output, fits: "cli/sandbox-order", in: world)
            let session = try #require(try order.json["sessionURL"].text)
            #expect(try await world.run("open", session).status == 0)
            let refused = try await world.run("sandbox", "order", "--at", url, "--amount", "0")
            #expect(refused.status == 1)
            kill(running.id, SIGTERM)
            #expect(try await world.tool.finish(running).status == 130)
            #expect(try await world.run("sandbox", "order", "--at", url).status == 69)
            let taken = try await world.run(
                "sandbox",
                "--port",
                String(world.sandbox.baseURL.split(separator: ":").last ?? "")
            )
            #expect(taken.status == 69)
        }
    }
}
