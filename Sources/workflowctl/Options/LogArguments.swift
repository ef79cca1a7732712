internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The options for one log: that of a session of the store, or one in a file.
struct LogArguments: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "A session (its id, part of the id, or its reference), a file, or - for standard input.",
            valueName: "id|file"
        ),
        completion: SessionCompletion.sessionsAndFiles
    )
    var source: String

    @Option(
        help: ArgumentHelp("If the file has several sessions, the one to read.", valueName: "id")
    )
    var session: String?

    /// Returns the session that was selected in a file.
    ///
    /// - Throws: A usage failure for a malformed identifier, and beside another session of the
    ///   store.
    func chosen() throws(Failure) -> SessionID? {
        guard let session else { return nil }
        let chosen = try SessionArgument.session(session)
        guard let whole = SessionID(source), whole != chosen else { return chosen }
        throw .usage(
            "stray-option",
            "--session selects a session in a file and cannot be combined with another session of the store",
            hint: "name only one session"
        )
    }
}

/// A command for one log, of a session of the store or in a file.
protocol SessionOrFileCommand: Command {
    /// The options of the log.
    var source: LogArguments { get set }
}

extension SessionOrFileCommand {
    var sessionNames: [String] {
        get { [source.source] }
        set { source.source = newValue[0] }
    }

    var mayNameFiles: Bool { true }
}
