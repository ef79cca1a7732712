package import EventLog
package import Inspection

extension Verification {
    /// Creates the result of an audit.
    ///
    /// - Parameters:
    ///   - result: What the audit found.
    ///   - structure: The structural faults, which come first.
    ///   - isOpening: Whether there were keys to open the seals.
    ///   - digest: The digest of all records in storage order; only for a whole store.
    package init(
        _ result: StoreAuditResult,
        _ structure: StoreAuditResult,
        opensSeals isOpening: Bool,
        digest: Digest256?
    ) {
        self.init()
        sessions = result.sessions + result.damaged
        damaged = result.damaged
        tally = result.tally
        seals = isOpening ? Seals(result.seals) : nil
        self.digest = digest
        for fault in structure.faults + result.faults { add(Fault(fault)) }
    }
}

extension Verification.Seals {
    fileprivate init(_ tally: SealTally) {
        self.init()
        opened = tally.opened
        withoutKeys = tally.withoutKeys
        withOtherKeys = tally.withOtherKeys
        authentic = tally.authentic
    }
}

extension Verification.Fault {
    /// Creates a fault of a store.
    package init(_ fault: StoreFault) {
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
