internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Computes a value from each log of a store or a file; an unreadable log does not stop the others.
struct LogWalk<Value: Sendable> {
    /// Computes the value of a log.
    let make: @Sendable (SessionLog) -> Value
    /// Receives each session's value.
    private let receive: (Value) -> Void
    /// The number of logs that could not be read.
    private(set) var unreadable = 0
    /// Whether it was interrupted before the end.
    private(set) var isInterrupted = false

    init(_ make: @escaping @Sendable (SessionLog) -> Value, receive: @escaping (Value) -> Void) {
        (self.make, self.receive) = (make, receive)
    }

    /// Reads a store in the order of the sessions' identifiers.
    mutating func walk(_ reader: Reader) async throws(Failure) {
        var sweep = LogSweep(of: reader.store)
        var line = ProgressLine(on: reader.invocation.diagnostics)
        defer { line.clear() }
        let all = try await reader.sessionCountForProgress()
        var done: Int64 = 0
        line.reached(0, of: all, "0 of \(all) sessions", at: reader.invocation.now())
        let make = make
        while true {
            guard !Task.isCancelled else { return interrupt(&line, reader.invocation) }
            let piece: [LogSweep.Outcome<Result<Value, Failure>>]?
            do throws(EventStoreError) {
                piece = try await sweep.next { session, records in
                    Self.made(session, records, by: make)
                }
            } catch {
                throw Failure(error)
            }
            guard let piece else { return }
            for outcome in piece {
                let made = outcome.value.mapError { Failure($0) }.flatMap { $0 }
                deliver(made, &line, reader.invocation)
            }
            done += Int64(piece.count)
            line.reached(
                done,
                of: all,
                "\(done) of \(max(done, all)) sessions",
                at: reader.invocation.now()
            )
        }
    }

    /// Reads a file session by session, in the order in which the sessions first appear.
    ///
    /// With a `session`, only that one is read.
    mutating func walk(
        _ path: String,
        session: SessionID?,
        in invocation: Invocation
    ) throws(Failure) {
        let file = try LogSource.readAll(path, in: invocation)
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        for fault in file.faults where session == nil || fault.session == session {
            unreadable += 1
            invocation.note("\(Verification.Fault(fault).failure)")
        }
        let wanted = file.logs.filter { session == nil || $0.session == session }
        if let session, wanted.isEmpty { throw Failure(EngineError.unknownSession(session)) }
        for (index, log) in wanted.enumerated() {
            guard !Task.isCancelled else { return interrupt(&line, invocation) }
            deliver(Self.made(log.session, log.records, by: make), &line, invocation)
            line.reached(
                Int64(index),
                of: Int64(wanted.count),
                "\(index) of \(wanted.count) sessions",
                at: invocation.now()
            )
        }
    }

    /// Returns the exit status of a command that could not read every log, or was interrupted.
    var status: ExitStatus {
        isInterrupted ? .interrupted : unreadable == 0 ? .done : .damaged
    }

    private static func made(
        _ session: SessionID,
        _ records: [StoredRecord],
        by make: (SessionLog) -> Value
    ) -> Result<Value, Failure> {
        do throws(Failure) {
            guard !records.isEmpty else {
                throw Failure(
                    .damaged,
                    "log.unreadable",
                    "session \(session) is in the session list but has no records",
                    hint: "run 'workflowctl verify \(session.short)' to see what is missing"
                )
            }
            let log = try SessionLog.decoding(session, records)
            try log.requireSound(upTo: .max)
            return .success(make(log))
        } catch {
            return .failure(error)
        }
    }

    private mutating func deliver(
        _ result: Result<Value, Failure>,
        _ line: inout ProgressLine,
        _ invocation: Invocation
    ) {
        switch result {
        case .success(let value): receive(value)
        case .failure(let failure):
            line.clear()
            invocation.note("\(failure)")
            unreadable += 1
        }
    }

    private mutating func interrupt(_ line: inout ProgressLine, _ invocation: Invocation) {
        line.clear()
        invocation.note("interrupted; the result covers only the logs that were read")
        isInterrupted = true
    }

}

extension Reader {
    /// Returns the number of sessions, for the progress line; 0 when no progress is shown.
    func sessionCountForProgress() async throws(Failure) -> Int64 {
        guard invocation.diagnostics.isTerminal else { return 0 }
        var (last, count) = (SessionID?.none, Int64(0))
        while true {
            let more = try await store.sessions(
                after: last,
                limit: StoreVerification.sessionsAtOnce
            )
            count += Int64(more.count)
            guard more.count == StoreVerification.sessionsAtOnce else { return count }
            last = more.last
        }
    }
}
