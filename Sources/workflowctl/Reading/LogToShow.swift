internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A log for third parties, without the sealed values.
enum LogToShow {
    /// Reads the log of a session of the store, or the log in a file.
    ///
    /// - Throws: A failure also for a damaged log, since it may contain events that did not happen.
    static func read(
        _ source: LogArguments,
        for command: some Command,
        in invocation: Invocation
    ) async throws(Failure) -> SessionLog {
        let chosen = try source.chosen()
        guard let id = SessionID(source.source) else {
            return try redacted(
                try LogSource.readOne(source.source, session: chosen, in: invocation)
            )
        }
        return try await Reader.withStore(for: command, in: invocation, session: id) {
            reader throws(Failure) in
            try redacted(try await SessionLog.read(id, from: reader.store))
        }
    }

    /// Refuses options that are not possible with such a log.
    static func refuse(_ global: GlobalOptions) throws(Failure) {
        guard !global.reveal else {
            throw .usage(
                "reveal",
                "this output never contains sealed values, because it is meant to be shared",
                hint: "use 'log --reveal' to see them"
            )
        }
    }

    /// The log without its seals.
    static func redacted(_ log: SessionLog) throws(Failure) -> SessionLog {
        var redaction = LogRedaction()
        var records: [StoredRecord] = []
        for record in log.records { records.append(try redaction.redacted(record)) }
        return try SessionLog.decoding(log.session, records)
    }
}
