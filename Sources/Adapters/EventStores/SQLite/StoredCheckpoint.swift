public import EventLog

/// A checkpoint as kept by a store.
public struct StoredCheckpoint: Hashable, Sendable {
    /// The checkpoint and its signature.
    public var signed: SignedCheckpoint
    /// The position up to which it covers what was appended, in each lane of the store.
    public var positions: [Int64]
    /// The frontier from which the next checkpoint's tree grows.
    public var frontier: MerkleFrontier

    /// Creates a checkpoint with these members.
    public init(signed: SignedCheckpoint, positions: [Int64], frontier: MerkleFrontier) {
        self.signed = signed
        self.positions = positions
        self.frontier = frontier
    }

    /// Whether its parts are consistent: its own key has signed it, and the frontier results in its
    /// root.
    var isWhole: Bool {
        signed.isSignedByItsKey && frontier.count == signed.checkpoint.size
            && frontier.root == signed.checkpoint.root
    }
}

/// A leaf, and what the store has at that position.
public struct PlacedLeaf: Hashable, Sendable {
    /// The leaf's index in the list, from 0.
    public var place: Int
    /// The leaf.
    public var leaf: CheckpointLeaf
    /// The store's contents at that position.
    public var found: Found

    /// The contents of a store at a leaf's position.
    public enum Found: Hashable, Sendable {
        /// A record with that hash.
        case same
        /// A record with another hash.
        case other
        /// The session exists, but not the record.
        case noRecord
        /// The session does not exist.
        case noSession
    }

    /// Creates a leaf at an index.
    public init(place: Int, leaf: CheckpointLeaf, found: Found) {
        self.place = place
        self.leaf = leaf
        self.found = found
    }
}

/// The outcome of creating checkpoints.
public enum CheckpointMaking: Hashable, Sendable {
    /// Created: the newest one, the number of added leaves, and the sessions that could not be
    /// authenticated here.
    case made(SignedCheckpoint, added: Int, unchecked: [SessionID])
    /// No record was appended since the newest checkpoint, if there is one.
    case unchanged(SignedCheckpoint?)
    /// The store contradicts an earlier checkpoint; none was created, since it would cover altered
    /// records.
    case contradicted
    /// A session has a record that was not written with its keys; no checkpoint was created.
    case notAuthentic(SessionID, sequence: SequenceNumber)
}
