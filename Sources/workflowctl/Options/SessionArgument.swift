internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The session that a command is about.
///
/// Identifiers and the like are parsed by functions of their own, since a refused value is never
/// quoted.
struct SessionArgument: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "The session: its id, at least six characters of the id's beginning or end, or its reference.",
            valueName: "id"
        ),
        completion: SessionCompletion.sessions
    )
    var id: String

    /// Refuses a text that cannot name a session.
    func refuseMalformed() throws(Failure) { try SessionNames.refuseMalformed(id) }

    /// Parses a whole identifier.
    ///
    /// - Throws: A usage failure when the text is not a UUID of version 7.
    static func session(_ text: String) throws(Failure) -> SessionID {
        guard let session = SessionID(text) else {
            throw .usage(
                "session-id",
                "that is no session id",
                hint: "a session id looks like 0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            )
        }
        return session
    }

    /// Parses a telephone number.
    static func msisdn(_ text: String) throws(Failure) -> MSISDN {
        guard let number = MSISDN(text) else {
            throw .usage(
                "msisdn",
                "that is no telephone number in international form",
                hint: "write +, the country code and the number without blanks: +46700000000"
            )
        }
        return number
    }

    /// Parses the name of an instrument.
    static func instrument(_ text: String) throws(Failure) -> Instrument {
        guard let instrument = Instrument(rawValue: text) else {
            throw .usage(
                "instrument",
                "there is no such instrument",
                hint: "one of: " + Instrument.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        return instrument
    }
}

/// A command that is about one session.
protocol SessionCommand: Command {
    /// The session as it was typed; its whole identifier once the command is performed.
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

    /// By default only the session is checked.
    func refuseBadArguments() throws(Failure) { try given.refuseMalformed() }
}
