import Adapters
import Foundation
import TestSupport
import Testing

@testable import Sandbox
@testable import workflowctl

/// Completions, tested in the shells themselves.
@Suite struct CompletionTests {
    /// Returns bash's completions for lines with the cursor at the end of each.
    private func bash(_ lines: [String], _ world: World) async throws -> [[String]] {
        // The script is large: one shell reads it for all lines.
        let script = """
            source <(workflowctl completions bash)
            while IFS= read -r COMP_LINE; do
            COMP_POINT=${#COMP_LINE}
            read -r -a COMP_WORDS <<< "$COMP_LINE"
            [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMPREPLY=()
            _workflowctl workflowctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}" END
            done
            """
        let result = try await world.tool.shell(script, input: lines.joined(separator: "\n") + "\n")
        #expect(result.status == 0, "\(result.diagnostics)")
        let told = result.output.split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let each = told.split(separator: "END", omittingEmptySubsequences: false).map(Array.init)
        try #require(each.count == lines.count + 1, "\(told)")
        return each.dropLast()
    }

    @Test func `bash offers commands, options and the sessions of the store`() async throws {
        try await World.with { world in
            let (first, _) = try await world.open()
            let (second, _) = try await world.open()
            _ = try world.write("", to: "kept.ndjson")
            let offered = try await bash(
                [
                    "workflowctl rep", "workflowctl show --js", "workflowctl show ",
                    "workflowctl show \(first.prefix(35))", "workflowctl show zz",
                    "workflowctl diagram ", "workflowctl diagram kep",
                    "workflowctl show --store sqlite:other.db ",
                ],
                world
            )
            #expect(offered[0].contains("report-html"))
            #expect(offered[1] == ["--json"])
            #expect(Set(offered[2]).isSuperset(of: [first, second]))
            #expect(offered[3].contains(first))
            #expect(offered[4] == [])
            #expect(offered[5].contains(first) && offered[5].contains("kept.ndjson"))
            #expect(offered[6] == ["kept.ndjson"])
            #expect(!offered[7].contains(first))
        }
    }

    @Test func `completion offers only session names, and a missing store is no error`()
        async throws
    {
        try await World.with { world in
            let (session, created) = try await world.open(SandboxOrder(), "--reference", "order-1")
            let (twin, _) = try await world.open(SandboxOrder(), "--reference", "twice")
            let (other, _) = try await world.open(SandboxOrder(), "--reference", "twice")
            let (odd, _) = try await world.open(SandboxOrder(), "--reference", "a b;$(rm x)")
            let ask = [
                "---completion", "show", "--", "positional@0", "2", "0", "workflowctl", "show", "",
            ]
            let offered = try await world.tool.run(ask)
            #expect(offered.status == 0)
            let names = [odd, other, twin, session, "order-1"]
            #expect(offered.output == names.map { $0 + "\n" }.joined())
            #expect(!offered.output.contains(created.sessionURL))
            _ = try await world.tool.shell("rm payments.db*")
            let none = try await world.tool.run(ask)
            #expect(none.status == 0 && none.diagnostics.isEmpty)
            #expect(none.output.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: world.storePath))
        }
    }

    /// fish provides its command line to such a function only in interactive use.
    @Test func `fish and zsh complete the sessions of the store interactively`() async throws {
        try await World.with { world in
            let (session, _) = try await world.open()
            let type = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Tools/type_tab.py").path
            let line = "workflowctl show \(session.prefix(20))"
            _ = try world.write(
                """
                workflowctl completions fish | source
                function fish_prompt; echo -n 'READY '; end
                """,
                to: "fish.fish"
            )
            let zsh = """
                fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PS1='READY '
                """
            _ = try world.write(zsh, to: ".zshrc")
            var tool = world.tool
            tool.environment["TERM"] = "xterm"
            tool.environment["HOME"] = world.folder
            tool.environment["ZDOTDIR"] = world.folder
            for shell in [
                "fish --no-config --interactive --init-command 'source fish.fish'",
                "sh -c 'workflowctl completions zsh > _workflowctl; exec zsh -i'",
            ] {
                let typed = try await tool.shell(
                    "python3 \(type) '\(line)' '\(session)' \(shell)"
                )
                #expect(typed.status == 0, "\(shell): \(typed.diagnostics)")
            }
        }
    }

    /// The scripts themselves, without interactive use.
    @Test(.tags(.thorough))
    func `fish and zsh load the completion script, and fish offers its commands`()
        async throws
    {
        try await World.with { world in
            let fish = try await world.tool.shell(
                "fish --no-config -c 'workflowctl completions fish | source; "
                    + "complete -C \"workflowctl report-h\"'"
            )
            #expect(fish.status == 0 && fish.diagnostics.isEmpty, "\(fish.diagnostics)")
            #expect(fish.output.hasPrefix("report-html\t"))
            let zsh = try await world.tool.shell(
                """
                workflowctl completions zsh > _workflowctl && zsh -f -n _workflowctl
                zsh -f -c 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; \
                print -r -- ${_comps[workflowctl]}; autoload +X _workflowctl'
                """
            )
            #expect(zsh.status == 0 && zsh.diagnostics.isEmpty, "\(zsh.diagnostics)")
            #expect(zsh.output == "_workflowctl\n")
            #expect(try await world.tool.run(["completions", "tcsh"]).status == 64)
        }
    }

    @Test(
        arguments: [
            (["shwo", "ID"], "show"), (["lst"], "list"), (["verfy"], "verify"),
            (["--json", "digram"], "diagram"), (["keys", "rotat"], "keys rotate"),
            (["report-htm"], "report-html"),
        ]
    )
    func `a mistyped command is refused with a suggestion of the right one`(
        arguments: [String],
        meant: String
    ) async throws {
        #expect(Suggestion.hint(for: arguments) == "did you mean 'workflowctl \(meant)'?")
        let tool = Tool(folder: NSTemporaryDirectory())
        let result = try await tool.run(arguments)
        #expect(result.status == 64)
        #expect(result.diagnostics.contains("hint: did you mean 'workflowctl \(meant)'?"))
        let words = try #require(Suggestion.unknownCommand(in: arguments)?.words)
        #expect(result.diagnostics.contains("error: there is no command '\(words)' ["))
    }

    @Test(arguments: [["xyzzy"], ["show", "shwo"], ["https://api.payex.com/shwo"], []])
    func `where nothing is similar nothing is suggested`(arguments: [String]) {
        #expect(Suggestion.hint(for: arguments) == nil)
    }

    @Test func `a text that may be secret is not repeated as a command that does not exist`()
        async throws
    {
        let secret = "https://api.payex.com/psp/paymentsessions/verysecret"
        let tool = Tool(folder: NSTemporaryDirectory())
        let result = try await tool.run([secret])
        #expect(result.status == 64)
        #expect(result.diagnostics.contains("there is no command"))
        #expect(!result.diagnostics.contains("verysecret"))
        let known = try await tool.run(["list", "--limit", "none"])
        #expect(known.status == 64 && !known.diagnostics.contains("there is no command"))
    }

    @Test func `workflowctl --version prints the version, then the libraries and the store schema`()
        async throws
    {
        let result = try await Tool(folder: NSTemporaryDirectory()).run(["--version"])
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "workflowctl \(Build.version)")
        #expect(result.output.contains("libcurl/") && result.output.contains("sqlite/3."))
        let schemas = StoreKinds.all.map { "\($0.schema) (\($0.title))" }
        #expect(result.output.contains("store schema " + schemas.joined(separator: ", ")))
    }
}
