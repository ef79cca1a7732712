internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `note`: records a note by an operator.
struct NoteCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Write a note into a session's log, sealed, with who wrote it.",
        discussion: """
            The text is sealed with the session's key, since it is about a person's payment: log --reveal shows it. It \
            changes nothing for the payment, and can be written after its end.

            Examples:
              workflowctl note SESSION "the payer called" --by anna
              workflowctl note SESSION "refunded by hand" --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(help: ArgumentHelp("The note; - for standard input.", valueName: "text"))
    var text: String

    @OptionGroup var global: GlobalOptions

    /// The maximum length of a note in bytes.
    static let limit = 4_000

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        if text != "-" { _ = try Self.checked(text) }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        var words = text
        if text == "-" {
            words = String(
                decoding: try invocation.readInput(Self.limit + 1),
                as: UTF8.self
            )
        }
        let note = try Self.checked(words)
        let place = try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            guard try await !reader.records(of: session, from: 1, limit: 1).isEmpty else {
                throw Failure(EngineError.unknownSession(session))
            }
            let keys = try await reader.unrecordedKeys(of: session)
            var secrets = SecretTable()
            let noted = NoteAdded(by: reader.person.name, text: secrets.seal(note, with: keys))
            let sealing = secrets
            return try await reader.withTrail(of: session) { trail throws(Failure) in
                try await trail.append(to: session, cause: "command.note", sealing: sealing) { _ in
                    [.noteAdded(noted)]
                }
            }
        }
        if global.json {
            invocation.print([
                "session": .string("\(session)"), "seq": .integer(place),
            ])
        } else {
            invocation.note("noted at place \(place) of the log")
        }
        return .done
    }

    private static func checked(_ text: String) throws(Failure) -> String {
        var trimmed = text
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.utf8.count <= limit else {
            throw .usage(
                "note",
                "a note has 1 to \(limit) bytes",
                hint: "write what the next person has to know"
            )
        }
        return trimmed
    }
}
