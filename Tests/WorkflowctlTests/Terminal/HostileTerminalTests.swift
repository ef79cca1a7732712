import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import Sandbox

/// Text from outside contains control characters, and every command shows it on a terminal.
///
/// The commands are taken from the program's own help, so that none can be forgotten.
@Suite(.threat("T-40")) struct HostileTerminalTests {
    /// The logs to display, with all kinds of events.
    private static let logs = ["every-event", "checkout"]

    /// The arguments of commands whose help does not have them, or that would run forever.
    ///
    /// `FILE` and `SESSION` are replaced with those of each hostile log, and `BAD` with a hostile
    /// argument.
    private static let special: [String: [[String]]] = [
        "demo": [["--only", "BAD"]],
        "tail": [["SESSION", "--last", "1000", "--for", "1s"], ["BAD"]],
        "simulate": [["--runs", "1", "--timeline"], ["--faults", "BAD"]],
        "replay": [
            ["FILE"], ["FILE", "--check"], ["FILE", "--what-if"], ["FILE", "--diff", "0..9"],
            ["FILE", "--at", "9"], ["SESSION", "--step", "--json"], ["--all", "--check"], ["BAD"],
        ],
        "publish": [["--to", "BAD", "--position", "BAD"]],
        "fork": [["FILE", "--at", "3", "--sandbox", "BAD"]],
        "sandbox": [["--scenario", "FILE"], ["--scenario", "BAD"], ["--host", "BAD"]],
        "serve token create": [["--role", "viewer", "--name", "BAD"], ["--role", "BAD"]],
        "completions": [["bash"], ["BAD"]],
        "verify": [["FILE"], ["SESSION"], ["-v"], ["BAD"]],
        "list": [["--imported"], ["--imported", "--json"], ["BAD"]],
        "stats": [["--imported"], ["--imported", "--json"], ["BAD"]],
        "find": [["order", "--imported"], ["demo", "--imported", "--json"], ["BAD"]],
        "retention": [["--older-than", "0s"], ["--older-than", "BAD"]],
        "erase": [["SESSION", "--reason", "BAD"]],
        "store copy": [["sqlite:copy.db"], ["BAD"]],
        "help": [["BAD"]],
    ]

    /// A command in the program's own description.
    private struct Described {
        var words: [String]
        var positions: [String]
        var name: String { words.joined(separator: " ") }
    }

    private func described(_ command: JSON, below words: [String] = []) -> [Described] {
        let more = command["subcommands"].list
        guard more.isEmpty else {
            return more.flatMap { described($0, below: words + [$0["commandName"].text ?? ""]) }
        }
        let positions = command["arguments"].list.filter { $0["kind"].text == "positional" }
        return [Described(words: words, positions: positions.map { $0["valueName"].text ?? "" })]
    }

    /// How a command is run: as intended, and with hostile arguments.
    private func arguments(of command: Described) -> [[String]] {
        if let special = Self.special[command.name] { return special }
        let plain = command.positions.map { name in
            name == "id" ? "SESSION" : name.contains("file") ? "FILE" : "order"
        }
        let bad = command.positions.map { _ in "BAD" }
        return [plain, plain + ["--json"], bad.isEmpty ? ["BAD"] : bad, ["--BAD"]]
    }

    /// A world whose store contains the hostile logs, with their files and sessions.
    private func with(
        _ body: (World, _ logs: [(file: String, session: String)]) async throws -> Void
    ) async throws {
        try await World.with { given in
            var world = given
            world.tool.environment["TERM"] = "xterm"
            var logs: [(String, String)] = []
            for (number, name) in Self.logs.enumerated() {
                let id = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e0\(number)"
                let text = try HostileLog.text(name, of: try #require(SessionID(id)))
                let file = try world.write(text, to: name + ".ndjson")
                let imported = try await world.run("import", file, "--json")
                try #require(imported.status == 0, "\(name): \(imported.diagnostics)")
                logs.append((file, try #require(try imported.json[0]["session"].text)))
            }
            try await body(world, logs)
        }
    }

    /// Runs command lines on terminals, and expects no control characters in their output.
    private func expectHarmless(
        _ runs: [[String]],
        keys: String? = nil,
        in world: World
    ) async throws {
        let list = runs.map { words -> [String: Any] in
            var run: [String: Any] = ["argv": ["workflowctl"] + words]
            if let keys { run["keys"] = keys }
            run["draws"] = keys != nil
            return run
        }
        let input = String(
            decoding: try JSONSerialization.data(withJSONObject: list),
            as: UTF8.self
        )
        let looked = try await world.tool.shell(
            "python3 \(FileManager.default.currentDirectoryPath)/Tests/Tools/hostile_terminal.py",
            input: input
        )
        try #require(looked.status == 0, "\(looked.diagnostics)")
        let results = try looked.json.list
        #expect(results.count == runs.count)
        for result in results {
            let line = result["argv"].list.compactMap(\.text).joined(separator: " ")
            #expect(result["found"].list.compactMap(\.text) == [], "\(line)")
            #expect(result["bytes"].number ?? 0 > 0, "\(line) said nothing")
            #expect((result["status"].number ?? -1) < 128, "\(line)")
        }
    }

    @Test(.tags(.repeatedThoroughly))
    func `no hostile log, file or argument can control the terminal through any command`()
        async throws
    {
        try await with { world, logs in
            let help = try await world.tool.run(["--experimental-dump-help"])
            let commands = described(try help.json["command"])
            #expect(commands.count > 60)
            let names = Set(commands.map(\.name) + ["sandbox"])
            #expect(names.isSuperset(of: Self.special.keys))
            var runs: [[String]] = []
            for command in commands + [Described(words: ["sandbox"], positions: [])] {
                // In the fast tier every command runs once on one log.
                let all = arguments(of: command)
                for words in Tier.isThorough ? all[...] : all.prefix(1) {
                    let needsLog = words.contains("FILE") || words.contains("SESSION")
                    for log in needsLog && Tier.isThorough ? logs : [logs[0]] {
                        let replaced = words.map {
                            $0.replacing("FILE", with: log.file)
                                .replacing("SESSION", with: log.session)
                                .replacing("BAD", with: HostileLog.steering)
                        }
                        runs.append(command.words + replaced)
                    }
                }
            }
            // One of each kind of bad argument: a value, an option, a command.
            let bad = HostileLog.steering
            runs += [["show", bad], ["list", "--" + bad], [bad], ["verify", bad]]
            try await expectHarmless(runs, in: world)
        }
    }

    @Test func `stepping through a hostile log draws only the program's own screen`() async throws {
        try await with { world, logs in
            let runs = logs.map { ["replay", $0.file, "--step", "--at", "1"] }
            try await expectHarmless(runs, keys: "llllllljjjjGq", in: world)
        }
    }

    @Test func `control characters in a note do not reach the terminal, even with --reveal`()
        async throws
    {
        try await World.with { given in
            var world = given
            world.tool.environment["TERM"] = "xterm"
            let (session, _) = try await world.open()
            let noted = try await world.run("note", session, "-", input: HostileLog.steering)
            try #require(noted.status == 0, "\(noted.diagnostics)")
            let runs = [
                ["log", session, "--reveal"], ["log", session, "--reveal", "--json"],
                ["export", session, "--reveal"], ["show", session, "--reveal"],
                ["explain", session],
            ]
            try await expectHarmless(runs, in: world)
        }
    }

    @Test func `JSON on a terminal has the same values; a pipe gets the exact bytes`() async throws
    {
        try await with { world, logs in
            let session = logs[0].session
            let stored = try String(contentsOfFile: logs[0].file, encoding: .utf8)
            let piped = try await world.run("export", session)
            #expect(piped.output == stored && piped.diagnostics.isEmpty)
            let shown = try await world.tool.terminal("workflowctl export \(session) 2>said")
            #expect(shown.output != stored)
            let lines = shown.output.split(whereSeparator: \.isNewline)
            let whole = stored.split(separator: "\n")
            try #require(lines.count == whole.count)
            for (line, record) in zip(lines, whole) {
                #expect(try JSON(parsing: String(line)) == JSON(parsing: String(record)))
            }
            let said = try await world.tool.shell("cat said")
            #expect(said.output.contains("to a file or pipe to get the exact bytes"))
        }
    }
}
