package import EventLog
internal import SwedbankPay

/// The result of verifying logs.
package struct Verification: Sendable {
    /// A fault.
    package struct Fault: Hashable, Sendable {
        /// The session, if the fault concerns one.
        package var session: SessionID?
        /// The first invalid record, if the fault concerns one.
        package var sequence: SequenceNumber?
        /// The line of the file, if the fault concerns one.
        package var line: Int?
        /// The first part of the error's code.
        package var family: String
        /// The kind, in one word.
        package var kind: String
        /// A description without the data.
        package var message: String
        /// The part that is still trustworthy, if it is not the part before the fault.
        package var stillTrue: String?

        /// Creates a fault.
        package init(
            session: SessionID? = nil,
            sequence: SequenceNumber? = nil,
            line: Int? = nil,
            family: String = "log",
            kind: String,
            message: String,
            stillTrue: String? = nil
        ) {
            self.session = session
            self.sequence = sequence
            self.line = line
            self.family = family
            self.kind = kind
            self.message = message
            self.stillTrue = stillTrue
        }
    }

    /// The numbers of seals, by what became of them.
    package struct Seals: Hashable, Sendable {
        /// The number of seals that could be opened and match their fingerprint.
        package var opened: Int64 = 0
        /// The number of seals not tried because the session's keys are not in the store.
        package var withoutKeys: Int64 = 0
        /// The number of seals not tried because other keys wrapped those of the session.
        package var withOtherKeys: Int64 = 0
        /// The number of records with a valid MAC.
        package var authentic: Int64 = 0

        /// Creates an empty count.
        package init() {}
    }

    /// The maximum number of faults that are kept; all damaged sessions are counted.
    package static let maximumFaults = 10_000

    /// The number of verified logs.
    package var sessions: Int64 = 0
    /// The number of damaged logs.
    package var damaged: Int64 = 0
    /// The contents of the valid records.
    package var tally = LogTally()
    /// The result of the check of the seals; `nil` when there were no keys to open them.
    package var seals: Seals?
    /// The number of valid checkpoints of the store; only for a whole store.
    package var checkpoints: Int?
    /// The faults in the order in which they were found.
    package private(set) var faults: [Fault] = []
    /// The digest of all records in storage order; only for a whole store.
    package var digest: Digest256?

    /// The number of valid records.
    package var records: Int64 { tally.records }
    /// The first fault.
    package var first: Fault? { faults.first }

    /// Creates the result of a verification that has read nothing yet.
    package init() {}

    /// Verifies a log.
    package mutating func add(_ log: [StoredRecord], of session: SessionID) {
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
    package mutating func add(_ fault: Fault) {
        if faults.count < Self.maximumFaults { faults.append(fault) }
    }
}

extension Verification.Fault {
    /// Creates the fault of a damaged record.
    package init(
        _ damage: LogDamage,
        of session: SessionID,
        after head: StreamHead,
        line: Int? = nil
    ) {
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
}
