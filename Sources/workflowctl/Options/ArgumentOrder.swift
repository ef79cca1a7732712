internal import ArgumentParser

/// Moves options that precede a command behind its name, where the parser expects them.
enum ArgumentOrder {
    /// The subcommands.
    private static let nested: [String: Set<String>] = {
        var nested: [String: Set<String>] = [:]
        for command in Workflowctl.configuration.subcommands {
            guard let name = command.configuration.commandName else { continue }
            // A key path instead of the closure crashes the compiler (Swift 6.3.1).
            nested[name] = Set(
                command.configuration.subcommands.compactMap { $0.configuration.commandName }
            )
        }
        return nested
    }()

    /// Returns the arguments in the order that the parser expects.
    static func commandFirst(_ arguments: [String]) -> [String] {
        var moved: [String] = []
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            let name = String(argument.unicodeScalars.prefix { $0 != "=" })
            if GlobalOptions.withoutValue.contains(argument) {
                moved.append(argument)
                index += 1
            } else if GlobalOptions.withValue.contains(name) {
                moved.append(argument)
                index += 1
                guard name == argument else { continue }
                guard index < arguments.count else { return arguments }
                moved.append(arguments[index])
                index += 1
            } else {
                break
            }
        }
        guard index > 0, index < arguments.count, !arguments[index].hasPrefix("-") else {
            return arguments
        }
        var end = index + 1
        if end < arguments.count, nested[arguments[index]]?.contains(arguments[end]) == true {
            end += 1
        }
        return arguments[index..<end] + moved + arguments[end...]
    }
}
