/// The part of a Merkle tree that must be kept to append leaves and compute the root.
///
/// It holds the hashes of the largest complete subtrees, one for each bit set in the size.
///
/// - Note: Source: RFC 6962, section 2.1.
public struct MerkleFrontier: Hashable, Sendable {
    /// The number of leaves.
    public private(set) var count: Int
    /// The hashes of the complete subtrees, the largest first.
    public private(set) var peaks: [Digest256]

    /// Creates the frontier of a tree without leaves.
    public init() {
        (count, peaks) = (0, [])
    }

    /// Creates a frontier from stored values.
    ///
    /// Returns `nil` when a tree of that size has more or fewer subtrees.
    public init?(count: Int, peaks: [Digest256]) {
        guard count >= 0, peaks.count == count.nonzeroBitCount else { return nil }
        self.count = count
        self.peaks = peaks
    }

    /// Appends a leaf's hash.
    public mutating func append(_ leaf: Digest256) {
        peaks.append(leaf)
        count += 1
        for _ in 0..<count.trailingZeroBitCount {
            let right = peaks.removeLast()
            let left = peaks.removeLast()
            peaks.append(MerkleHash.node(left, right))
        }
    }

    /// The root hash; for a tree without leaves, the hash of no bytes.
    public var root: Digest256 {
        guard var root = peaks.last else { return MerkleHash.nothing }
        for peak in peaks.dropLast().reversed() { root = MerkleHash.node(peak, root) }
        return root
    }
}
