internal import ArgumentParser

/// A command of the command line.
protocol Command: ParsableCommand, Sendable {
    /// The options that every command takes.
    var global: GlobalOptions { get }

    /// Whether the output may be long enough for a pager.
    var isPaged: Bool { get }

    /// The sessions that the arguments name, in any of the ways in which a session can be named.
    ///
    /// They are replaced by whole identifiers before the command is performed.
    var sessionNames: [String] { get set }

    /// Whether such an argument may also name a file, or standard input.
    var mayNameFiles: Bool { get }

    /// Checks the arguments before anything is read or changed.
    ///
    /// - Throws: A usage failure, which never quotes a value that may be a secret.
    func refuseBadArguments() throws(Failure)

    /// Performs the command.
    ///
    /// - Returns: The exit status of the process.
    /// - Throws: A ``Failure`` when the command could not be performed.
    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus
}

extension Command {
    /// By default the output is short.
    var isPaged: Bool { false }

    /// By default the arguments name no session.
    var sessionNames: [String] {
        get { [] }
        set {}
    }

    /// By default sessions are those of a store.
    var mayNameFiles: Bool { false }

    /// By default every argument is accepted.
    func refuseBadArguments() throws(Failure) {}
}
