public import EventLog
internal import SwedbankPay

/// What is needed to take the audit of a store up again that goes from session to session.
public struct SessionAuditMark: Hashable, Sendable {
    /// A session and the hash of its first record, which never changes.
    public struct Place: Hashable, Sendable {
        /// The session.
        public var session: SessionID
        /// The hash of its first record; zero when that does not read.
        public var hash: Digest256

        /// The place of a session.
        public init(session: SessionID, hash: Digest256) {
            self.session = session
            self.hash = hash
        }
    }

    /// The first session that was looked at, by which the store is known again; nothing when there was none.
    public var first: Place?
    /// The session that was looked at last.
    public var last: Place?
    /// The sessions that are not sound: they have to be looked at again.
    public var suspects: [SessionID]
    /// What was found of all others.
    public var result: StoreAuditResult

    /// A mark with these members.
    public init(first: Place?, last: Place?, suspects: [SessionID], result: StoreAuditResult) {
        self.first = first
        self.last = last
        self.suspects = suspects
        self.result = result
    }
}

extension StoreAuditResult {
    /// Counts what came of a session.
    mutating func count(_ fault: StoreFault?, _ tally: LogTally, _ seals: SealTally) {
        self.tally.add(tally)
        self.seals.add(seals)
        if let fault { add(fault) } else { sessions += 1 }
    }
}
