internal import ArgumentParser

/// A command of the command line.
protocol Command: ParsableCommand, Sendable {
    /// The options that every command accepts.
    var global: GlobalOptions { get }

    /// Whether its output may be long, so that it is shown in a pager.
    var isPaged: Bool { get }

    /// The sessions that its arguments name, in any accepted form; whole identifiers once they were
    /// resolved, before the command is performed.
    var sessionNames: [String] { get set }

    /// Whether such an argument may instead name a file, or standard input.
    var mayNameFiles: Bool { get }

    /// Whether `--reveal` changes what it prints; otherwise the option is refused.
    static var mayReveal: Bool { get }

    /// The common options that its help describes, besides those of all commands of its kind.
    static var commonOptions: Set<String> { get }

    /// Checks the arguments before anything is done.
    ///
    /// - Throws: A usage failure, which never quotes a value that may be a secret.
    func refuseBadArguments() throws(Failure)

    /// Performs the command.
    ///
    /// - Returns: The exit status.
    /// - Throws: ``Failure``, when the command could not be performed.
    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus
}

extension Command {
    /// Most commands print little.
    var isPaged: Bool { false }

    /// Most commands concern no session, or all.
    var sessionNames: [String] {
        get { [] }
        set {}
    }

    /// By default sessions are those of a store.
    var mayNameFiles: Bool { false }

    /// Most commands print sealed values if they are requested.
    static var mayReveal: Bool { true }

    /// Most commands need only a store and the format of their output.
    static var commonOptions: Set<String> { [] }

    /// By default all arguments are accepted.
    func refuseBadArguments() throws(Failure) {}
}
