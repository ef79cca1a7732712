/// Verifies Merkle proofs from the roots alone.
///
/// - Note: Source: RFC 9162, sections 2.1.3.2 and 2.1.4.2, whose trees are those of RFC 6962.
public enum MerkleProof {
    /// Whether a list of the given size and root has a leaf at the given index.
    ///
    /// - Parameters:
    ///   - leaf: The leaf's hash.
    ///   - index: Its index, from 0.
    ///   - size: The number of leaves in the list.
    ///   - root: The list's root.
    ///   - path: The hashes from the leaf to the root, from the bottom up.
    /// - Returns: Whether the path proves it.
    public static func includes(
        _ leaf: Digest256,
        at index: Int,
        of size: Int,
        root: Digest256,
        path: [Digest256]
    ) -> Bool {
        guard index >= 0, index < size else { return false }
        var (place, last) = (index, size - 1)
        var hash = leaf
        for sibling in path {
            guard last > 0 else { return false }
            if place % 2 == 1 || place == last {
                hash = MerkleHash.node(sibling, hash)
                while place % 2 == 0, place > 0 { (place, last) = (place / 2, last / 2) }
            } else {
                hash = MerkleHash.node(hash, sibling)
            }
            (place, last) = (place / 2, last / 2)
        }
        return last == 0 && hash == root
    }

    /// Whether the larger list begins with the smaller one.
    public static func extends(
        _ first: (size: Int, root: Digest256),
        to second: (size: Int, root: Digest256),
        proof: [Digest256]
    ) -> Bool {
        guard first.size >= 0, first.size <= second.size else { return false }
        if first.size == second.size { return proof.isEmpty && first.root == second.root }
        if first.size == 0 { return proof.isEmpty && first.root == MerkleHash.nothing }
        var path = proof[...]
        var start = first.root
        if first.size & (first.size - 1) != 0 {
            guard let told = path.popFirst() else { return false }
            start = told
        }
        var (place, last) = (first.size - 1, second.size - 1)
        while place % 2 == 1 { (place, last) = (place / 2, last / 2) }
        var (left, right) = (start, start)
        for node in path {
            guard last > 0 else { return false }
            if place % 2 == 1 || place == last {
                left = MerkleHash.node(node, left)
                right = MerkleHash.node(node, right)
                while place % 2 == 0, place > 0 { (place, last) = (place / 2, last / 2) }
            } else {
                right = MerkleHash.node(right, node)
            }
            (place, last) = (place / 2, last / 2)
        }
        return last == 0 && left == first.root && right == second.root
    }
}
