internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `log`: prints the events of a session.
struct LogCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show a session's events.",
        discussion: """
            With --json, prints the log format, which is also the export format: one record per \
            line. With --reveal, each record also has a member 'plain' with the decrypted \
            values.

            Examples:
              workflowctl log SESSION
              workflowctl log SESSION --json | workflowctl replay -
              workflowctl log SESSION --type problem
            """
    )

    @OptionGroup var given: SessionArgument

    @Option(
        help: ArgumentHelp("Show only events of this type; may be repeated.", valueName: "type")
    )
    var type: [String] = []

    @Option(help: ArgumentHelp("Start at this sequence number.", valueName: "seq"))
    var from: SequenceNumber = 1

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func refuseBadArguments() throws(Failure) {
        try given.refuseMalformed()
        guard from > 0 else { throw .usage("from", "sequence numbers start at 1") }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let session = try session
        return try await Reader.withStore(for: self, in: invocation, session: session) {
            reader throws(Failure) in
            if global.json {
                try await writeLines(session, reader)
            } else {
                try await writeTable(session, reader)
            }
            return .done
        }
    }

    private func isWanted(_ record: StoredRecord) -> Bool {
        record.sequence >= from && (type.isEmpty || type.contains(record.type))
    }

    /// Refuses a range or type that cannot match.
    ///
    /// A type that neither this build nor the log knows is refused, and so is a first record beyond
    /// the end of the log.
    private func checkRange(_ records: [StoredRecord], _ reader: Reader) throws(Failure) {
        try EventTypes.refuseUnknown(type, known: records.map(\.type))
        guard let last = records.last?.sequence, last < from else { return }
        reader.invocation.note("note: the last record is \(last)")
    }

    /// Writes the lines as they are stored, including undecodable ones, which matter when looking
    /// for damage.
    private func writeLines(_ session: SessionID, _ reader: Reader) async throws(Failure) {
        let records = try await SessionLog.records(of: session, in: reader.store)
        guard !records.isEmpty else { throw Failure(EngineError.unknownSession(session)) }
        try checkRange(records, reader)
        let keys = global.reveal ? try await reader.keys(of: session) : nil
        let sink = OutputSink(reader.invocation)
        defer { sink.finish() }
        for record in records where isWanted(record) {
            let line = LogLine.encode(record)
            sink.write((keys.map { Revealing.line(line, record, $0) } ?? line) + [0x0A])
        }
    }

    private func writeTable(_ session: SessionID, _ reader: Reader) async throws(Failure) {
        let log = try await SessionLog.read(session, from: reader.store)
        try checkRange(log.records, reader)
        let keys = global.reveal ? try await reader.keys(of: session) : nil
        let output = reader.invocation.output
        var table = Table(columns: ["seq", "time", "type", "details"])
        for (record, event) in zip(log.records, log.events) where isWanted(record) {
            let words = EventWords(event.event, currency: log.currency)
            table.rows.append(
                ["\(event.sequence)", event.at.text(for: output), record.type, words.words])
        }
        output.write(table.text(for: output))
        guard let keys else { return }
        for record in log.records where isWanted(record) {
            for (number, text) in Revealing.plaintexts(of: record, keys).enumerated() {
                output.write(
                    Table.tabSeparated([["\(record.sequence)", "\(number)", text ?? "•••"]])
                )
            }
        }
    }
}
