import Foundation
import TestSupport
import Testing

@testable import Sandbox

@Suite struct ReadingTests {
    @Test(.duty("C-29"))
    func `sessions are listed newest first and can be searched`() async throws {
        try await World.with { world in
            let (first, _) = try await world.open(SandboxOrder(), "--reference", "one")
            let (second, _) = try await world.open(SandboxOrder(), "--reference", "two")
            _ = try await world.run("abort", first)
            let list = try await world.run("list", "--json")
            try await SchemaCheck.expect(list.output, fits: "cli/list", in: world)
            #expect(try list.json.list.map { $0["session"].text } == [second, first])
            #expect(try await world.run("list", "--json", "--limit", "1").json.list.count == 1)
            #expect(try await world.run("list", "--json", "--outcome", "expired").json.list.isEmpty)
            // The array has one session on a line, for programs that read line by line.
            let lines = list.output.split(separator: "\n")
            #expect(lines.count == 4 && lines.first == "[" && lines.last == "]")
            for (line, session) in zip(lines.dropFirst(), [second, first]) {
                let row = try JSON(parsing: line.trimmingCharacters(in: [","]))
                #expect(row["session"].text == session)
            }
            func found(_ arguments: String...) async throws -> [String?] {
                let list = try await world.tool.run(["list", "--json"] + arguments)
                return try list.json.list.map { $0["session"].text }
            }
            #expect(try await found("--outcome", "canceled") == [first])
            #expect(try await found("--phase", "ready") == [second])
            #expect(try await found("--reference", "two") == [second])
            #expect(try await found("--instrument", "swish") == [])
            #expect(try await found("--since", "1h") == [second, first])
            #expect(try await found("--until", "2020-01-01") == [])
            #expect(try await found("--since", "2999-12-31T23:59:59+02:00") == [])
            #expect(try await found("--stuck") == [])
            let rows = try await world.run("list").output.split(separator: "\n")
            #expect(
                rows.map { $0.split(separator: "\t", omittingEmptySubsequences: false).count }
                    == [9, 9, 9]
            )
        }
    }

    @Test func `log --json prints the export format, which can be replayed`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let log = try await world.run("log", session, "--json")
            try await SchemaCheck.expect(log.output, fits: "log-line", in: world)
            let export = try await world.run("export", session)
            #expect(log.output == export.output)
            let shown = try await world.run("show", session, "--json")
            let replayed = try await world.tool.shell(
                "workflowctl log \(session) --json | workflowctl replay - --json"
            )
            #expect(replayed.status == 0)
            #expect(try replayed.json["lastSeq"] == shown.json["lastSeq"])
            #expect(try replayed.json["methods"] == shown.json["methods"])
            let from = try await world.run("log", session, "--from", "3", "--json")
            #expect(log.output.hasSuffix(from.output))
            #expect(
                from.output.split(separator: "\n").count == log.output.split(separator: "\n").count
                    - 2
            )
        }
    }

    @Test func `replay shows a session as it was at an earlier event or time`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let early = try await world.run("replay", session, "--at", "2", "--json")
            try await SchemaCheck.expect(early.output, fits: "session-view", in: world)
            #expect(try early.json["phase"].text == "opening")
            #expect(try early.json["lastSeq"].number == 2)
            let before = try await world.run("replay", session, "--until", "2020-01-01", "--json")
            #expect(try before.json["lastSeq"].number == 0)
            let steps = try await world.run("replay", session, "--step", "--json")
            try await SchemaCheck.expect(steps.output, fits: "cli/replay-step", in: world)
            let last = try JSON(parsing: String(steps.output.split(separator: "\n").last ?? ""))
            #expect(last["view"]["phase"].text == "ready")
            let difference = try await world.run("replay", session, "--diff", "2..6", "--json")
            try await SchemaCheck.expect(difference.output, fits: "cli/replay-diff", in: world)
            let paths = try difference.json["changes"].list.compactMap { $0["path"].text }
            #expect(paths.contains("phase") && paths.contains("methods"))
            let check = try await world.run("replay", session, "--check", "--json")
            try await SchemaCheck.expect(check.output, fits: "cli/replay-check", in: world)
            #expect(try check.json["agrees"].flag == true)
            #expect(try await world.run("replay", session, "--at", "999").status == 64)
            #expect(try await world.run("replay", session, "--diff", "6..2").status == 64)
            #expect(try await world.run("replay", session, "--check", "--at", "2").status == 64)
        }
    }

    @Test(.duty("C-14", "C-29"), .guarantee(.noSecretOutside))
    func `secrets are printed only with --reveal`() async throws {
        try await World.with { world in
            let (session, created) = try await world.open()
            let started = try await world.run("attempt", session, "swish", "--json")
            let url = try #require(try started.json["actions"][0]["url"].text)
            let token = try #require(created.sessionURL.split(separator: "/").last)
            for command in [["show", session], ["log", session], ["list"], ["export"]] {
                for form in [[], ["--json"]] {
                    let result = try await world.tool.run(command + form)
                    #expect(result.status == 0)
                    #expect(!result.output.contains(url), "\(command)")
                    #expect(!result.output.contains(token), "\(command)")
                }
            }
            let masked = try await world.run("show", session, "--json")
            #expect(try masked.json["actions"][0]["url"].text?.hasPrefix("•••") == true)
            let shown = try await world.run("show", session, "--json", "--reveal")
            #expect(try shown.json["actions"][0]["url"].text == url)
            let log = try await world.run("log", session, "--json", "--reveal")
            #expect(log.output.contains(token))
            let strings = try await world.tool.shell("cat payments.db payments.db-wal")
            #expect(!strings.output.contains(token))
        }
    }

    @Test func `list prints a table on a terminal, tabs in a pipe, and color as requested`()
        async throws
    {
        try await World.with { world in
            _ = try await world.open()
            let escape = "\u{1B}["
            var tool = world.tool
            tool.environment["TERM"] = "xterm"
            let terminal = try await tool.terminal("workflowctl list")
            #expect(terminal.output.contains(escape))
            #expect(terminal.output.contains("OPENED"))
            #expect(!terminal.output.contains("\t"))
            let pipe = try await tool.run(["list"])
            #expect(!pipe.output.contains(escape))
            #expect(pipe.output.hasPrefix("session\topened\t"))
            let refused = try await tool.terminal("NO_COLOR=1 workflowctl list")
            #expect(!refused.output.contains(escape))
            let dumb = try await tool.terminal("TERM=dumb workflowctl list")
            #expect(!dumb.output.contains(escape))
            let never = try await tool.terminal("workflowctl --color never list")
            #expect(!never.output.contains(escape))
            tool.environment["CLICOLOR_FORCE"] = "1"
            let forced = try await tool.shell(
                "workflowctl show $(workflowctl list | cut -f1 | tail -1)"
            )
            #expect(forced.output.contains(escape))
            let json = try await tool.run(["list", "--json"])
            #expect(!json.output.contains(escape))
            #expect(try json.json.list.count == 1)
        }
    }
}
