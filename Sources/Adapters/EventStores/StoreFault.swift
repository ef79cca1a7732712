public import EventLog

/// A fault of a store.
public struct StoreFault: Hashable, Sendable {
    /// The kinds of faults.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// SQLite reports that the file's structure is damaged, with this message.
        case structure(String)
        /// A record is damaged, missing, duplicated or moved.
        case log(LogDamage)
        /// A row of the session is invalid.
        case unreadable(String)
        /// The session index has another number of records than the log.
        case missingRecords(listed: SequenceNumber, found: SequenceNumber)
        /// The session index contradicts the log in these members.
        case projection([String])
        /// A record belongs to no session.
        case noSession
        /// A seal cannot be opened in its record, or its content does not match its fingerprint,
        /// although the session's keys are available.
        case wrongSeal
        /// A record was written without the session's keys, or the end of the log was removed.
        case notAuthentic
        /// The session's data key cannot be unwrapped, although the master key that it names is
        /// available.
        case wrongKey
    }

    /// The session; `nil` when none is concerned, or it is unknown.
    public var session: SessionID?
    /// The sequence number of the first bad record; `nil` when no record is concerned.
    public var sequence: SequenceNumber?
    /// The kind of fault.
    public var kind: Kind

    /// Creates a fault with these members.
    public init(session: SessionID?, sequence: SequenceNumber?, kind: Kind) {
        self.session = session
        self.sequence = sequence
        self.kind = kind
    }
}

extension StoreFault {
    /// The members of the session's row that are wrong.
    package var members: [String] {
        if case .projection(let members) = kind { members } else { [] }
    }

    /// Chooses which of two faults of a session to report, this one being visible only with its
    /// keys.
    ///
    /// A forged log is more important than an index that contradicts it; a fault of the log itself
    /// takes precedence.
    package func weighed(against other: StoreFault?) -> StoreFault {
        guard kind == .notAuthentic, case .projection? = other?.kind else { return other ?? self }
        return self
    }
}

/// The findings about the seals of a store, apart from their number.
public struct SealTally: Hashable, Sendable {
    /// The number of seals that could be opened and match their fingerprint.
    public var opened: Int64 = 0
    /// The number of seals not tried because the session's keys were destroyed or never were in
    /// this store.
    public var withoutKeys: Int64 = 0
    /// The number of seals not tried because the session's data key was wrapped by another master
    /// key, or is damaged.
    public var withOtherKeys: Int64 = 0
    /// The number of records with a valid MAC.
    public var authentic: Int64 = 0

    /// Creates an empty tally.
    public init() {}

    /// Adds another tally.
    public mutating func add(_ other: SealTally) {
        opened += other.opened
        withoutKeys += other.withoutKeys
        withOtherKeys += other.withOtherKeys
        authentic += other.authentic
    }
}
