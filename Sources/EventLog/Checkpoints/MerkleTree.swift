/// A tree of hashes over a list that only grows.
///
/// The root stands for all leaves and their order. With a few hashes more it can be shown that a leaf is in the list
/// (``inclusion(of:in:)``), and that a longer list begins with a shorter one (``consistency(from:to:)``), without the list.
///
/// The hash of each complete subtree is kept once it is known: appending costs two hashes on average, a root or a
/// proof as many as the tree has levels, of its present size and of every earlier one. Whoever needs the root alone
/// takes a ``MerkleFrontier``, which keeps next to nothing.
///
/// - Note: Source: RFC 6962, section 2.1.
public struct MerkleTree: Hashable, Sendable {
    /// At each level the hashes of the complete subtrees of 2^level leaves, from left to right.
    private var levels: [[Digest256]] = [[]]

    /// A tree without leaves.
    public init() {}

    /// A tree over leaves that were hashed already.
    public init(leaves: some Sequence<Digest256>) {
        for leaf in leaves { append(leaf) }
    }

    /// How many leaves there are.
    public var count: Int { levels[0].count }

    /// The hash of everything; of no leaves the hash of nothing.
    public var root: Digest256 { hash(of: 0..<count) }

    /// Puts a leaf's hash at the end.
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

    /// The root that the tree had when it was that large.
    ///
    /// - Returns: Nothing when it never was.
    public func root(of size: Int) -> Digest256? {
        (0...count).contains(size) ? hash(of: 0..<size) : nil
    }

    /// The hashes that lead from a leaf to the root, from the bottom up.
    ///
    /// - Parameters:
    ///   - leaf: The leaf's place, from 0.
    ///   - size: The size of the tree that the root is of; its present one when nothing is given.
    /// - Returns: Nothing when there is no such leaf.
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

    /// The hashes that show that the list of a later size begins with that of an earlier one.
    ///
    /// - Returns: Nothing when the tree never had these sizes; no hashes when there is nothing to show: both are the
    ///   same, or the earlier one is empty.
    public func consistency(from first: Int, to second: Int? = nil) -> [Digest256]? {
        let second = second ?? count
        guard first >= 0, first <= second, second <= count else { return nil }
        guard first > 0, first < second else { return [] }
        var proof: [Digest256] = []
        var range = 0..<second
        // Down to the subtree whose end is that of the earlier list; what stands beside the way is what is to be shown.
        while range.upperBound != first {
            let (left, right) = range.halves
            let isLeft = first <= left.upperBound
            proof.append(hash(of: isLeft ? right : left))
            range = isLeft ? left : right
        }
        // Whoever checks has the earlier root: the subtree need not be told when it is all of the earlier list.
        if range.lowerBound > 0 { proof.append(hash(of: range)) }
        return proof.reversed()
    }

    /// The hash of a subtree: its lower bound is a multiple of the power of two that its leaves fill.
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
    /// The two sides of a tree over the range: the left one has the largest power of two of leaves that is below all.
    fileprivate var halves: (left: Range<Int>, right: Range<Int>) {
        let middle = lowerBound + 1 << (Int.bitWidth - 1 - (count - 1).leadingZeroBitCount)
        return (lowerBound..<middle, middle..<upperBound)
    }
}
