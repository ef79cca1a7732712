internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The logs of a verified file, each complete as soon as its last record was read.
///
/// Only the records of sessions that have begun and not ended are in memory: one session's, unless
/// several are mixed.
struct CompleteLogs {
    private var lines: LogReader
    private let sessions: [SessionID: FileVerification.Session]
    private var waiting: [SessionID: [StoredRecord]] = [:]

    /// Creates a reader of the logs of a source.
    ///
    /// `sessions` are the results of the verification of the same bytes.
    init(_ source: any ByteSource, of sessions: [SessionID: FileVerification.Session]) {
        lines = LogReader(source)
        self.sessions = sessions
    }

    /// Returns the next log; `nil` at the end.
    ///
    /// - Throws: A failure when the bytes have changed since the verification.
    mutating func next() throws(Failure) -> SessionLog? {
        while let entry = try lines.next() {
            switch entry {
            case .fault(let fault): throw Verification.Fault(fault).failure
            case .record(let record, let line):
                waiting[record.stream, default: []].append(record)
                guard let known = sessions[record.stream], known.lastLine == line else { continue }
                let records = waiting.removeValue(forKey: record.stream) ?? []
                let (head, damage) = LogVerifier<SessionEvent>.verify(
                    records,
                    stream: record.stream
                )
                if let damage { throw Failure(damage) }
                guard head == known.verifier.head else {
                    throw Failure(
                        .damaged,
                        "log.changed",
                        "the file changed while it was being read",
                        hint: "import it again when no other program is writing to it"
                    )
                }
                return try SessionLog.decoding(record.stream, records)
            }
        }
        return nil
    }
}
