/// What has to be kept of a tree of hashes so that it can grow and tell its root: the hashes of its largest complete
/// subtrees, one for each bit of its size.
///
/// - Note: Source: RFC 6962, section 2.1.
public struct MerkleFrontier: Hashable, Sendable {
    /// How many leaves there are.
    public private(set) var count: Int
    /// The hashes of the subtrees, the largest first.
    public private(set) var peaks: [Digest256]

    /// The frontier of a tree without leaves.
    public init() {
        (count, peaks) = (0, [])
    }

    /// A frontier that was kept.
    ///
    /// - Returns: Nothing when a tree of that size has more or fewer subtrees.
    public init?(count: Int, peaks: [Digest256]) {
        guard count >= 0, peaks.count == count.nonzeroBitCount else { return nil }
        self.count = count
        self.peaks = peaks
    }

    /// Puts a leaf's hash at the end.
    public mutating func append(_ leaf: Digest256) {
        peaks.append(leaf)
        count += 1
        for _ in 0..<count.trailingZeroBitCount {
            let right = peaks.removeLast()
            let left = peaks.removeLast()
            peaks.append(MerkleHash.node(left, right))
        }
    }

    /// The hash of everything; of no leaves the hash of nothing.
    public var root: Digest256 {
        guard var root = peaks.last else { return MerkleHash.nothing }
        for peak in peaks.dropLast().reversed() { root = MerkleHash.node(peak, root) }
        return root
    }
}
