internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `note`: adds a note to a session's log.
struct NoteCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "Add a note to a session's log.",
        discussion: """
            The text is sealed with the session's key, because it may contain personal data; \
            'log --reveal' shows it. The author is recorded as well. A note does not affect the \
            payment and can be added after the session has ended.

            Examples:
              workflowctl note SESSION "the payer called" --by anna
              workflowctl note SESSION "refunded by hand" --json
            """
    )

    @OptionGroup var given: SessionArgument

    @Argument(
        help: ArgumentHelp("The text of the note, or - for standard input.", valueName: "text")
    )
    var text: String

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--by"] }

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        if text != "-" { _ = try Self.checked(text) }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        var words = text
        if text == "-" {
            words = String(
                decoding: try invocation.readInput(OperatorText.noteLimit + 1),
                as: UTF8.self
            )
        }
        let note = try Self.checked(words)
        let noted = try await RemoteDriver.run(self, in: invocation) { service throws(Failure) in
            let response = try await service.post(
                "sessions/\(session)/notes",
                ["text": .string(note)]
            )
            guard response.status == 201, case .integer(let number)? = response.json?["seq"] else {
                throw Failure(response)
            }
            return SequenceNumber(rawValue: number)
        }
        if let noted {
            printResult(noted, of: session, invocation)
            return .done
        }
        let sequence = try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            guard try await !reader.records(of: session, from: 1, limit: 1).isEmpty else {
                throw Failure(EngineError.unknownSession(session))
            }
            // Its keys are elsewhere; a hint at them would not help.
            let isImported = try await reader.store.listedRow(of: session)?.isForeign == true
            if isImported { throw Failure(EngineError.imported(session)) }
            // Missing keys are explained before the store is opened for writing.
            _ = try await reader.unrecordedKeys(of: session)
            return try await reader.withTrail(of: session) { trail throws(Failure) in
                try await trail.addNote(note, by: reader.person.name, to: session)
            }
        }
        printResult(sequence, of: session, invocation)
        return .done
    }

    private func printResult(
        _ sequence: SequenceNumber,
        of session: SessionID,
        _ invocation: Invocation
    ) {
        if global.json {
            invocation.print([
                "session": .string("\(session)"), "seq": .sequence(sequence),
            ])
        } else {
            invocation.note("note added as event \(sequence)")
        }
    }

    private static func checked(_ text: String) throws(Failure) -> String {
        guard let note = OperatorText.note(text) else { throw .malformedNote }
        return note
    }
}

extension Failure {
    /// Returns the failure for a note that is empty or too long.
    static var malformedNote: Failure {
        .usage(
            "note",
            "a note must have 1 to \(OperatorText.noteLimit) bytes",
            hint: "shorten the text, or split it into several notes"
        )
    }
}
