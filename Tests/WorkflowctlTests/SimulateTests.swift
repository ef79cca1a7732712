import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Simulated worlds on the command line.
@Suite struct SimulateTests {
    @Test func `the same options give the same history in two processes, byte for byte`()
        async throws
    {
        try await World.with { world in
            let arguments = [
                "simulate", "--seed", "11", "--runs", "6", "--nodes", "3", "--json",
            ]
            let one = try await world.tool.run(arguments)
            let two = try await world.tool.run(arguments)
            #expect(one.status == 0, "\(one.diagnostics)")
            #expect(one.output == two.output)
            try await SchemaCheck.expect(one.output, fits: "cli/simulate", in: world)
            #expect(try one.json["worlds"].number == 6)
            #expect(try one.json["violation"]["guarantee"].text == nil)
            let story = ["simulate", "--seed", "11", "--runs", "1", "--timeline"]
            let told = try await world.tool.run(story)
            #expect(try await world.tool.run(story).output == told.output)
            #expect(told.diagnostics.contains("per second: "))
            let other = try await world.tool.run(
                ["simulate", "--seed", "12", "--runs", "6", "--nodes", "3", "--json"]
            )
            #expect(try other.json["history"].text != one.json["history"].text)
        }
    }

    @Test func `a broken guarantee is reported with a small world and the command that repeats it`()
        async throws
    {
        try await World.with { world in
            let broken = try await world.tool.run([
                "simulate", "--mutation", "performBeforeAppend", "--runs", "20", "--json",
            ])
            #expect(broken.status == 1)
            try await SchemaCheck.expect(broken.output, fits: "cli/simulate", in: world)
            let violation = try broken.json["violation"]
            #expect(violation["guarantee"].text == "durableFirst")
            #expect(violation["smallest"]["sessions"].number == 1)
            #expect(violation["smallest"]["nodes"].number == 1)
            let command = try #require(violation["repeat"].text)
            let again = try await world.tool.shell(command + " --timeline")
            #expect(again.status == 1)
            #expect(again.diagnostics.contains("broken: durableFirst"))
            #expect(again.diagnostics.contains(violation["explanation"].text ?? "?"))
            let lines = again.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("payment 1 is ") })
            #expect(lines.contains { $0.contains("+0.000") && $0.contains("payment 1") })
        }
    }

    @Test func `a simulation interrupted in its first world reports that no world was finished`()
        async throws
    {
        try await World.with { world in
            let done = try await interrupted(["--runs", "1", "--sessions", "3000"], 2, in: world)
            #expect(done.diagnostics.contains("interrupted after 0 of 1 worlds"))
        }
    }

    @Test func `a mutation without --faults is run with faults that reveal it`() async throws {
        try await World.with { world in
            let caught = try await world.tool.run([
                "simulate", "--mutation", "takeLostForUnsent", "--runs", "5", "--no-shrink",
            ])
            #expect(caught.status == 1, "\(caught.output)")
        }
    }

    @Test(arguments: ["", "all,,none", "crash,"])
    func `a list of faults with an empty entry is refused`(list: String) async throws {
        try await World.with { world in
            let refused = try await world.tool.run(["simulate", "--runs", "1", "--faults", list])
            #expect(refused.status == 64)
            #expect(refused.diagnostics.contains("[usage.faults]"))
        }
    }

    @Test
    func `simulate --timeline --json lists the steps, and an interrupted sweep ends with 130`()
        async throws
    {
        try await World.with { world in
            let one = try await world.tool.run([
                "simulate", "--runs", "1", "--sessions", "1", "--minutes", "2", "--timeline",
                "--json",
            ])
            #expect(one.status == 0)
            try await SchemaCheck.expect(one.output, fits: "cli/simulate", in: world)
            let steps = try one.json["timeline"].list
            #expect(
                steps.contains { $0["kind"].text == "requestLeaves" && $0["engine"].number != nil }
            )
            _ = try await interrupted(["--runs", "100000"], 1, in: world)
        }
    }

    /// Runs worlds and interrupts them after some seconds; the guarantees must not be reported as
    /// held.
    private func interrupted(
        _ arguments: [String],
        _ seconds: Int,
        in world: World
    ) async throws -> Tool.Result {
        let running = try world.tool.start(Tool.path, ["simulate"] + arguments, input: nil)
        try await Task.sleep(for: .seconds(seconds))
        kill(running.id, SIGINT)
        let ended = try await world.tool.finish(running)
        #expect(ended.status == 130)
        #expect(!ended.output.contains("every guarantee held"))
        return ended
    }

    @Test func `faults and mutations are listed`() async throws {
        try await World.with { world in
            let faults = try await world.tool.run(["simulate", "--list-faults", "--json"])
            #expect(faults.status == 0)
            try await SchemaCheck.expect(faults.output, fits: "cli/simulate-faults", in: world)
            #expect(try faults.json.list.contains { $0["fault"].text == "answerLost" })
            let help = try await world.tool.run(["simulate", "--help"]).output
            for fault in try faults.json.list.compactMap({ $0["fault"].text }) {
                #expect(help.contains(fault), "\(fault)")
            }
            let table = try await world.tool.run(["simulate", "--list-faults"])
            #expect(table.output.hasPrefix("fault\t"))
            let mutations = try await world.tool.run(["simulate", "--list-mutations", "--json"])
            #expect(mutations.status == 0)
            try await SchemaCheck.expect(
                mutations.output,
                fits: "cli/simulate-mutations",
                in: world
            )
            #expect(try mutations.json.list.count > 11)
        }
    }

    @Test(arguments: [
        (["--faults", "rain"], "usage.faults"), (["--faults", "crash=1001"], "usage.faults"),
        (["--faults", "crash="], "usage.faults"), (["--mutation", "sleep"], "usage.mutation"),
        (["--runs", "0"], "usage.world"), (["--nodes", "17"], "usage.world"),
        (["--sessions", "0"], "usage.world"), (["--minutes", "99999"], "usage.world"),
    ])
    func `invalid faults, mutations and world sizes are refused as usage errors`(
        arguments: [String],
        code: String
    ) async throws {
        try await World.with { world in
            let result = try await world.tool.run(["simulate"] + arguments)
            #expect(result.status == 64)
            #expect(result.diagnostics.contains("[\(code)]"))
            #expect(result.output.isEmpty)
        }
    }
}
