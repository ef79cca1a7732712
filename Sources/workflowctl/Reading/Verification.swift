internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The result of verifying logs.
struct Verification: Sendable {
    /// A fault.
    struct Fault: Hashable, Sendable {
        /// The session, if the fault concerns one.
        var session: SessionID?
        /// The first invalid record, if the fault concerns one.
        var sequence: SequenceNumber?
        /// The line of the file, if the fault concerns one.
        var line: Int?
        /// The first part of the error's code.
        var family = "log"
        /// The kind, in one word.
        var kind: String
        /// A description without the data.
        var message: String
        /// The part that is still trustworthy, if it is not the part before the fault.
        var stillTrue: String?

        /// The fault as a command's failure.
        var failure: Failure {
            guard kind != "newer-version" else {
                return Failure(
                    .unavailable,
                    "log.newer-version",
                    message,
                    hint:
                        "use the build that wrote the log, or a newer one; the log may not be damaged"
                )
            }
            return Failure(
                .damaged,
                family + "." + kind,
                message,
                hint: kind == "line-too-long"
                    ? "no record is this long; the file is damaged or is not a log"
                    : (stillTrue ?? "the records before it are valid")
                        + "; compare the log with a backup"
            )
        }
    }

    /// The maximum number of faults that are kept; all damaged sessions are counted.
    static let maximumFaults = StoreAudit.maximumFaults

    /// The number of verified logs.
    var sessions: Int64 = 0
    /// The number of damaged logs.
    var damaged: Int64 = 0
    /// The contents of the valid records.
    var tally = LogTally()
    /// The result of the check of the seals; `nil` when there were no keys to open them.
    var seals: SealTally?
    /// The number of valid checkpoints of the store; only for a whole store.
    var checkpoints: Int?
    /// The faults in the order in which they were found.
    private(set) var faults: [Fault] = []
    /// The digest of all records in storage order; only for a whole store.
    var digest: Digest256?

    /// The number of valid records.
    var records: Int64 { tally.records }
    /// The first fault.
    var first: Fault? { faults.first }

    /// Verifies a log.
    mutating func add(_ log: [StoredRecord], of session: SessionID) {
        sessions += 1
        var verifier = LogVerifier<SessionEvent>(stream: session)
        for record in log {
            do throws(LogDamage) {
                tally.count(try verifier.check(record), sealed: record.seals.count)
            } catch {
                damaged += 1
                return add(Fault(error, of: session, after: verifier.head))
            }
        }
    }

    /// Records a fault.
    mutating func add(_ fault: Fault) {
        if faults.count < Self.maximumFaults { faults.append(fault) }
    }
}

extension Verification.Fault {
    /// Creates the fault of a damaged record.
    init(_ damage: LogDamage, of session: SessionID, after head: StreamHead, line: Int? = nil) {
        self.init(
            session: damage.stream ?? session,
            sequence: damage.sequence,
            line: line,
            kind: damage.kind.word,
            message: damage.description
        )
        if case .outOfSequence(let found) = damage.kind, found > 0, found <= head.sequence {
            kind = "repeated"
            message =
                "record \(found) of session \(session) is repeated after record \(head.sequence)"
        }
        if let line { message += " (line \(line))" }
    }

    /// Creates the fault of an invalid line.
    init(_ fault: LogReader.LineFault) {
        self.init(line: fault.line, kind: fault.kind, message: fault.message)
    }

    /// Creates a fault of a store.
    init(_ fault: StoreFault) {
        let place = fault.session.map { "session \($0)" } ?? "a session"
        let (kind, message): (String, String) =
            switch fault.kind {
            case .structure(let words): ("structure", "the store is damaged: \(words)")
            case .log(let damage): (damage.kind.word, damage.description)
            case .unreadable(let reason):
                (
                    "unreadable",
                    (fault.sequence.map { "record \($0) of " } ?? "")
                        + "\(place) cannot be read: \(reason)"
                )
            case .missingRecords(let listed, let found):
                (
                    "missing-records",
                    "record \(fault.sequence ?? 1) of \(place) is missing: the session list has "
                        + "\(listed) records, the log \(found)"
                )
            case .projection(let members):
                (
                    "projection",
                    "the session list contradicts the log of \(place): "
                        + members.joined(separator: ", ")
                )
            case .noSession:
                ("no-session", "there are records of a session that is not in the session list")
            case .wrongSeal:
                (
                    "wrong-seal",
                    "a sealed value in record \(fault.sequence ?? 0) of \(place) does not match "
                        + "its fingerprint"
                )
            case .notAuthentic:
                (
                    "not-authentic",
                    "record \(fault.sequence ?? 0) of \(place) is not authentic: it was written "
                        + "or removed by someone without the session's keys"
                )
            case .wrongKey:
                (
                    "wrong-key",
                    "the data key of \(place) cannot be unwrapped, although its master key is available"
                )
            }
        self.init(session: fault.session, sequence: fault.sequence, kind: kind, message: message)
        // The log itself was valid before it was compared with the index.
        if case .projection = fault.kind, let sequence = fault.sequence {
            stillTrue = "the log of \(place) itself, records 1 to \(sequence)"
        }
        if case .wrongKey = fault.kind {
            stillTrue = "the log of \(place) itself, except that its sealed values were not checked"
        }
    }
}
