public import EventLog
internal import SwedbankPay

/// What an audit found.
public struct StoreAuditResult: Hashable, Sendable {
    /// How many sessions are sound.
    public var sessions: Int64 = 0
    /// How many sessions are not.
    public var damaged: Int64 = 0
    /// What the sound records hold, also those before a session's first bad one.
    public var tally = LogTally()
    /// What was found of the seals, if keys were given.
    public var seals = SealTally()
    /// The faults in the order of the store, at most ``StoreAudit/maximumFaults``.
    public var faults: [StoreFault] = []

    /// Nothing yet.
    public init() {}

    /// Counts a fault.
    public mutating func add(_ fault: StoreFault) {
        if case .structure = fault.kind {} else { damaged += 1 }
        if faults.count < StoreAudit.maximumFaults { faults.append(fault) }
    }
}

/// How far an audit has come in the order in which records were stored.
public struct StoreAuditPosition: Hashable, Sendable {
    /// A record's place and hash.
    public struct Place: Hashable, Sendable {
        /// The place over all sessions.
        public var position: Int64
        /// The hash of the record there.
        public var hash: Digest256

        /// The place of a record.
        public init(position: Int64, hash: Digest256) {
            self.position = position
            self.hash = hash
        }
    }

    /// The store's first record, by which the store is known again; nothing when it has none.
    public var first: Place?
    /// The newest record that was checked.
    public var last: Place?
    /// Up to which place records were checked.
    public var done: Int64
    /// The place of the record that was the newest when the audit began; the ones after it are not part of it.
    public var end: Int64
    /// SHA-256 over the digest before and the hashes of each piece: the same for the same records, in one go or in several.
    public var digest: Digest256

    /// A position with these members.
    public init(first: Place?, last: Place?, done: Int64, end: Int64, digest: Digest256) {
        self.first = first
        self.last = last
        self.done = done
        self.end = end
        self.digest = digest
    }
}

/// What is needed to take an audit up again.
public struct StoreAuditMark: Hashable, Sendable {
    /// A session that has to be looked at closely in the end.
    public struct Suspect: Hashable, Sendable {
        /// Its integer key.
        public var key: Int64
        /// Where in the store it was noticed.
        public var position: Int64

        /// A session that was noticed at a place.
        public init(key: Int64, position: Int64) {
            self.key = key
            self.position = position
        }
    }

    /// How far the audit has come.
    public var position: StoreAuditPosition
    /// The sessions that have to be looked at closely, among them all that had begun and not ended.
    public var suspects: [Suspect]
    /// What was found so far.
    public var result: StoreAuditResult

    /// A mark with these members.
    public init(position: StoreAuditPosition, suspects: [Suspect], result: StoreAuditResult) {
        self.position = position
        self.suspects = suspects
        self.result = result
    }
}
