internal import ArgumentParser
internal import Inspection

/// Suggests the command that was probably meant by a mistyped one.
enum Suggestion {
    /// Returns the hint for arguments that begin with no command; `nil` when no command is similar.
    static func hint(for arguments: [String]) -> String? { unknownCommand(in: arguments)?.hint }

    /// Returns the words in place of a command that does not exist, with the hint if a command is
    /// similar; `nil` when the arguments begin with a command.
    static func unknownCommand(in arguments: [String]) -> (words: String, hint: String?)? {
        var path: [String] = []
        var commands = subcommands(of: Workflowctl.configuration)
        for word in ArgumentOrder.commandFirst(arguments) {
            guard !word.hasPrefix("-"), word != "help", !commands.isEmpty else { return nil }
            if let known = commands[word] {
                path.append(word)
                commands = subcommands(of: known)
                continue
            }
            let hint = Spelling.nearest(to: word, among: commands.keys.sorted()).map {
                "did you mean 'workflowctl \((path + [$0]).joined(separator: " "))'?"
            }
            return ((path + [word]).joined(separator: " "), hint)
        }
        return nil
    }

    /// Returns the commands within a command by name, including those in groups.
    private static func subcommands(
        of command: CommandConfiguration
    ) -> [String: CommandConfiguration] {
        var found: [String: CommandConfiguration] = [:]
        for type in command.subcommands {
            let configuration = type.configuration
            if let name = configuration.commandName { found[name] = configuration }
        }
        return found
    }
}
