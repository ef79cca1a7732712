public import EventLog
internal import SwedbankPay

/// Something that is wrong with a store.
public struct StoreFault: Hashable, Sendable {
    /// The kinds of faults.
    public enum Kind: Hashable, Sendable {
        /// SQLite finds the file's structure damaged; in SQLite's words.
        case structure(String)
        /// A record is damaged, missing, doubled or moved.
        case log(LogDamage)
        /// A row of the session does not hold what it should.
        case unreadable(String)
        /// The list of sessions says that there are so many records, and there are more or fewer.
        case missingRecords(listed: Int64, found: Int64)
        /// The list of sessions says what the log does not say, in these members.
        case projection([String])
        /// A record belongs to no session.
        case noSession
        /// A seal opens neither at its place nor to what its fingerprint says, although the session's keys are at hand.
        case wrongSeal
        /// A record was not written by anybody with the session's keys, or the end of the log was cut off.
        case notAuthentic
        /// The session's data key does not unwrap, although the master key that it names is at hand.
        case wrongKey
    }

    /// The session; nothing when it is none's, or not known.
    public var session: SessionID?
    /// The first bad record's place in its session; nothing when it is no record's.
    public var sequence: Int64?
    /// What is wrong.
    public var kind: Kind

    /// A fault of that kind at that place.
    public init(session: SessionID?, sequence: Int64?, kind: Kind) {
        self.session = session
        self.sequence = sequence
        self.kind = kind
    }
}

extension StoreFault {
    /// Which of two faults of a session is told, this one being what only its keys show.
    ///
    /// Who wrote a log says more than that the list makes something else of it; where the log itself is damaged, that is told.
    func weighed(against other: StoreFault?) -> StoreFault {
        guard kind == .notAuthentic, case .projection? = other?.kind else { return other ?? self }
        return self
    }
}

/// What was found of the seals of a store, beside their number.
public struct SealTally: Hashable, Sendable {
    /// How many seals opened at their place to what their fingerprint says.
    public var opened: Int64 = 0
    /// How many could not be tried, because the session's keys were destroyed or never were in this store.
    public var withoutKeys: Int64 = 0
    /// How many could not be tried, because the session's data key was wrapped by another master key, or is damaged.
    public var withOtherKeys: Int64 = 0
    /// How many records have a MAC, which is the right one.
    public var authentic: Int64 = 0

    /// Nothing yet.
    public init() {}

    /// Counts what another tally has counted.
    public mutating func add(_ other: SealTally) {
        opened += other.opened
        withoutKeys += other.withoutKeys
        withOtherKeys += other.withOtherKeys
        authentic += other.authentic
    }
}
