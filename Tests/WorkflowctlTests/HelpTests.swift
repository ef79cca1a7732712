import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import Sandbox
@testable import workflowctl

@Suite struct HelpTests {
    private static let commands = [
        [], ["demo"], ["serve"], ["serve", "token"],
        ["serve", "token", "create"], ["serve", "token", "list"], ["serve", "token", "revoke"],
        ["sandbox"], ["sandbox", "order"],
        ["sandbox", "act"], ["open"], ["attempt"], ["menu"],
        ["scenario", "record"], ["report"], ["page"],
        ["return"], ["retry"], ["abort"], ["resume"], ["explain"], ["timeline"], ["find"],
        ["tail"], ["at-risk"], ["stats"], ["settle"], ["note"], ["close"], ["list"], ["show"],
        ["log"], ["replay"], ["bisect"], ["fork"],
        ["verify"], ["export"], ["publish"], ["redact"], ["import"], ["schema"], ["simulate"],
        ["problems"], ["problems", "list"], ["problems", "show"], ["problems", "lint"],
        ["checkpoint"], ["checkpoint", "create"], ["checkpoint", "list"], ["checkpoint", "verify"],
        ["checkpoint", "prove"], ["checkpoint", "export"],
        ["erase"], ["retention"], ["keys"], ["keys", "list"], ["keys", "rotate"],
        ["keys", "forget"], ["store"], ["store", "init"], ["store", "migrate"],
        ["store", "status"], ["store", "copy"], ["store", "adopt"], ["store", "reproject"],
        ["store", "compress"], ["store", "index"], ["store", "grants"], ["node"],
        ["node", "list"],
        ["diagram"], ["report-html"], ["doctor"], ["metrics"], ["completions"], ["config"],
        ["config", "show"], ["config", "check"],
    ]

    /// In the fast tier every sixth command, without those whose examples make many payments.
    private static let tried =
        Tier.isThorough
        ? commands
        : commands.enumerated().filter { $0.offset % 6 == 0 }.map(\.element)
            .filter { $0 != ["store", "compress"] && $0 != ["simulate"] && $0 != ["demo"] }

    @Test(.tags(.repeatedThoroughly), arguments: tried)
    func `every example in the help works as it stands`(command: [String]) async throws {
        try await World.with { world in
            var world = world
            world.tool.environment["TMPDIR"] = world.folder
            world.tool.environment["HOME"] = world.folder
            for example in try await HelpExamples.read(command, by: world.tool) {
                // These run until they are interrupted, or take long: they have tests of their own.
                if example.contains(/^workflowctl (sandbox|serve) --/) { continue }
                if example == "workflowctl demo", command.isEmpty { continue }
                if example.contains(/\s--(every|follow)\b/) || command == ["publish"] { continue }
                // The tests with a PostgreSQL server run it.
                if example.contains("postgres:///payments") { continue }
                let (line, status) = try await prepared(example, world)
                let result = try await world.tool.shell(line)
                #expect(result.status == status, "\(line)\n\(result.diagnostics)")
            }
        }
    }

