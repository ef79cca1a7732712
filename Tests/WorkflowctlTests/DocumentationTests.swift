import Foundation
import Testing

@testable import workflowctl

/// The documentation contains all parts of the program, and nothing else.
@Suite struct DocumentationTests {
    private static let folder = URL(fileURLWithPath: SchemaCheck.folder)
        .deletingLastPathComponent().appendingPathComponent("Documentation")

    /// A command of the program with its long options, as its parser describes it.
    private struct Described {
        var name: String
        var options: [String]
    }

    /// Returns the commands below one.
    private static func described(_ command: JSON, under words: [String] = []) -> [Described] {
        command["subcommands"].list.flatMap { part -> [Described] in
            let words = words + [part["commandName"].text ?? ""]
            let names = part["arguments"].list.flatMap { $0["names"].list }
            let options = names.filter { $0["kind"].text == "long" }.compactMap { $0["name"].text }
            let own = Described(name: words.joined(separator: " "), options: options)
            return [own] + described(part, under: words)
        }
    }

    @Test func `every command, option and exit code is documented`() async throws {
        let text = try String(
            contentsOf: Self.folder.appendingPathComponent("cli.md"),
            encoding: .utf8
        )
        let options = Set(text.matches(of: /--[a-z0-9-]+/).map { String($0.output) })
        try await World.with { world in
            let help = try await world.tool.run(["--experimental-dump-help"])
            let commands = Self.described(try help.json["command"]).filter { $0.name != "help" }
            #expect(commands.count > 80)
            for command in commands {
                // What a command's name follows and precedes where it is described.
                let isDescribed = ["`", "workflowctl "].contains { start in
                    [" ", "`"].contains { text.contains(start + command.name + $0) }
                }
                #expect(isDescribed, "\(command.name)")
                for option in command.options where option != "help" {
                    #expect(options.contains("--" + option), "\(command.name) --\(option)")
                }
            }
        }
        let codes = (Int32(0)...255).compactMap { workflowctl.ExitStatus(rawValue: $0)?.rawValue }
        #expect(codes.count > 10)
        for code in codes {
            #expect(text.contains("\n| \(code) | "), "\(code)")
        }
    }

    @Test func `man formats the manual page, which is made from cli.md, without a warning`()
        async throws
    {
        try await World.with { world in
            let script = Self.folder.deletingLastPathComponent()
                .appendingPathComponent("scripts/make-manual").path
            // Debian's check of manual pages; a deliberate error must be detected.
            let check =
                "LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "
            let page = try world.write("", to: "workflowctl.1")
            let sound = try await world.tool.shell(
                "'\(script)' > '\(page)' && \(check) '\(page)' > page.txt"
            )
            #expect(sound.status == 0 && sound.diagnostics.isEmpty, "\(sound.diagnostics)")
            let text = try String(contentsOfFile: page, encoding: .utf8)
            let chapters = try String(
                contentsOf: Self.folder.appendingPathComponent("cli.md"),
                encoding: .utf8
            ).matches(of: /\n## (.+)/).map { ".SH \($0.1.uppercased())\n" }
            #expect(chapters.count > 10)
            for part in chapters + [
                ".SH SERVICE\n", ".SS Naming a session\n", ".TP\n\\fB\\-\\-json\\fR\nDefault: off.",
                ".TP\n130\n", ".IP \\(bu 2\n", ".nf\n\\&workflowctl demo \\-\\-store ",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("](") && !text.contains("`"))
            let wrong = try world.write(".TH X 1\n.SH NAME\nx \\- y\n.de Q\n.unknown\n", to: "x.1")
            let noticed = try await world.tool.shell(check + wrong + " > page.txt")
            #expect(!noticed.diagnostics.isEmpty)
        }
    }
}
