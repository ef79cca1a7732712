internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A log that may be given to others: sealed values stay closed, and secrets in text are masked.
enum LogToShow {
    /// Reads the log of a session of the store, or the log in a file.
    ///
    /// - Throws: A failure also for a damaged log: no one should be shown something that did not
    ///   happen.
    static func read(
        _ source: LogArguments,
        for command: some Command,
        in invocation: Invocation
    ) async throws(Failure) -> SessionLog {
        let chosen = try source.chosen()
        guard let id = SessionID(source.source) else {
            return try masked(try LogSource.readOne(source.source, session: chosen, in: invocation))
        }
        return try await Reader.withStore(for: command, in: invocation, session: id) {
            reader throws(Failure) in
            try masked(try await SessionLog.read(id, from: reader.store))
        }
    }

    /// Refuses options that have no effect on a log for others.
    static func refuse(_ global: GlobalOptions) throws(Failure) {
        guard !global.reveal else {
            throw .usage(
                "reveal",
                "what is made to be handed on never shows sealed values",
                hint: "'log' with --reveal shows them on the screen"
            )
        }
    }

    /// Returns the log with secrets in text masked.
    static func masked(_ log: SessionLog) throws(Failure) -> SessionLog {
        var redaction = LogRedaction()
        var records: [StoredRecord] = []
        for record in log.records { records.append(try redaction.redacted(record)) }
        return try SessionLog.decoding(log.session, records)
    }
}