    /// The example with real values instead of its placeholders, and its exit code.
    private func prepared(_ example: String, _ world: World) async throws -> (String, Int32) {
        let created = try await world.sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
        _ = try world.write(created.sessionURL + "\n", to: "url.txt")
        var line = example.replacing(
            "https://api.payex.com/psp/paymentsessions/TOKEN",
            with: created.sessionURL
        )
        line = line.replacing("http://127.0.0.1:8093", with: world.sandbox.baseURL)
        line = line.replacing("--order ORDER", with: "--order \(created.id)")
        if example.contains("logs.ndjson"), !example.contains("-o") {
            _ = try await world.open()
            _ = try await world.run("export", "-o", "logs.ndjson")
            if example.contains("more-logs.ndjson") {
                _ = try await world.run("export", "-o", "more-logs.ndjson")
            }
        }
        if example.contains("config check") {
            _ = try world.write("{}", to: "config.json")
            return (line.replacing(/check$/, with: "check config.json"), 0)
        }
        // There is no token with this id.
        if example.contains("token revoke") { return (line, 66) }
        if example.contains("problems.json") {
            let row = #"[{"slug":"trustly/systemerror","delaySeconds":9}]"#
            _ = try world.write(row, to: "problems.json")
        }
        if example.contains("store compress") {
            // Only many payments can be compressed; the first example fills the store.
            _ = try await world.run("demo", "--sessions", "60", store: world.folder + "/filled.db")
            return (
                line.replacing("store compress", with: "--store sqlite:filled.db store compress"), 0
            )
        }
        let readers = [
            "list", "verify", "export", "resume", "lint", "create", "retention", "keys", "find",
            "at-risk", "--dry-run", "--where",
            "stats", "settle", "tail", "migrate", "status", "copy", "adopt", "reproject", "doctor",
            "metrics",
            "index", "--check", "--what-if",
        ]
        if example.split(separator: " ").contains(where: { readers.contains(String($0)) }),
            // One session is enough for all examples of a command; with the first comes the key.
            !FileManager.default.fileExists(atPath: world.storePath + ".key")
        {
            _ = try await world.open()
        }
        if example.contains(" settle ") {
            for name in ["R9001-0012.xml", "R9001-0012.xlsx", "R9001-0012.txt"] {
                let source = TutorialTests.root.path + "/Tests/Fixtures/Settlement/" + name
                try? FileManager.default.copyItem(atPath: source, toPath: "\(world.folder)/\(name)")
            }
            // The store has none of these payments.
            return (line, 1)
        }
        if example.contains(/\scheckpoint (list|verify|export)/) {
            let (session, _, _) = try await world.checkpointed()
            if example.contains("proof.json --log case.ndjson") {
                _ = try await world.run("checkpoint", "prove", session, "-o", "proof.json")
                _ = try await world.run("export", session, "-o", "case.ndjson")
            }
        }
        line = line.replacing("/usr/bin/workflowctl", with: Tool.path)
        if example.contains("PUBLICKEY") {
            let list = try await world.run("checkpoint", "list", "--json")
            line = line.replacing("PUBLICKEY", with: try #require(list.json[0]["publicKey"].text))
        }
        guard example.contains("SESSION") else {
            let drives = line.contains(" open ")
            // The store contains nothing of the sort.
            let isMissing = example.contains(/find (order|4761)/)
            return (line + (drives ? " --allow-insecure-loopback" : ""), isMissing ? 1 : 0)
        }
        let methods = [
            "Swish", "CreditCard", "ApplePay", "GooglePay", "Trustly", "Invoice-PayExFinancingSe",
        ]
        let (session, _) = try await world.open(
            SandboxOrder(payerReference: "payer-1", scenario: Scenario(methods: methods))
        )
        line = line.replacing("SESSION", with: session)
        if example.contains(" prove ") { _ = try await world.run("checkpoint", "create") }
        if example.contains(/report .* launched/) {
            let started = try await world.run("attempt", session, "swish", "--json")
            let id = try #require(try started.json["actions"][0]["id"].text)
            return (line.replacing("a-12", with: id) + " --wait 0s --allow-insecure-loopback", 0)
        }
        if example.contains("authorized") {
            let started = try await world.run("attempt", session, "google-pay", "--json")
            _ = try world.write("{}", to: "token.json")
            let id = try #require(try started.json["actions"][0]["id"].text)
            return (line.replacing("a-12", with: id) + " --allow-insecure-loopback", 0)
        }
        if example.contains(" page ") || example.contains("--origin") {
            let shown = try await world.run("menu", session, "--json")
            let id = try #require(try shown.json["actions"][0]["id"].text)
            return (line.replacing("a-12", with: id) + " --allow-insecure-loopback", 0)
        }
        if example.contains("a-12") {
            let started = try await world.run(
                "attempt",
                session,
                "card",
                "--prefill",
                "2",
                "--json"
            )
            let challenge = try started.json["actions"][0]
            _ = try world.write(try await world.bankAnswer(challenge), to: "cres.txt")
            let id = try #require(challenge["id"].text)
            return (line.replacing("a-12", with: id) + " --allow-insecure-loopback", 0)
        }
        if example.contains(/--diff|--at|erase\s|tail SESSION/) {
            _ = try await world.run("abort", session)
        }
        // No failed request can be retried, and no session can be closed.
        let status: Int32 = example.contains(/\s(retry|close)\s/) ? 1 : 0
        let drives = example.contains(/\s(attempt|menu|return|retry|abort|resume)\s/)
        return (line + (drives ? " --allow-insecure-loopback" : ""), status)
    }

    @Test(arguments: commands)
    func `no sentence of the help contains a run of spaces`(command: [String]) async throws {
        let help = try Self.help(of: command)
        #expect(help.contains("USAGE: workflowctl \(command.joined(separator: " "))"))
        for line in help.split(separator: "\n") where !line.hasPrefix(" ") {
            #expect(!line.contains("   "), "\(line)")
        }
    }

    /// Returns the help of a command as the program prints it into a pipe.
    private static func help(of command: [String]) throws -> String {
        var type: any ParsableCommand.Type = Workflowctl.self
        for word in command {
            type = try #require(
                type.configuration.subcommands.first { $0._commandName == word },
                "\(command)"
            )
        }
        let help = Workflowctl.helpMessage(for: type, columns: 80)
        return CommonOptions.shortened(help, for: command)
    }

