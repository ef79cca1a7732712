public import EventLog
internal import SwedbankPay

/// The findings of an audit.
public struct StoreAuditResult: Hashable, Sendable {
    /// The number of intact sessions.
    public var sessions: Int64 = 0
    /// The number of sessions with faults.
    public var damaged: Int64 = 0
    /// The tally of the intact records, including those before a session's first bad one.
    public var tally = LogTally()
    /// The findings about seals, if keys were given.
    public var seals = SealTally()
    /// The faults in storage order, at most ``StoreAudit/maximumFaults``.
    public var faults: [StoreFault] = []

    /// Creates an empty result.
    public init() {}

    /// Counts the sessions whose row for lists is wrong, apart from those with faults already.
    mutating func count(copies found: [StoreFault]) {
        let known = Set(faults.map(\.session))
        for fault in found where !known.contains(fault.session) {
            // A copy of no session was counted nowhere.
            if fault.sequence != nil { sessions -= 1 }
            add(fault)
        }
    }

    /// Counts a fault.
    public mutating func add(_ fault: StoreFault) {
        if case .structure = fault.kind {} else { damaged += 1 }
        if faults.count < StoreAudit.maximumFaults { faults.append(fault) }
    }
}

/// How far an audit has come in storage order.
public struct StoreAuditPosition: Hashable, Sendable {
    /// A record's log position and hash.
    public struct Place: Hashable, Sendable {
        /// The log position over all sessions.
        public var position: Int64
        /// The hash of the record there.
        public var hash: Digest256

        /// Creates a value with these members.
        public init(position: Int64, hash: Digest256) {
            self.position = position
            self.hash = hash
        }
    }

    /// The store's first record, which identifies the store; `nil` when there is none.
    public var first: Place?
    /// The newest record that was checked.
    public var last: Place?
    /// The log position up to which records were checked.
    public var done: Int64
    /// The log position of the newest record when the audit began; later records are not part of
    /// it.
    public var end: Int64
    /// SHA-256 over the previous digest and the hashes of each piece: equal for equal records, in
    /// one run or several.
    public var digest: Digest256

    /// Creates a position with these members.
    public init(first: Place?, last: Place?, done: Int64, end: Int64, digest: Digest256) {
        self.first = first
        self.last = last
        self.done = done
        self.end = end
        self.digest = digest
    }
}

/// The state from which an audit can be resumed.
public struct StoreAuditMark: Hashable, Sendable {
    /// A session that must be examined again at the end.
    public struct Suspect: Hashable, Sendable {
        /// The session's integer key.
        public var key: Int64
        /// The log position at which it was noticed.
        public var position: Int64

        /// Creates a suspect with these members.
        public init(key: Int64, position: Int64) {
            self.key = key
            self.position = position
        }
    }

    /// How far the audit has come.
    public var position: StoreAuditPosition
    /// The sessions that must be examined again, including all that had begun and not ended.
    public var suspects: [Suspect]
    /// The result so far.
    public var result: StoreAuditResult

    /// Creates a mark with these members.
    public init(position: StoreAuditPosition, suspects: [Suspect], result: StoreAuditResult) {
        self.position = position
        self.suspects = suspects
        self.result = result
    }
}
