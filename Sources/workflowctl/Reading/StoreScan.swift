internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Reads all logs of a store, for commands that read every event.
struct StoreScan {
    /// The number of logs that could not be read.
    private(set) var unreadable = 0
    /// The sessions whose logs were read and that came from elsewhere.
    private(set) var imported: Set<SessionID> = []

    /// Reads the logs of the matching sessions, newest first, and passes each to `body`.
    ///
    /// A log that cannot be read is reported and skipped, because sums of money must not silently
    /// lack it. With `soundOnly`, an altered log counts as unreadable. `words` name the work in the
    /// progress line.
    mutating func read(
        _ query: SessionQuery,
        in reader: Reader,
        _ words: String,
        soundOnly: Bool = false,
        _ body: (SessionSummary, SessionLog) async throws(Failure) -> Void
    ) async throws(Failure) {
        let sessions = try await reader.store.allSessions(matching: query)
        try await read(sessions, in: reader, words, soundOnly: soundOnly) {
            row,
            log throws(Failure) in
            try await body(row, log)
            return true
        }
    }

    /// Reads the logs of these sessions, and passes each to `body`.
    ///
    /// `body` returns whether to go on to the next one.
    mutating func read(
        _ sessions: [SessionSummary],
        in reader: Reader,
        _ words: String,
        soundOnly: Bool = false,
        _ body: (SessionSummary, SessionLog) async throws(Failure) -> Bool
    ) async throws(Failure) {
        var progress = ProgressLine(on: reader.invocation.diagnostics)
        for (index, row) in sessions.enumerated() {
            guard !Task.isCancelled else { break }
            progress.reached(
                Int64(index),
                of: Int64(sessions.count),
                words,
                at: reader.invocation.now()
            )
            let log: SessionLog
            do throws(Failure) {
                log = try await SessionLog.read(row.session, from: reader.store)
                if soundOnly { try log.requireSound(upTo: .max) }
            } catch {
                guard error.status == .damaged else { throw error }
                progress.clear()
                reader.invocation.note("\(error)")
                unreadable += 1
                continue
            }
            if row.origin == .imported { imported.insert(row.session) }
            guard try await body(row, log) else { break }
        }
        progress.clear()
    }

    /// Reports how many of the read sessions came from elsewhere, if there are any.
    func noteImported(_ invocation: Invocation) { imported.noteImported(invocation) }

    /// Returns the exit status of a command that could not read every log.
    var status: ExitStatus { unreadable == 0 ? .done : .damaged }
}

extension Set<SessionID> {
    /// Reports how many sessions came from elsewhere, if there are any.
    func noteImported(_ invocation: Invocation) {
        guard !isEmpty else { return }
        invocation.note(
            "note: includes \(count) imported session\(count == 1 ? "" : "s"), which can be read "
                + "but not driven"
        )
    }
}