    @Test func `a command's help describes the common options that mean something to it`() throws {
        let list = try Self.help(of: ["list"])
        #expect(!list.contains("--token-file <file>") && list.contains("--store <url>"))
        #expect(list.contains("Every command also accepts --wait, "))
        let attempt = try Self.help(of: ["attempt"])
        #expect(attempt.contains("--wait <duration>") && attempt.contains("--by <who>"))
        let all = CommonOptions.shortened("  --wait <duration>  Wait.\n", for: ["list", "-v"])
        #expect(all == "  --wait <duration>  Wait.\n")
    }

    @Test func `the program prints the same help as the tests without a process`() async throws {
        let tool = Tool(folder: NSTemporaryDirectory())
        for command in [[], ["open"], ["checkpoint", "create"]] {
            let printed = try await tool.run(command + ["--help"])
            #expect(printed.status == 0)
            #expect(printed.output == (try Self.help(of: command)) + "\n")
        }
    }

    @Test func `completion scripts are generated for bash, zsh and fish`() async throws {
        try await World.with { world in
            let script = try await world.tool.run(["--generate-completion-script", "bash"])
            #expect(script.status == 0)
            for name in ["sandbox", "attempt", "replay", "--allow-insecure-loopback"] {
                #expect(script.output.contains(name))
            }
            let path = try world.write(script.output, to: "completion.bash")
            let checked = try await world.tool.shell("bash -n \(path) && source \(path)")
            #expect(checked.status == 0, "\(checked.diagnostics)")
            for shell in ["zsh", "fish"] {
                let other = try await world.tool.run(["--generate-completion-script", shell])
                #expect(other.status == 0 && other.output.contains("workflowctl"))
            }
        }
    }

    @Test func `options may stand before or after the command`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let before = try await world.tool.run(["--json", "--wait", "1s", "show", session])
            let after = try await world.tool.run(["show", session, "--json", "--wait=1s"])
            #expect(before.status == 0)
            #expect(before.output == after.output)
        }
    }

    @Test(.tags(.repeatedThoroughly))
    func `the program prints the schemas of the project`() async throws {
        try await World.with { world in
            let names = try await world.tool.run(["schema", "--json"])
            try await SchemaCheck.expect(names.output, fits: "cli/schema", in: world)
            #expect(try SchemaCheck.faultsOfSchemas() == [])
            var files: Set<String> = []
            let folder = try #require(FileManager.default.enumerator(atPath: SchemaCheck.folder))
            for case let path as String in folder where path.hasSuffix(".schema.json") {
                files.insert(String(path.dropLast(".schema.json".count)))
            }
            for path in try FileManager.default
                .contentsOfDirectory(atPath: "\(SchemaCheck.folder)/events")
            where path.contains(".v") {
                files.insert("events/\(path.dropLast(".json".count))")
            }
            #expect(Set(try names.json.list.compactMap(\.text)) == files)
            // Each is the text in the program; the program itself prints some, in the thorough tier
            // all.
            for (number, name) in files.sorted().enumerated() {
                let text = try #require(EmbeddedSchemas.documents[name], "\(name)")
                let ending = name.contains(".v") ? "json" : "schema.json"
                let kept = try String(
                    contentsOfFile: "\(SchemaCheck.folder)/\(name).\(ending)",
                    encoding: .utf8
                )
                #expect(try JSON(parsing: text) == JSON(parsing: kept), "\(name)")
                guard Tier.isThorough || number % 20 == 0 else { continue }
                let printed = try await world.tool.run(["schema", name])
                #expect(printed.output == text + "\n")
            }
            // An event's name alone, and with the extension of a file.
            let newest = try await world.tool.run(["schema", "events/failed"])
            let second = try await world.tool.run(["schema", "events/failed.v1.json"])
            #expect(try newest.json == second.json)
            #expect(newest.output.contains("events:failed"))
        }
    }
}
