internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `export`: writes logs of a store to a file.
struct ExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export logs, one record per line or as CloudEvents.",
        discussion: """
            Sealed values stay encrypted and the keys stay in the store, so the file alone \
            reveals none of them unless --reveal is given. With --redact, the ciphertexts are \
            removed: nobody can ever decrypt them, even with the keys, and the file can still be \
            verified, replayed and imported. A damaged log cannot be redacted.

            With --format cloudevents, writes one JSON batch of CloudEvents 1.0 without sealed \
            values. Output files ending in .gz or .zst are compressed; 'verify', 'replay' and \
            'import' read them.

            Examples:
              workflowctl export -o logs.ndjson
              workflowctl export SESSION | workflowctl verify -
              workflowctl export SESSION --redact -o case.ndjson
              workflowctl export --format cloudevents -o events.json
              workflowctl export -o logs.ndjson.zst
            """
    )

    @Argument(
        help: ArgumentHelp("The sessions to export. Default: all.", valueName: "id"),
        completion: SessionCompletion.sessions
    )
    var ids: [String] = []

    @OptionGroup var output: OutputOption

    @Flag(help: "Remove sealed values.")
    var redact = false

    @Option(help: ArgumentHelp("The output format: ndjson or cloudevents.", valueName: "format"))
    var format = ExportFormat.ndjson

    @OptionGroup var global: GlobalOptions

    var sessionNames: [String] {
        get { ids }
        set { ids = newValue }
    }

    func refuseBadArguments() throws(Failure) {
        for id in ids { try SessionNames.refuseMalformed(id) }
        guard global.reveal else { return }
        if redact {
            throw .usage(
                "reveal",
                "--redact cannot be combined with --reveal",
                hint: "use only one of them"
            )
        }
        if format == .cloudevents {
            throw .usage(
                "reveal",
                "--format cloudevents cannot be combined with --reveal",
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
            let sink = try output.sink(in: invocation)
            if format == .cloudevents { try sink.write(CloudEventLine.batchBegin) }
            var (count, written) = (0, 0)
            var last: SessionID?
            // Where the records go to the terminal, they show the progress themselves.
            let isTold = output.isFile || !invocation.output.isTerminal
            let all =
                !isTold
                ? 0
                : wanted.isEmpty ? try await reader.sessionCountForProgress() : Int64(wanted.count)
            var line = ProgressLine(on: invocation.diagnostics)
            defer { line.clear() }
            while true {
                let more =
                    wanted.isEmpty
                    ? try await reader.store.sessions(after: last, limit: Self.sessionsAtOnce)
                    : wanted
                for session in more {
                    let before = count
                    guard try await write(session, of: reader, to: sink, &count) else {
                        return .interrupted
                    }
                    guard count > before else { throw Failure(EngineError.unknownSession(session)) }
                    written += 1
                    last = session
                    guard isTold else { continue }
                    line.reached(
                        Int64(written),
                        of: all,
                        "\(count) records",
                        counting: Int64(count),
                        at: invocation.now()
                    )
                }
                if !wanted.isEmpty || more.isEmpty { break }
            }
            if format == .cloudevents {
                try sink.write(CloudEventLine.batchEnd(isEmpty: count == 0))
            }
            try sink.finish()
            line.clear()
            if output.isFile { invocation.note("records written: \(count), sessions: \(written)") }
            return .done
        }
    }

    /// The number of sessions looked up at once.
    static let sessionsAtOnce = 1024

    /// Writes the records of one session in batches; returns false when it was interrupted.
    private func write(
        _ session: SessionID,
        of reader: Reader,
        to sink: any ByteSink,
        _ count: inout Int
    ) async throws(Failure) -> Bool {
        let keys = global.reveal ? try await reader.keys(of: session) : nil
        var sequence: SequenceNumber = 0
        var redaction = LogRedaction()
        while !Task.isCancelled {
            let records = try await reader.records(
                of: session,
                from: sequence + 1,
                limit: SessionLog.batch
            )
            for record in records {
                let record = try redact ? redaction.redacted(record) : record
                sequence += 1
                // Consumers of CloudEvents cannot use undecodable records; the log's own format
                // keeps them as they are.
                if format == .cloudevents {
                    try SessionLog.require(record, at: sequence, of: session)
                    if count > 0 { try sink.write(CloudEventLine.separator) }
                }
                try sink.write(line(record, revealedWith: keys))
                count += 1
            }
            if records.count < SessionLog.batch { return true }
        }
        return false
    }

    /// Returns one record in the requested format.
    private func line(_ record: StoredRecord, revealedWith keys: SessionKeys?) -> [UInt8] {
        var lines: [UInt8] = []
        switch format {
        case .ndjson:
            let line = LogLine.encode(record)
            lines += keys.map { Revealing.line(line, record, $0) } ?? line
            lines.append(0x0A)
        case .cloudevents: lines += CloudEventLine.encode(record)
        }
        return lines
    }
}

/// The forms in which logs are exported.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    /// The log's own format: each record with its sequence number, chain hash and seals.
    case ndjson
    /// CloudEvents 1.0, structured mode.
    case cloudevents
}
