internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Logs in a file or on standard input, for commands that need all of them at once.
enum LogSource {
    /// Returns the records of a file, session by session, in the order in which the sessions first
    /// appear.
    ///
    /// - Throws: A failure with the first invalid line.
    static func read(
        _ path: String,
        in invocation: Invocation
    ) throws(Failure) -> [(session: SessionID, records: [StoredRecord])] {
        let (logs, faults) = try readAll(path, in: invocation)
        if let fault = faults.first { throw Verification.Fault(fault).failure }
        return logs
    }

    /// The same, with the lines that are none of a log beside the logs: for commands that a bad
    /// line does not stop.
    ///
    /// - Throws: A failure when there is no valid log.
    static func readAll(
        _ path: String,
        in invocation: Invocation
    ) throws(Failure) -> (
        logs: [(session: SessionID, records: [StoredRecord])], faults: [LogReader.LineFault]
    ) {
        var reader = LogReader(try LogInput.open(path, in: invocation).source)
        var (order, faults) = ([SessionID](), [LogReader.LineFault]())
        var logs: [SessionID: [StoredRecord]] = [:]
        while let entry = try reader.next() {
            switch entry {
            case .fault(let fault):
                if faults.count < Verification.maximumFaults { faults.append(fault) }
            case .record(let record, _):
                if logs[record.stream] == nil { order.append(record.stream) }
                logs[record.stream, default: []].append(record)
            }
        }
        guard !order.isEmpty else {
            throw faults.first.map { Verification.Fault($0).failure } ?? empty
        }
        return (order.map { ($0, logs[$0] ?? []) }, faults)
    }

    private static let empty = Failure(
        .damaged,
        "log.empty",
        "the log has no records",
        hint: "a log has one JSON object per line; create one with 'workflowctl export'"
    )

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
            return try SessionLog.decoding(log.session, log.records)
        }
        guard let log = logs.first, logs.count == 1 else {
            throw .usage(
                "several-sessions",
                "the log has \(logs.count) sessions",
                hint: "choose one with --session ID"
            )
        }
        return try SessionLog.decoding(log.session, log.records)
    }
}
