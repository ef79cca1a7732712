internal import ArgumentParser

/// `completions`: prints a shell's completion script.
struct CompletionsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a shell completion script.",
        discussion: """
            Supports bash, zsh and fish. Completes commands, options, and the ids and references \
            of the newest sessions in the store. No other session data is read.

            Examples:
              workflowctl completions bash > workflowctl.bash
              workflowctl completions zsh > _workflowctl
              workflowctl completions fish > workflowctl.fish
            """
    )

    @Argument(help: ArgumentHelp("The shell: bash, zsh or fish.", valueName: "shell"))
    var shell: Shell

    @OptionGroup var global: GlobalOptions

    enum Shell: String, CaseIterable, ExpressibleByArgument, Sendable {
        case bash, zsh, fish

        /// The shell as the argument parser names it.
        fileprivate var parsed: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        invocation.print(Workflowctl.completionScript(for: shell.parsed))
        return .done
    }
}
