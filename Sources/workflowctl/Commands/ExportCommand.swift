internal import Adapters
internal import ArgumentParser
internal import Workflow

/// `export`: logs out of a store.
struct ExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write logs, one record a line.",
        discussion: """
            Sealed values stay sealed, and the keys stay in the store: with the file alone nobody can read them, \
            unless --reveal was given. With --redact the seals are left out: then nobody ever can, not even with the \
            keys, and the file still verifies, replays and imports. With --format cloudevents each record is an event \
            for other systems (CloudEvents 1.0, structured mode), without its seals; such a file is not read back.

            Examples:
              workflowctl export -o logs.ndjson
              workflowctl export SESSION | workflowctl verify -
              workflowctl export SESSION --redact -o case.ndjson
              workflowctl export --format cloudevents -o events.ndjson
            """
    )

    @Argument(help: ArgumentHelp("The sessions; all when left out.", valueName: "id"))
    var ids: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file")
    )
    var output = "-"

    @Flag(help: "Leave out the seals, so that no key opens the sealed values.")
    var redact = false

    @Option(help: ArgumentHelp("The form of the lines.", valueName: "format"))
    var format = ExportFormat.ndjson

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        for id in ids { _ = try SessionArgument.session(id) }
        guard global.reveal else { return }
        if redact {
            throw .usage("reveal", "--redact leaves out what --reveal would show", hint: "give one")
        }
        if format == .cloudevents {
            throw .usage(
                "reveal",
                "--format cloudevents has no place for what --reveal would show",
                hint: "leave out --reveal, or use --format ndjson"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var sessions: [SessionID] = []
        for id in ids { sessions.append(try SessionArgument.session(id)) }
        let wanted = sessions
        return try await Reader.withStore(for: self, in: invocation, session: wanted.first) {
            reader throws(Failure) in
            let chosen =
                wanted.isEmpty
                ? try await reader.store.allSessions().map(\.session).reversed() : wanted
            var (file, count) = ([UInt8](), 0)
            for session in chosen {
                let records = try await SessionLog.records(of: session, in: reader.store)
                guard !records.isEmpty else { throw Failure(EngineError.unknownSession(session)) }
                count += records.count
                let keys = global.reveal ? try await reader.keys(of: session) : nil
                let lines = try written(records, of: session, revealedWith: keys)
                if output == "-" {
                    invocation.output.take(lines)
                } else {
                    file += lines
                }
            }
            if output != "-" {
                try FileBytes.replace(output, with: file)
                invocation.note("records written: \(count), sessions: \(chosen.count)")
            }
            return .done
        }
    }

    /// One session's records in the form that was asked for.
    private func written(
        _ records: [StoredRecord],
        of session: SessionID,
        revealedWith keys: SessionKeys?
    ) throws(Failure) -> [UInt8] {
        // Whoever takes events can't judge records that do not read; in the log's own form they are kept as they are.
        if format == .cloudevents { _ = try SessionLog(session, records) }
        var lines: [UInt8] = []
        for record in records {
            switch format {
            case .ndjson:
                var record = record
                if redact { record.seals = [] }
                let line = LogLine.encode(record)
                lines += keys.map { Revealing.line(line, record, $0) } ?? line
            case .cloudevents: lines += CloudEventLine.encode(record)
            }
            lines.append(0x0A)
        }
        return lines
    }
}
