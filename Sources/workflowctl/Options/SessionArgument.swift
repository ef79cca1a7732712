internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// The session of a command.
///
/// Identifiers and the like are parsed by functions of their own, because errors never quote the
/// text.
struct SessionArgument: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "The session's id, at least six characters from the beginning or end of the id, its reference, or the end of its reference.",
            valueName: "id"
        ),
        completion: SessionCompletion.sessions
    )
    var id: String

    /// Refuses a text that cannot name a session.
    func refuseMalformed() throws(Failure) { try SessionNames.refuseMalformed(id) }

    /// Returns the session with a whole identifier.
    ///
    /// - Throws: A usage failure when the text is not a UUID of version 7.
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

    /// Returns the telephone number, which may be written in groups.
    static func msisdn(_ text: String) throws(Failure) -> MSISDN {
        // The zero in '+46 (0)70' is dialled only within the country.
        let digits = text.rewriting("(0)", as: "").filter { !" -".contains($0) }
        guard let number = MSISDN(digits) else {
            throw .usage(
                "msisdn",
                "invalid telephone number",
                hint: "use the international format, such as +46700000000 or '+46 70 000 00 00'"
            )
        }
        return number
    }

    /// Returns the instrument with a name.
    static func instrument(_ text: String) throws(Failure) -> Instrument {
        guard let instrument = Instrument(rawValue: text) else {
            throw .usage(
                "instrument",
                "no such instrument",
                hint: "choose from: "
                    + Instrument.forAttempts.map(\.rawValue).joined(separator: ", ")
            )
        }
        return instrument
    }
}

/// A command for a session of the store or in a file, or for the whole store.
protocol SourceCommand: Command {
    /// A session, a file, or `-` for standard input.
    var source: String? { get set }
}

extension SourceCommand {
    var sessionNames: [String] {
        get { source.map { [$0] } ?? [] }
        set { source = newValue.first }
    }

    var mayNameFiles: Bool { true }
}

/// A command for one session.
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
