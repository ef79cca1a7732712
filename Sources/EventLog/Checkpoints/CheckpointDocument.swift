/// A checkpoint as a file to be kept elsewhere, together with the proofs it carries.
public struct CheckpointDocument: Hashable, Sendable {
    /// Proves that the checkpoint's list begins with that of an earlier one.
    public struct Consistency: Hashable, Sendable {
        /// The size of the earlier list.
        public var size: Int
        /// The root of the earlier list.
        public var root: Digest256
        /// The proof's hashes, in the form that ``MerkleProof/extends(_:to:proof:)`` accepts.
        public var path: [Digest256]

        /// Creates a proof from an earlier list.
        public init(size: Int, root: Digest256, path: [Digest256]) {
            self.size = size
            self.root = root
            self.path = path
        }
    }

    /// Proves that the checkpoint covers the end of a session's log.
    public struct Inclusion: Hashable, Sendable {
        /// The leaf's index in the list, from 0.
        public var index: Int
        /// The end of the log.
        public var leaf: CheckpointLeaf
        /// The proof's hashes, in the form that ``MerkleProof/includes(_:at:of:root:path:)``
        /// accepts.
        public var path: [Digest256]

        /// Creates a proof for a leaf.
        public init(index: Int, leaf: CheckpointLeaf, path: [Digest256]) {
            self.index = index
            self.leaf = leaf
            self.path = path
        }
    }

    /// The checkpoint and its signature.
    public var signed: SignedCheckpoint
    /// The proof that the checkpoint extends an earlier one.
    public var consistency: Consistency?
    /// The proof that the checkpoint covers a session.
    public var inclusion: Inclusion?
    /// All leaves that the checkpoint covers, in order; `nil` when the file has only the root.
    public var leaves: [CheckpointLeaf]?

    /// Creates a file for a checkpoint.
    public init(
        _ signed: SignedCheckpoint,
        consistency: Consistency? = nil,
        inclusion: Inclusion? = nil,
        leaves: [CheckpointLeaf]? = nil
    ) {
        self.signed = signed
        self.consistency = consistency
        self.inclusion = inclusion
        self.leaves = leaves
    }

    /// A claim in the file that does not hold.
    public enum Fault: Hashable, Sendable {
        /// The signature was not made by the key that the file names.
        case signature
        /// The proof that the checkpoint extends an earlier one is invalid.
        case consistency
        /// The proof that the checkpoint covers a session is invalid.
        case inclusion
        /// The leaves do not produce the root.
        case leaves
    }

    /// The first claim that does not hold, determined from the file alone.
    ///
    /// Who owns the key, and whether a store holds what the file says, must be checked elsewhere.
    public var fault: Fault? {
        let (root, size) = (signed.checkpoint.root, signed.checkpoint.size)
        guard signed.isSignedByItsKey else { return .signature }
        if let consistency {
            let isShown = MerkleProof.extends(
                (consistency.size, consistency.root),
                to: (size, root),
                proof: consistency.path
            )
            guard isShown else { return .consistency }
        }
        if let inclusion {
            let isShown = MerkleProof.includes(
                inclusion.leaf.treeHash,
                at: inclusion.index,
                of: size,
                root: root,
                path: inclusion.path
            )
            guard isShown else { return .inclusion }
        }
        if let leaves {
            var frontier = MerkleFrontier()
            for leaf in leaves { frontier.append(leaf.treeHash) }
            guard frontier.count == size, frontier.root == root else { return .leaves }
        }
        return nil
    }
}
