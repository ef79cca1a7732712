public import EventLog
internal import SwedbankPay

/// A checkpoint as a store keeps it.
public struct StoredCheckpoint: Hashable, Sendable {
    /// The checkpoint and its signature.
    public var signed: SignedCheckpoint
    /// The store's place up to which it covers what was appended.
    public var position: Int64
    /// What the next checkpoint's tree grows from.
    public var frontier: MerkleFrontier

    /// A checkpoint with what the next one needs.
    public init(signed: SignedCheckpoint, position: Int64, frontier: MerkleFrontier) {
        self.signed = signed
        self.position = position
        self.frontier = frontier
    }

    /// Whether its parts fit each other: the signature is its key's, and the frontier gives its root.
    var isWhole: Bool {
        signed.isSignedByItsKey && frontier.count == signed.checkpoint.size
            && frontier.root == signed.checkpoint.root
    }
}

/// A leaf, and what the store has in its place.
public struct PlacedLeaf: Hashable, Sendable {
    /// The leaf's place in the list, from 0.
    public var place: Int
    /// The leaf.
    public var leaf: CheckpointLeaf
    /// What the store has there.
    public var found: Found

    /// What a store has in a leaf's place.
    public enum Found: Hashable, Sendable {
        /// A record with that hash.
        case same
        /// A record with another hash.
        case other
        /// No such record of that session.
        case noRecord
        /// No such session.
        case noSession
    }

    /// A leaf at a place.
    public init(place: Int, leaf: CheckpointLeaf, found: Found) {
        self.place = place
        self.leaf = leaf
        self.found = found
    }
}

/// What came of making a checkpoint.
public enum CheckpointMaking: Hashable, Sendable {
    /// It was made: the newest one, how many leaves were added, and the sessions of which nobody here knows who wrote them.
    case made(SignedCheckpoint, added: Int, unchecked: [SessionID])
    /// Nothing was appended since the newest one, if there is one.
    case unchanged(SignedCheckpoint?)
    /// The store contradicts an earlier checkpoint, so that none was made: it would vouch for what was altered.
    case contradicted
    /// A session has a record that nobody with its keys wrote, so that none was made.
    case notAuthentic(SessionID, sequence: Int64)
}
