internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The session that a command is about.
///
/// Identities and the like are read by functions of their own, for what is refused is never quoted.
struct SessionArgument: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "The session's id, at least six characters from the beginning or end of the id, or its reference.",
            valueName: "id"
        ),
        completion: SessionCompletion.sessions
    )
    var id: String

    /// Refuses what can't name a session.
    func refuseMalformed() throws(Failure) { try SessionNames.refuseMalformed(id) }

    /// The session of that whole id.
    ///
    /// - Throws: A usage failure when the text is no UUID of version 7.
    static func session(_ text: String) throws(Failure) -> SessionID {
        guard let session = SessionID(text) else {
            throw .usage(
                "session-id",
                "invalid session id",
                hint: "a session id looks like 0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            )
        }
        return session
    }

    /// The telephone number.
    static func msisdn(_ text: String) throws(Failure) -> MSISDN {
        guard let number = MSISDN(text) else {
            throw .usage(
                "msisdn",
                "invalid telephone number",
                hint: "use the international format without spaces, such as +46700000000"
            )
        }
        return number
    }

    /// The instrument of that name.
    static func instrument(_ text: String) throws(Failure) -> Instrument {
        guard let instrument = Instrument(rawValue: text) else {
            throw .usage(
                "instrument",
                "no such instrument",
                hint: "choose from: " + Instrument.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        return instrument
    }
}

/// A command that is about one session.
protocol SessionCommand: Command {
    /// The session as it was written; its whole id from the moment on that the command is
    /// performed.
    var given: SessionArgument { get set }
}

extension SessionCommand {
    var sessionNames: [String] {
        get { [given.id] }
        set { given.id = newValue[0] }
    }

    /// The session.
    var session: SessionID {
        get throws(Failure) { try SessionArgument.session(given.id) }
    }

    /// By default only the session has to be one.
    func refuseBadArguments() throws(Failure) { try given.refuseMalformed() }
}
