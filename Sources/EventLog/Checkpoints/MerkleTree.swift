/// A Merkle tree over an append-only list.
///
/// The root commits to all leaves and their order. A few additional hashes prove that a leaf is in
/// the list (``inclusion(of:in:)``) or that a longer list begins with a shorter one
/// (``consistency(from:to:)``), without the list itself.
///
/// The hash of each complete subtree is kept once it is known. Appending costs two hashes on
/// average; a root or a proof, for the present size or any earlier one, costs as many as the tree
/// has levels. When only the root is needed, use a ``MerkleFrontier``, which stores far less.
///
/// - Note: Source: RFC 6962, section 2.1.
public struct MerkleTree: Hashable, Sendable {
    /// For each level, the hashes of the complete subtrees of 2^level leaves, from left to right.
    private var levels: [[Digest256]] = [[]]

    /// Creates a tree without leaves.
    public init() {}

    /// Creates a tree over the hashes of leaves.
    public init(leaves: some Sequence<Digest256>) {
        for leaf in leaves { append(leaf) }
    }

    /// The number of leaves.
    public var count: Int { levels[0].count }

    /// The root hash; for a tree without leaves, the hash of no bytes.
    public var root: Digest256 { hash(of: 0..<count) }

    /// Appends a leaf's hash.
    public mutating func append(_ leaf: Digest256) {
        var (hash, level) = (leaf, 0)
        levels[0].append(hash)
        while levels[level].count % 2 == 0 {
            let right = levels[level].count - 1
            hash = MerkleHash.node(levels[level][right - 1], levels[level][right])
            level += 1
            if level == levels.count { levels.append([]) }
            levels[level].append(hash)
        }
    }

    /// The root that the tree had at the given size.
    ///
    /// - Returns: The root, or `nil` when the tree never had that size.
    public func root(of size: Int) -> Digest256? {
        (0...count).contains(size) ? hash(of: 0..<size) : nil
    }

    /// The hashes that lead from a leaf to the root, from the bottom up.
    ///
    /// - Parameters:
    ///   - leaf: The leaf's index, from 0.
    ///   - size: The size of the tree whose root is meant; its present size when `nil`.
    /// - Returns: The hashes, or `nil` when there is no such leaf.
    public func inclusion(of leaf: Int, in size: Int? = nil) -> [Digest256]? {
        let size = size ?? count
        guard (0...count).contains(size), (0..<size).contains(leaf) else { return nil }
        var path: [Digest256] = []
        var range = 0..<size
        while range.count > 1 {
            let (left, right) = range.halves
            let isLeft = left.contains(leaf)
            path.append(hash(of: isLeft ? right : left))
            range = isLeft ? left : right
        }
        return path.reversed()
    }

    /// The hashes that prove that the list of a later size begins with that of an earlier one.
    ///
    /// - Returns: The hashes, or `nil` when the tree never had these sizes. The proof is empty when
    ///   both sizes are the same or the earlier list is empty.
    public func consistency(from first: Int, to second: Int? = nil) -> [Digest256]? {
        let second = second ?? count
        guard first >= 0, first <= second, second <= count else { return nil }
        guard first > 0, first < second else { return [] }
        var proof: [Digest256] = []
        var range = 0..<second
        // Descend to the subtree that ends where the earlier list ends, collecting the siblings on
        // the way: they are the proof.
        while range.upperBound != first {
            let (left, right) = range.halves
            let isLeft = first <= left.upperBound
            proof.append(hash(of: isLeft ? right : left))
            range = isLeft ? left : right
        }
        // The verifier already has the earlier root, so the subtree's hash is omitted when it
        // covers the whole earlier list.
        if range.lowerBound > 0 { proof.append(hash(of: range)) }
        return proof.reversed()
    }

    /// The hash of a subtree whose lower bound is a multiple of the power of two that its leaves
    /// fill.
    private func hash(of range: Range<Int>) -> Digest256 {
        guard !range.isEmpty else { return MerkleHash.nothing }
        if range.count & (range.count - 1) == 0 {
            return levels[range.count.trailingZeroBitCount][range.lowerBound / range.count]
        }
        let (left, right) = range.halves
        return MerkleHash.node(hash(of: left), hash(of: right))
    }
}

extension Range<Int> {
    /// The two sides of a tree over the range; the left one has the largest power of two that is
    /// less than the count.
    fileprivate var halves: (left: Range<Int>, right: Range<Int>) {
        let middle = lowerBound + 1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
        return (lowerBound..<middle, middle..<upperBound)
    }
}
