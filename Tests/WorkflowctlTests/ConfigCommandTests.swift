import ArgumentParser
import EventLog
import Foundation
import TestSupport
import Testing

@testable import workflowctl

/// `workflowctl config`, and which configuration file is used.
@Suite(.feature("S-15")) struct ConfigCommandTests {
    @Test(
        arguments: [
            (#"{"limts":{}}"#, "'limts', did you mean 'limits'?"),
            (#"{"limits":{"tries":0}}"#, "limits.tries must be positive"),
            (#"{"limits":{"trys":1}}"#, "unknown member 'limits.trys'"),
            (#"{"limits":7}"#, "limits must be a JSON object"),
            (#"{"allowedHosts":["a",7]}"#, "allowedHosts[1] must be a string without line breaks"),
            (
                #"{"profiles":{"live":{"client":{"screenWidth":"x"}}}}"#,
                "profiles.live.client.screenWidth"
            ),
            (
                #"{"profiles":{"live":{"store":"nonsense"}}}"#,
                "profiles.live.store: invalid store: neither sqlite:PATH nor postgres://USER@HOST"
            ),
            (
                #"{"profiles":{"live":{"retention":{"period":"1m"}}}}"#,
                "profiles.live.retention.period"
            ),
            (
                #"{"profiles":{"live":{"keys":{"command":"a","file":"b"}}}}"#,
                "profiles.live.keys has both a command"
            ),
            (#"{"recovery":{"tries":-1}}"#, "recovery.tries must not be negative"),
            (
                #"{"audit":{"requireReason":"yes"}}"#,
                "audit.requireReason must be true or false"
            ),
        ]
    )
    func `a configuration error names the path of the member`(
        document: String,
        words: String
    ) async throws {
        try await World.with { world in
            let path = try world.write(document, to: "config.json")
            let checked = try await world.run("config", "check", path)
            #expect(checked.status == 78)
            #expect(checked.diagnostics.contains(words), "\(checked.diagnostics)")
            #expect(checked.diagnostics.contains("[configuration.malformed]"))
            #expect(checked.diagnostics.contains("workflowctl schema configuration"))
            // It is the command that others name.
            #expect(!checked.diagnostics.contains("config check"), "\(checked.diagnostics)")
        }
    }

    @Test func `a configuration that is not JSON is refused with the line and column`()
        async throws
    {
        try await World.with { world in
            let path = try world.write("{\n  \"store\": \"sqlite:x.db\",\n}\n", to: "config.json")
            for command in [["config", "check", path], ["list", "--config", path]] {
                let refused = try await world.tool.run(command)
                #expect(refused.status == 78)
                let words = "it is not valid JSON at line 3, column 1 [configuration.malformed]"
                #expect(refused.diagnostics.contains(words), "\(refused.diagnostics)")
                let isNamed = refused.diagnostics.contains("'workflowctl config check'")
                #expect(isNamed == (command[0] == "list"), "\(refused.diagnostics)")
            }
        }
    }

    @Test func `a configuration in another encoding is refused as such`() {
        let bytes = Array("{\"proxy\": \"".utf8) + [0xE5] + Array("\"}".utf8)
        #expect {
            try ConfigurationReader().document(bytes)
        } throws: {
            "\($0)".contains("it is not valid JSON: it is not UTF-8 JSON")
        }
    }

    @Test(
        arguments: [
            ("{\"limits\": {\"tries\": 3}", 1, 24), ("{\n  'store': 1}", 2, 3),
            ("{\"a\": 1 \"b\": 2}", 1, 9), ("{\"å\": [1, 2,]}", 1, 13),
            ("{\n// why\n}", 2, 1), ("", 1, 1), ("{\"a\": \"b\nc\"}", 1, 9), ("{}\n{}", 2, 1),
            ("{\"a\": treu}", 1, 7), ("{\"a\" 1}", 1, 6), ("{\"a\": \"\\x\"}", 1, 8),
            ("[\"\\n\n\"]", 1, 5), ("[\"\\u12\"]", 1, 3), ("[01]", 1, 3), ("[\"\\n\\q\"]", 1, 5),
        ]
    )
    func `the place at which text is not JSON is found`(
        document: String,
        line: Int,
        column: Int
    ) {
        let bytes = Array(document.utf8)
        let error = #expect(throws: EventDecodingError.self) { try JSONValue(parsing: bytes) }
        guard case .malformed(let offset?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let place = TextPlace(of: offset, in: bytes)
        #expect(place.line == line && place.column == column, "\(place)")
    }

    @Test func `config check tells apart a valid file, a missing one and no file at all`()
        async throws
    {
        try await World.with { world in
            let path = try world.write(
                #"{"profiles":{"a":{},"b":{"limits":{"tries":2}}}}"#,
                to: "c.json"
            )
            let sound = try await world.run("config", "check", path)
            #expect(sound.status == 0)
            #expect(sound.output.contains("is valid; profiles: a, b"))
            let document = try await world.run("config", "check", "--config", path, "--json")
            try await SchemaCheck.expect(document.output, fits: "cli/config-check", in: world)
            let none = try await world.run("config", "check")
            #expect(none.status == 66)
            #expect(none.diagnostics.contains("[configuration.none]"))
            #expect(try await world.run("config", "check", "no-such-file.json").status == 78)
        }
    }

    @Test(.feature("S-16"))
    func `config show names the source of every value and masks secrets`() async throws {
        try await World.with { world in
            let text = """
                {"store":"postgres://u:hunter2@h/common","proxy":"http://u:hunter2@proxy:1","limits":{"tries":3},
                 "keys":{"command":"echo hunter2"},
                 "profiles":{"live":{"store":"postgres://u:hunter2@h/live","limits":{"attempts":9},"keys":{"file":"k"}}}}
                """
            let path = try world.write(text, to: "config.json")
            _ = try await world.tool.shell("chmod 600 config.json")
            var tool = world.tool
            tool.environment["WORKFLOWCTL_STORE"] = nil
            tool.environment["WORKFLOWCTL_TOKEN_FILE"] = "token"
            func settings(_ more: String...) async throws -> [String: JSON] {
                let shown = try await tool.run(
                    ["config", "show", "--json", "--config", path] + more
                )
                #expect(shown.status == 0, "\(shown.diagnostics)")
                #expect(!(shown.output + shown.diagnostics).contains("hunter2"))
                try await SchemaCheck.expect(shown.output, fits: "cli/config-show", in: world)
                let list = try shown.json["settings"].list
                return Dictionary(uniqueKeysWithValues: list.map { ($0["member"].text ?? "", $0) })
            }
            func said(_ setting: JSON?) -> [String?] {
                [setting?["value"].text, setting?["source"].text, setting?["from"].text]
            }
            let common = try await settings()
            #expect(said(common["store"]) == ["postgres://h/common", "file", "store"])
            #expect(said(common["proxy"]) == ["•••", "file", "proxy"])
            #expect(said(common["keys.command"]) == ["•••", "file", "keys.command"])
            #expect(said(common["keys.file"]) == [nil, "default", nil])
            #expect(
                said(common["tokenFile"]) == ["token", "environment", "WORKFLOWCTL_TOKEN_FILE"]
            )
            #expect(said(common["limits.request"]) == ["10s", "default", nil])
            let live = try await settings("--profile", "live", "--token-file", "other")
            #expect(said(live["store"]) == ["postgres://h/live", "file", "profiles.live.store"])
            #expect(
                said(live["limits.attempts"])[1...] == ["file", "profiles.live.limits.attempts"]
            )
            #expect(said(live["limits.tries"])[1...] == ["file", "limits.tries"])
            #expect(said(live["keys.command"]) == [nil, "default", nil])
            #expect(said(live["keys.file"]) == ["k", "file", "profiles.live.keys.file"])
            #expect(said(live["tokenFile"]) == ["other", "option", "--token-file"])
            tool.environment["WORKFLOWCTL_STORE"] = "sqlite:here.db"
            let named = try await settings()
            #expect(said(named["store"]) == ["sqlite:here.db", "environment", "WORKFLOWCTL_STORE"])
            let typed = try await settings(
                "--key-command",
                "echo hunter2",
                "--store",
                "sqlite:t.db"
            )
            #expect(said(typed["keys.command"]) == ["•••", "option", "--key-command"])
            #expect(said(typed["store"]) == ["sqlite:t.db", "option", "--store"])
        }
    }

    /// Returns the lines that do not begin with a text.
    private static func lines(_ lines: [String], without beginning: String) -> [String] {
        lines.filter { !$0.hasPrefix(beginning) }
    }

    @Test func `on a terminal of 80 columns, config show stays a table and wraps long values`()
        async throws
    {
        try await World.with { world in
            let text =
                #"{"profiles":{"live":{"limits":{"tries":2}}},"client":{"language":"fi-FI"}}"#
            let path = try world.write(text, to: "c.json")
            let shown = "config show --config \(path) --profile live --token-file token"
            let lines = try await world.tool.lines(shown)
            #expect(lines.filter { $0.hasPrefix("MEMBER") }.count == 1, "\(lines)")
            // The file's name is a line of its own, on standard error.
            let rows = Self.lines(lines, without: path)
            #expect(rows.filter { $0.count > 80 } == [])
            func row(_ member: String) -> Substring {
                rows.first { $0.hasPrefix(member + " ") }.map { $0[...] } ?? ""
            }
            #expect(row("store").hasSuffix("  WORKFLOWCTL_STORE"), "\(lines)")
            #expect(row("tokenFile").hasSuffix("  --token-file"))
            #expect(row("client.language").hasSuffix("  file"))
            #expect(row("limits.tries").hasSuffix("  file, profiles.live"))
            #expect(row("limits.attempts").hasSuffix("  default"))
            // The end of a long value is on a line of its own.
            #expect(row("client.acceptHeader").contains("text/html,"))
            #expect(rows.contains { $0.hasPrefix("  ") && $0.hasSuffix("q=0.8") }, "\(lines)")
            let piped = try await world.tool.run(["config", "show"])
            #expect(piped.output.hasPrefix("member\tvalue\tsource\tfrom\nstore\t"))
        }
    }

    @Test
    func `the file of --config comes first, then the environment, the user's and the system's`()
        async throws
    {
        try await World.with { world in
            let folder = world.folder + "/.config/workflowctl"
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            for name in ["typed", "named", "system", ".config/workflowctl/config"] {
                _ = try world.write(#"{"callbackScheme":"lamp"}"#, to: name + ".json")
            }
            let system = world.folder + "/system.json"
            func place(_ arguments: [String], _ environment: [String: String]) throws -> String? {
                let options = try GlobalOptions.parse(arguments)
                return try ConfigurationFile.read(
                    options,
                    environment: environment,
                    system: system
                ).place?.path
            }
            let home = ["HOME": world.folder]
            let named = home.merging(["WORKFLOWCTL_CONFIG": world.folder + "/named.json"]) { $1 }
            let typed = world.folder + "/typed.json"
            #expect(try place(["--config", typed], named) == typed)
            #expect(try place([], named) == world.folder + "/named.json")
            #expect(try place([], home) == folder + "/config.json")
            #expect(try place([], [:]) == system)
            #expect(try place([], ["HOME": world.folder + "/elsewhere"]) == system)
            try FileManager.default.removeItem(atPath: system)
            #expect(try place([], [:]) == nil)
            #expect(ConfigurationFile.systemPath == "/etc/workflowctl/config.json")
        }
    }
}
