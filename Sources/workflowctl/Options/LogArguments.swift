internal import ArgumentParser
internal import Workflow

/// The log that a command shows: of a session of the store, or in a file.
struct LogArguments: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp("A session, a file, or - for standard input.", valueName: "id|file"),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String

    @Option(help: ArgumentHelp("In a file with several sessions: which.", valueName: "id"))
    var session: String?

    /// The session that was chosen of a file.
    ///
    /// - Throws: A usage failure for what is no session.
    func chosen() throws(Failure) -> SessionID? { try session.map(SessionArgument.session) }
}
