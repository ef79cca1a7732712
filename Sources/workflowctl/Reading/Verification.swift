internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The result of checking logs.
struct Verification: Sendable {
    /// A fault.
    struct Fault: Hashable, Sendable {
        /// The session, if the fault concerns one.
        var session: SessionID?
        /// The sequence number of the first bad record, if the fault concerns one.
        var sequence: Int64?
        /// The line of the file, if the fault is in one.
        var line: Int?
        /// The first part of the error's code.
        var family = "log"
        /// The kind, in one word.
        var kind: String
        /// What is wrong, without the data.
        var message: String
        /// What can be trusted despite this fault, if that is not everything before it.
        var stillTrue: String?

        /// The fault as the failure of a command.
        var failure: Failure {
            guard kind != "newer-version" else {
                return Failure(
                    .unavailable,
                    "log.newer-version",
                    message,
                    hint:
                        "use the build that wrote the log, or a newer one; it is not said to be damaged"
                )
            }
            return Failure(
                .damaged,
                family + "." + kind,
                message,
                hint: kind == "line-too-long"
                    ? "no record is that long: the file is something else, or was damaged"
                    : (stillTrue ?? "what stands before is sound")
                        + "; compare with a copy of the log"
            )
        }
    }

    /// The maximum number of faults kept; all damaged sessions are counted.
    static let maximumFaults = StoreAudit.maximumFaults

    /// The number of logs checked.
    var sessions: Int64 = 0
    /// The number of damaged logs.
    var damaged: Int64 = 0
    /// The content of the sound records.
    var tally = LogTally()
    /// The result of the check of the seals; `nil` when there were no keys to open them.
    var seals: SealTally?
    /// The number of valid checkpoints of the store; only for a whole store.
    var checkpoints: Int?
    /// The faults in order.
    private(set) var faults: [Fault] = []
    /// The digest of all records in the order of storage; only for a whole store.
    var digest: Digest256?

    /// The number of sound records.
    var records: Int64 { tally.records }
    /// The first fault.
    var first: Fault? { faults.first }

    /// Checks a log.
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
                "record \(found) of session \(session) comes again after record \(head.sequence)"
        }
        if let line { message += " (line \(line))" }
    }

    /// Creates the fault of a line that is not a record.
    init(_ fault: LogReader.LineFault) {
        self.init(line: fault.line, kind: fault.kind, message: fault.message)
    }

    /// Creates the fault of a store.
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
                        + "\(place) does not read: \(reason)"
                )
            case .missingRecords(let listed, let found):
                (
                    "missing-records",
                    "record \(fault.sequence ?? 1) of \(place) is missing: the list of sessions says that there are "
                        + "\(listed) records, not \(found)"
                )
            case .projection(let members):
                (
                    "projection",
                    "the list of sessions says of \(place) what its log does not say: "
                        + members.joined(separator: ", ")
                )
            case .noSession:
                ("no-session", "there are records that belong to no session of the list")
            case .wrongSeal:
                (
                    "wrong-seal",
                    "a seal of record \(fault.sequence ?? 0) of \(place) does not open at its place to what its "
                        + "fingerprint says"
                )
            case .notAuthentic:
                (
                    "not-authentic",
                    "record \(fault.sequence ?? 0) of \(place) is not authentic: it was not written, or was removed, by "
                        + "somebody with the session's keys"
                )
            case .wrongKey:
                (
                    "wrong-key",
                    "the data key of \(place) does not unwrap, although the master key that it names is at hand"
                )
            }
        self.init(session: fault.session, sequence: fault.sequence, kind: kind, message: message)
        // The log itself was valid before it was compared with the list.
        if case .projection = fault.kind, let sequence = fault.sequence {
            stillTrue = "the log of \(place) itself, records 1 to \(sequence)"
        }
        if case .wrongKey = fault.kind {
            stillTrue = "the log of \(place) itself, except that its seals were not tried"
        }
    }
}
