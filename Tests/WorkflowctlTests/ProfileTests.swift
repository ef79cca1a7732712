import Foundation
import Testing

@testable import Sandbox

/// The configuration file, its profiles, and the precedence of settings.
@Suite struct ProfileTests {
    private static let file = """
        {
          "store": "sqlite:common.db",
          "limits": {"request": "5s", "tries": 3},
          "profiles": {
            "test": {"store": "sqlite:test.db"},
            "live": {"store": "sqlite:live.db", "limits": {"tries": 9}}
          }
        }
        """

    /// Returns the store that a command used and where it was named, as `doctor` reports it.
    private func store(_ tool: Tool, _ arguments: String...) async throws -> String {
        let result = try await tool.run(["doctor", "--json"] + arguments)
        return try result.json["checks"].list.first { $0["check"].text == "store" }?["finding"]
            .text ?? result.diagnostics
    }

    private func configuration(_ tool: Tool, _ arguments: String...) async throws -> String {
        let result = try await tool.run(["doctor", "--json"] + arguments)
        return try result.json["checks"].list.first { $0["check"].text == "configuration" }?[
            "finding"
        ].text ?? result.diagnostics
    }

    @Test func `the command line takes precedence over the environment, and both over the file`()
        async throws
    {
        try await World.with { world in
            var tool = world.tool
            tool.environment["WORKFLOWCTL_STORE"] = nil
            let config = try world.write(Self.file, to: "config.json")
            for name in ["common", "test", "live", "named", "typed"] {
                let made = try await tool.run(["store", "init", "--store", "sqlite:\(name).db"])
                #expect(made.status == 0, "\(made.diagnostics)")
            }
            let given = ["--config", config]
            #expect(try await tool.run(["list"] + given).status == 0)
            #expect(
                try await store(tool, given[0], given[1]).hasPrefix(
                    "sqlite:common.db, from the configuration"
                )
            )
            tool.environment["WORKFLOWCTL_CONFIG"] = config
            #expect(
                try await store(tool, "--profile", "live").hasPrefix(
                    "sqlite:live.db, from profile live"
                )
            )
            tool.environment["WORKFLOWCTL_PROFILE"] = "test"
            #expect(try await store(tool).hasPrefix("sqlite:test.db"))
            #expect(try await store(tool, "--profile", "live").hasPrefix("sqlite:live.db"))
            // The variable takes precedence over a profile from another variable, but not over one
            // from the command line.
            tool.environment["WORKFLOWCTL_STORE"] = "sqlite:named.db"
            #expect(try await store(tool).hasPrefix("sqlite:named.db, from WORKFLOWCTL_STORE"))
            #expect(try await store(tool, "--profile", "live").hasPrefix("sqlite:live.db"))
            let typed = try await store(tool, "--profile", "live", "--store", "sqlite:typed.db")
            #expect(typed.hasPrefix("sqlite:typed.db, from the command line"))
            let told = try await configuration(tool, "--profile", "live")
            #expect(
                told
                    == "\(config), from WORKFLOWCTL_CONFIG, is valid; profile live of live, test"
            )
        }
    }

    @Test func `the user's own configuration is used when no other is named`() async throws {
        try await World.with { world in
            var tool = world.tool
            tool.environment["WORKFLOWCTL_STORE"] = nil
            tool.environment["HOME"] = world.folder
            #expect(try await configuration(tool) == "no file; the defaults are used")
            let folder = world.folder + "/.config/workflowctl"
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            _ = try world.write(Self.file, to: ".config/workflowctl/config.json")
            #expect(try await configuration(tool).contains("from the default path"))
            _ = try await tool.run(["store", "init", "--profile", "live"])
            #expect(FileManager.default.fileExists(atPath: world.folder + "/live.db"))
            tool.environment["XDG_CONFIG_HOME"] = world.folder + "/elsewhere"
            #expect(try await configuration(tool) == "no file; the defaults are used")
        }
    }

    @Test func `a profile overrides the common part member by member`() async throws {
        try await World.with { world in
            let text = #"""
                {"audit": {"recordReveal": true}, "keys": {"file": "none.key"},
                 "profiles": {"strict": {"audit": {"requireReason": true}, "keys": {"command": "cat payments.db.key"}}}}
                """#
            let (session, _) = try await world.open()
            let path = try world.write(text, to: "config.json")
            #expect(try await world.tool.shell("chmod 600 config.json").status == 0)
            let common = try await world.run("show", session, "--reveal", "--config", path)
            #expect(common.status == 78, "the common part's key file is not there")
            let strict = ["--config", path, "--profile", "strict"]
            let unexplained = try await world.tool.run(["show", session, "--reveal"] + strict)
            #expect(
                unexplained.diagnostics.contains("[session.reason-missing]")
                    || unexplained.status == 64
            )
            let shown = try await world.tool.run(
                ["show", session, "--reveal", "--reason", "case 9", "--by", "anna"] + strict
            )
            #expect(shown.status == 0, "\(shown.diagnostics)")
            let log = try await world.run("log", session, "--type", "operatorActed")
            #expect(log.output.contains("reveal"), "recordReveal of the common part still counts")
        }
    }

    @Test func `an unknown profile is refused with the names of the existing ones`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(Self.file, to: "config.json")
            let typed = try await world.run("list", "--config", path, "--profile", "liev")
            #expect(typed.status == 64)
            #expect(typed.diagnostics.contains("[configuration.unknown-profile]"))
            #expect(
                typed.diagnostics.contains("did you mean 'live'? the configuration has live, test")
            )
            var tool = world.tool
            tool.environment["WORKFLOWCTL_PROFILE"] = "other"
            let named = try await tool.run(["list", "--config", path])
            #expect(
                named.status == 78 && named.diagnostics.contains("the configuration has live, test")
            )
            let nowhere = try await tool.run(["list"])
            #expect(nowhere.status == 78 && nowhere.diagnostics.contains("--config FILE"))
        }
    }

    @Test(arguments: [
        (#"{"profiles": []}"#, "must be a JSON object"),
        (#"{"profiles": {"a b": {}}}"#, "name"),
        (#"{"profiles": {"a": {"profiles": {}}}}"#, "cannot contain profiles"),
        (#"{"profiles": {"a": {"nonsense": 1}}}"#, "nonsense"),
        (#"{"profiles": {"a": {"store": 1}}}"#, "store must be a string"),
    ])
    func `a malformed profile is refused with what is wrong in it`(
        _ text: String,
        _ words: String
    ) async throws {
        try await World.with { world in
            let path = try world.write(text, to: "config.json")
            let result = try await world.run("list", "--config", path, "--profile", "a")
            #expect(result.status == 78)
            #expect(result.diagnostics.contains("[configuration.malformed]"))
            #expect(result.diagnostics.contains(words), "\(result.diagnostics)")
        }
    }

    @Test func `a configuration with a secret must be private, and none may be writable by others`()
        async throws
    {
        try await World.with { world in
            let password = "Zq8-not-for-others"
            let secret = """
                {"profiles": {"live": {"store": "postgres://support:\(password)@127.0.0.1:9/payments"}}}
                """
            let path = try world.write(secret, to: "config.json")
            #expect(try await world.tool.shell("chmod 640 config.json").status == 0)
            let refused = try await world.run("list", "--config", path)
            #expect(refused.status == 78)
            #expect(refused.diagnostics.contains("[configuration.insecure-permissions]"))
            #expect(try await world.tool.shell("chmod 600 config.json").status == 0)
            let taken = try await world.run("doctor", "--config", path, "--profile", "live")
            #expect(!(taken.output + taken.diagnostics).contains(password))
            #expect(taken.output.contains("is valid"))
            let command = try world.write(
                #"{"keys": {"command": "cat payments.db.key"}}"#,
                to: "command.json"
            )
            #expect(try await world.tool.shell("chmod 664 command.json").status == 0)
            #expect(try await world.run("list", "--config", command).status == 78)
            let harmless = try world.write(#"{"limits": {"tries": 3}}"#, to: "harmless.json")
            #expect(try await world.tool.shell("chmod 664 harmless.json").status == 0)
            _ = try await world.open()
            #expect(try await world.run("list", "--config", harmless).status == 78)
            let checked = try await world.run("doctor", "--config", harmless)
            #expect(checked.output.contains("is writable by others"))
        }
    }

    @Test func `suggested commands keep the profile, and completion offers its sessions`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(Self.file, to: "config.json")
            var tool = world.tool
            tool.environment["WORKFLOWCTL_STORE"] = nil
            let order = try await world.sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
            let opened = try await tool.run([
                "open", order.sessionURL, "--allow-insecure-loopback", "--config", path,
                "--profile", "live",
            ])
            #expect(opened.status == 0, "\(opened.diagnostics)")
            #expect(opened.output.contains("--profile live"))
            let list = try await tool.run([
                "list", "--json", "--config", path, "--profile", "live",
            ])
            let session = try #require(try list.json[0]["session"].text)
            let offered = try await tool.run([
                "---completion", "show", "--", "positional@0", "6", "0", "workflowctl", "show",
                "--config", path, "--profile=live", "",
            ])
            #expect(offered.output == session + "\n")
        }
    }
}
