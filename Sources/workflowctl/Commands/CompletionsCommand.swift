internal import ArgumentParser

/// `completions`: prints the completion script of a shell.
struct CompletionsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the script by which a shell completes commands.",
        discussion: """
            For bash, zsh or fish. Besides commands and options it completes the identities of sessions, which it has \
            from the store: the newest first, and nothing else of them.

            Examples:
              workflowctl completions bash > workflowctl.bash
              workflowctl completions zsh > _workflowctl
              workflowctl completions fish > workflowctl.fish
            """
    )

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "shell"))
    var shell: Shell

    @OptionGroup var global: GlobalOptions

    /// A shell.
    enum Shell: String, CaseIterable, ExpressibleByArgument, Sendable {
        case bash, zsh, fish

        /// The shell as a value of the argument parser.
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
