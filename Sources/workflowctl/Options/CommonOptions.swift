internal import ArgumentParser
internal import EventLog
internal import Inspection

/// The help of a command, in which the common options that mean little to it are only named.
enum CommonOptions {
    /// Returns the help with the common options that mean something to the command; `--verbose`
    /// shows all of them.
    ///
    /// - Parameters:
    ///   - help: The help, as the argument parser prints it.
    ///   - arguments: The arguments of the program.
    /// - Returns: The help.
    static func shortened(_ help: String, for arguments: [String]) -> String {
        guard !arguments.contains("--verbose"), !arguments.contains("-v"),
            let command = command(of: arguments)
        else { return help }
        let meant = options(of: command)
        var (lines, left, isLeft): ([Substring], [String], Bool) = ([], [], false)
        for line in help.pieces(between: "\n", omittingEmptySubsequences: false) {
            let name = line.hasPrefix("  -") ? name(in: line) : nil
            if let name {
                isLeft = isCommon(name) && !meant.contains(name)
                if isLeft { left.append(name) }
            } else if !line.hasPrefix("     ") {
                isLeft = false
            }
            if !isLeft { lines.append(line) }
        }
        guard !left.isEmpty else { return help }
        let rest = Screen.wrapped(
            "Every command also accepts \(left.joined(separator: ", ")); --help --verbose "
                + "describes them.",
            to: 80
        )
        while lines.last?.isEmpty == true { lines.removeLast() }
        return (lines.map(String.init) + [""] + rest).joined(separator: "\n") + "\n"
    }

    /// The command whose help was requested.
    private static func command(of arguments: [String]) -> (any Command.Type)? {
        var type: any ParsableCommand.Type = Workflowctl.self
        for word in arguments where word != "help" {
            type = type.configuration.subcommands.first { $0._commandName == word } ?? type
        }
        return type as? any Command.Type
    }

    /// The long name of an option in a line of the help.
    private static func name(in line: Substring) -> String? {
        line.pieces(between: " ").first { $0.hasPrefix("--") }.map(String.init)
    }

    private static func isCommon(_ name: String) -> Bool {
        name != "--until"
            && (GlobalOptions.withValue.contains(name) || GlobalOptions.withoutValue.contains(name))
    }

    /// The common options that mean something to a command.
    private static func options(of command: any Command.Type) -> Set<String> {
        var names: Set<String> = ["--store", "--json", "--config"]
        if command.mayReveal, command is any SessionCommand.Type { names.insert("--reveal") }
        if command is any SessionCommand.Type { names.formUnion(["--server", "--token-file"]) }
        if command is any DrivingCommand.Type {
            names.formUnion([
                "--server", "--wait", "--allow-insecure-loopback", "--token-file", "--headers-file",
                "--by",
                "--reason",
            ])
        }
        return names.union(command.commonOptions)
    }
}
