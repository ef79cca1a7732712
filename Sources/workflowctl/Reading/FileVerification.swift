internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Verifies logs as they are read, line by line, of any number of sessions in any order.
///
/// For each session it keeps the end of the valid part, never the records.
struct FileVerification {
    /// The state of one session.
    struct Session {
        /// The valid part.
        fileprivate(set) var verifier: LogVerifier<SessionEvent>
        /// Whether the session is damaged; its later records are no longer checked.
        fileprivate(set) var isDamaged = false
        /// The last line that belonged to it.
        fileprivate(set) var lastLine = 0
    }

    /// The results so far.
    private(set) var verification = Verification()
    /// The sessions that occurred.
    private(set) var sessions: [SessionID: Session] = [:]

    /// Verifies the next line, and returns its record if it is valid.
    mutating func verify(_ entry: LogReader.Entry) -> StoredRecord? {
        switch entry {
        case .fault(let fault):
            verification.add(Verification.Fault(fault))
            return nil
        case .record(let record, let line): return verify(record, line)
        }
    }

    /// A fault of a record that only its keys reveal.
    mutating func addFault(_ kind: StoreFault.Kind, of record: StoredRecord) {
        guard sessions[record.stream]?.isDamaged == false else { return }
        damage(
            record.stream,
            Verification.Fault(
                .init(session: record.stream, sequence: record.sequence, kind: kind)
            )
        )
    }

    /// Counts the results of the seals.
    mutating func count(
        opened: Int64 = 0,
        withoutKeys: Int64 = 0,
        withOtherKeys: Int64 = 0,
        authentic: Int64 = 0
    ) {
        var seals = verification.seals ?? .init()
        seals.opened += opened
        seals.withoutKeys += withoutKeys
        seals.withOtherKeys += withOtherKeys
        seals.authentic += authentic
        verification.seals = seals
    }

    private mutating func verify(_ record: StoredRecord, _ line: Int) -> StoredRecord? {
        let session = record.stream
        if sessions[session] == nil {
            sessions[session] = Session(verifier: LogVerifier<SessionEvent>(stream: session))
            verification.sessions += 1
        }
        sessions[session]?.lastLine = line
        guard sessions[session]?.isDamaged == false else { return nil }
        do throws(LogDamage) {
            guard let checked = try sessions[session]?.verifier.check(record) else { return nil }
            verification.tally.count(checked, sealed: record.seals.count)
            return record
        } catch {
            let head = sessions[session]?.verifier.head ?? .empty
            damage(session, Verification.Fault(error, of: session, after: head, line: line))
            return nil
        }
    }

    private mutating func damage(_ session: SessionID, _ fault: Verification.Fault) {
        sessions[session]?.isDamaged = true
        verification.damaged += 1
        verification.add(fault)
    }
}
