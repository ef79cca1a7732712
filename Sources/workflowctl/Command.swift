internal import ArgumentParser

/// A command of the command line.
protocol Command: ParsableCommand, Sendable {
    /// The options that every command takes.
    var global: GlobalOptions { get }

    /// Whether its output may be long, so that a person wants to turn pages.
    var isPaged: Bool { get }

    /// The sessions that its arguments name, in any way in which a session may be named; whole ids once they were looked
    /// up, before the command is performed.
    var sessionNames: [String] { get set }

    /// Whether such an argument may name a file instead, or standard input.
    var mayNameFiles: Bool { get }

    /// Checks the arguments before anything is touched.
    ///
    /// - Throws: A usage failure that does not quote what may be a secret.
    func refuseBadArguments() throws(Failure)

    /// Does what the command is for.
    ///
    /// - Returns: How the process ends.
    /// - Throws: ``Failure``, when nothing could be done.
    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus
}

extension Command {
    /// Most say little.
    var isPaged: Bool { false }

    /// Most are about no session, or about all.
    var sessionNames: [String] {
        get { [] }
        set {}
    }

    /// Most sessions are those of a store.
    var mayNameFiles: Bool { false }

    /// By default there is nothing to refuse.
    func refuseBadArguments() throws(Failure) {}
}
