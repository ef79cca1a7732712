internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The log that a command shows: of a session in the store, or in a file.
struct LogArguments: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "A session (its id, a part of it, or its reference), a file, or - for standard input.",
            valueName: "id|file"
        ),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String

    @Option(help: ArgumentHelp("In a file with several sessions: which.", valueName: "id"))
    var session: String?

    /// Returns the session that was chosen in a file.
    ///
    /// - Throws: A usage failure for an invalid session, and beside another session of the store.
    func chosen() throws(Failure) -> SessionID? {
        guard let session else { return nil }
        let chosen = try SessionArgument.session(session)
        guard let whole = SessionID(source), whole != chosen else { return chosen }
        throw .usage(
            "stray-option",
            "--session chooses one of a file, and another session of the store is given",
            hint: "give one of the two sessions alone"
        )
    }
}

/// A command that works on one log, of a session in the store or in a file.
protocol SessionOrFileCommand: Command {
    /// The log's location.
    var source: LogArguments { get set }
}

extension SessionOrFileCommand {
    var sessionNames: [String] {
        get { [source.source] }
        set { source.source = newValue[0] }
    }

    var mayNameFiles: Bool { true }
}
