internal import EventLog
internal import Inspection
internal import SwedbankPay

/// All logs of a store, one after the other, for commands that read every event.
struct StoreScan {
    /// The number of unreadable logs.
    private(set) var unreadable = 0
    /// The imported sessions that were read.
    private(set) var imported: Set<SessionID> = []

    /// Reads the logs of the matching sessions, newest first, and passes each to `body`.
    ///
    /// An unreadable log is reported and skipped, since a sum of money must not silently exclude
    /// it. With `soundOnly`, an altered log counts as unreadable. `words` name the work in the
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
    /// `body` returns whether to continue with the next one.
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

    /// Reports how many of the sessions were imported, if any.
    func noteImported(_ invocation: Invocation) { imported.noteImported(invocation) }

    /// The exit status: some logs may have been unreadable.
    var status: ExitStatus { unreadable == 0 ? .done : .damaged }
}

extension Set<SessionID> {
    /// Reports how many sessions were imported, if any.
    func noteImported(_ invocation: Invocation) {
        guard !isEmpty else { return }
        invocation.note(
            "note: \(count) session\(count == 1 ? "" : "s") of these came from elsewhere: read here, never driven"
        )
    }
}
