public import EventLog

/// The state that a session-by-session audit of a store needs to resume.
public struct SessionAuditMark: Hashable, Sendable {
    /// A session and the hash of its first record, which never changes.
    public struct Place: Hashable, Sendable {
        /// The session.
        public var session: SessionID
        /// The hash of the session's first record; zero when that cannot be read.
        public var hash: Digest256

        /// Creates a value with these members.
        public init(session: SessionID, hash: Digest256) {
            self.session = session
            self.hash = hash
        }
    }

    /// The first session examined, which identifies the store; `nil` when there was none.
    public var first: Place?
    /// The last session examined.
    public var last: Place?
    /// The sessions with faults, which must be examined again.
    public var suspects: [SessionID]
    /// The result for all other sessions.
    public var result: StoreAuditResult

    /// Creates a mark with these members.
    public init(first: Place?, last: Place?, suspects: [SessionID], result: StoreAuditResult) {
        self.first = first
        self.last = last
        self.suspects = suspects
        self.result = result
    }
}

extension StoreAuditResult {
    /// Counts the outcome of a session.
    mutating func count(_ fault: StoreFault?, _ tally: LogTally, _ seals: SealTally) {
        self.tally.add(tally)
        self.seals.add(seals)
        if let fault { add(fault) } else { sessions += 1 }
    }
}
