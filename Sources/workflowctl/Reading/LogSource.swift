internal import Adapters
internal import Workflow

/// Logs in a file or on standard input: one record a line, of one session or several.
enum LogSource {
    /// The records of a file, session by session, in the order in which the sessions first appear.
    ///
    /// - Throws: A failure with the first line that is no line of a log.
    static func read(
        _ path: String,
        in invocation: Invocation
    ) throws(Failure) -> [(session: SessionID, records: [StoredRecord])] {
        let bytes =
            path == "-"
            ? try invocation.readInput(FileBytes.logLimit)
            : try FileBytes.read(path, limit: FileBytes.logLimit)
        var order: [SessionID] = []
        var logs: [SessionID: [StoredRecord]] = [:]
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = line.last == 0x0D ? line.dropLast() : line
            guard !line.isEmpty else { continue }
            let record: StoredRecord
            do {
                record = try LogLine.decode(Array(line))
            } catch {
                throw unreadable(number, error, after: order.last.flatMap { logs[$0]?.last })
            }
            if logs[record.stream] == nil { order.append(record.stream) }
            logs[record.stream, default: []].append(record)
        }
        guard !order.isEmpty else {
            throw Failure(
                .damaged,
                "log.empty",
                "there is no record in the log",
                hint: "a log has one JSON object a line, as 'workflowctl log ID --json' writes it"
            )
        }
        return order.map { ($0, logs[$0] ?? []) }
    }

    /// Reads the one log that a command works on, from a file.
    static func readOne(
        _ path: String,
        session: SessionID?,
        in invocation: Invocation
    ) throws(Failure) -> SessionLog {
        let logs = try read(path, in: invocation)
        if let session {
            guard let log = logs.first(where: { $0.session == session }) else {
                throw Failure(EngineError.unknownSession(session))
            }
            return try SessionLog(log.session, log.records)
        }
        guard let log = logs.first, logs.count == 1 else {
            throw .usage(
                "several-sessions",
                "the log has \(logs.count) sessions",
                hint: "choose one with --session ID"
            )
        }
        return try SessionLog(log.session, log.records)
    }

    private static func unreadable(
        _ number: Int,
        _ error: EventDecodingError,
        after last: StoredRecord?
    ) -> Failure {
        let place = last.map { ", after record \($0.sequence) of session \($0.stream)" } ?? ""
        return Failure(
            .damaged,
            "log.unreadable",
            "line \(number) is no record of a log\(place): \(error)",
            hint: "what stands before that line is not affected"
        )
    }
}
