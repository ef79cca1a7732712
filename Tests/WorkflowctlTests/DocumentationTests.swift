import Foundation
import Testing

/// The documentation contains all parts of the program, and nothing else.
@Suite struct DocumentationTests {
    private static let folder = URL(fileURLWithPath: SchemaCheck.folder)
        .deletingLastPathComponent().appendingPathComponent("Documentation")

    @Test(arguments: ["cli.md", "workflowctl.1"])
    func `every command, option and exit code is documented`(file: String) async throws {
        let text = try String(
            contentsOf: Self.folder.appendingPathComponent(file),
            encoding: .utf8
        ).replacing("\\-", with: "-")
        try await World.with { world in
            let commands = [
                "demo", "sandbox", "open", "attempt", "report", "return", "retry", "abort",
                "resume",
                "list", "show", "log", "replay", "bisect", "fork", "verify", "export", "import",
                "schema",
                "problems", "order", "checkout", "tokens", "checkpoint",
                "erase", "retention", "keys", "explain", "timeline", "find", "tail", "at-risk",
                "stats", "note", "close", "store", "node", "diagram", "report-html", "doctor",
                "metrics", "config",
                "completions", "publish",
            ]
            let root = try await world.tool.run(["--help"])
            for command in commands {
                #expect(root.output.contains("\n  \(command) "))
                #expect(text.contains(command))
                let help = try await world.tool.run([command, "--help"])
                let parameters = ["--version", "--help"]
                for option in help.output.matches(of: /--[a-z-]+/).map({ String($0.output) })
                where !parameters.contains(where: { option.hasPrefix($0) }) {
                    if file == "cli.md" { #expect(text.contains(option), "\(command) \(option)") }
                }
            }
            for command in [
                "problems list", "problems show", "problems lint", "keys list", "keys rotate",
                "keys forget", "store init", "store migrate", "store status", "store copy",
                "store adopt", "store reproject", "store grants", "node list", "config show",
                "config check",
            ] {
                #expect(text.contains(command))
                let words = command.split(separator: " ").map(String.init)
                let help = try await world.tool.run(words + ["--help"])
                for option in help.output.matches(of: /--[a-z-]+/).map({ String($0.output) })
                where option != "--version" && option != "--help" && file == "cli.md" {
                    #expect(text.contains(option), "\(command) \(option)")
                }
            }
            for command in [
                "order create", "order show", "order capture", "order cancel", "order reverse",
                "order abort", "checkout start", "checkout instrument", "checkout native",
                "checkout menu", "checkout callback", "tokens list", "tokens delete",
                "checkpoint create", "checkpoint list", "checkpoint verify", "checkpoint prove",
                "checkpoint export",
            ] {
                let words = command.split(separator: " ").map(String.init)
                #expect(file != "cli.md" || text.contains("`\(command) "), "\(command)")
                #expect(words.allSatisfy { text.contains($0) }, "\(command)")
                let help = try await world.tool.run(words + ["--help"])
                for option in help.output.matches(of: /--[a-z-]+/).map({ String($0.output) })
                where option != "--version" && option != "--help" && file == "cli.md" {
                    #expect(text.contains(option), "\(command) \(option)")
                }
            }
            for code in [0, 1, 64, 65, 66, 69, 70, 75, 77, 78, 130] {
                #expect(text.contains("\(code)"))
            }
        }
    }

    @Test func `the manual page is read by man without a warning`() async throws {
        try await World.with { world in
            let page = Self.folder.appendingPathComponent("workflowctl.1").path
            // Debian's check of manual pages; a deliberate error must be detected.
            let check =
                "LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "
            let sound = try await world.tool.shell(check + "'\(page)' > page.txt")
            #expect(sound.status == 0 && sound.diagnostics.isEmpty, "\(sound.diagnostics)")
            let wrong = try world.write(".TH X 1\n.SH NAME\nx \\- y\n.de Q\n.unknown\n", to: "x.1")
            let noticed = try await world.tool.shell(check + wrong + " > page.txt")
            #expect(!noticed.diagnostics.isEmpty)
        }
    }
}
