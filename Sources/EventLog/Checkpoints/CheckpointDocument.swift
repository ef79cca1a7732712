/// A checkpoint as a file for somebody who keeps it, with what it is to show.
public struct CheckpointDocument: Hashable, Sendable {
    /// Shows that the checkpoint's list begins with that of an earlier one.
    public struct Consistency: Hashable, Sendable {
        /// The size of the earlier list.
        public var size: Int
        /// The root of the earlier list.
        public var root: Digest256
        /// The hashes that show it, as ``MerkleProof/extends(_:to:proof:)`` takes them.
        public var path: [Digest256]

        /// A proof from an earlier list.
        public init(size: Int, root: Digest256, path: [Digest256]) {
            self.size = size
            self.root = root
            self.path = path
        }
    }

    /// Shows that the checkpoint covers the end of a session's log.
    public struct Inclusion: Hashable, Sendable {
        /// The leaf's place in the list, from 0.
        public var index: Int
        /// The end of the log.
        public var leaf: CheckpointLeaf
        /// The hashes that show it, as ``MerkleProof/includes(_:at:of:root:path:)`` takes them.
        public var path: [Digest256]

        /// A proof of a leaf.
        public init(index: Int, leaf: CheckpointLeaf, path: [Digest256]) {
            self.index = index
            self.leaf = leaf
            self.path = path
        }
    }

    /// The checkpoint and its signature.
    public var signed: SignedCheckpoint
    /// That it goes on from an earlier one.
    public var consistency: Consistency?
    /// That it covers a session.
    public var inclusion: Inclusion?
    /// All that it covers, in order; nothing when only the root is told.
    public var leaves: [CheckpointLeaf]?

    /// A file of a checkpoint.
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

    /// What a file claims and does not keep.
    public enum Fault: Hashable, Sendable {
        /// The signature is not of the key that the file names.
        case signature
        /// The proof that it goes on from an earlier checkpoint does not show it.
        case consistency
        /// The proof that it covers a session does not show it.
        case inclusion
        /// The leaves do not give the root.
        case leaves
    }

    /// The first claim that the file does not keep; needs nothing but the file.
    ///
    /// Whose key it is, and whether a store holds what the file says, is for others to tell.
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
