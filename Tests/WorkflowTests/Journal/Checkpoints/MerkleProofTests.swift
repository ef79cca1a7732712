import Testing

@testable import EventLog
@testable import SwedbankPay

/// Proofs of all small trees: each proves what it should, and nothing else.
@Suite struct MerkleProofTests {
    private static let greatest = 64
    private static let leaves = (0...greatest).map { MerkleHash.leaf([UInt8($0)]) }
    private static let tree = MerkleTree(leaves: leaves)

    private func flipped(_ hash: Digest256) -> Digest256 {
        Digest256(
            bytes: hash.bytes.enumerated().map { $0.offset == 17 ? $0.element ^ 1 : $0.element }
        )
            ?? .zero
    }

    /// Returns the root as the standard defines it, without any cache.
    private func definedRoot(_ leaves: ArraySlice<Digest256>) -> Digest256 {
        guard leaves.count > 1 else { return leaves.first ?? MerkleHash.nothing }
        var half = 1
        while half * 2 < leaves.count { half *= 2 }
        return MerkleHash.node(
            definedRoot(leaves.prefix(half)),
            definedRoot(leaves.dropFirst(half))
        )
    }

    @Test func `each root of a growing tree matches the standard's definition`() {
        var (tree, frontier) = (MerkleTree(), MerkleFrontier())
        for size in 0...300 {
            let all = (0..<size).map { MerkleHash.leaf([UInt8($0 & 0xFF), UInt8($0 >> 8)]) }
            let root = definedRoot(all[...])
            #expect(tree.root == root && frontier.root == root, "size \(size)")
            let kept = MerkleFrontier(count: size, peaks: frontier.peaks)
            #expect(kept == frontier)
            #expect(MerkleFrontier(count: size, peaks: frontier.peaks + [root]) == nil)
            let next = MerkleHash.leaf([UInt8(size & 0xFF), UInt8(size >> 8)])
            tree.append(next)
            frontier.append(next)
        }
    }

    @Test func `an inclusion proof verifies for its leaf, index, root and path, and for no others`()
        throws
    {
        for size in 1...Self.greatest {
            let root = try #require(Self.tree.root(of: size))
            for index in 0..<size {
                let path = try #require(Self.tree.inclusion(of: index, in: size))
                func shows(
                    _ leaf: Digest256? = nil,
                    at place: Int? = nil,
                    of total: Int? = nil,
                    root other: Digest256? = nil,
                    path way: [Digest256]? = nil
                ) -> Bool {
                    MerkleProof.includes(
                        leaf ?? Self.leaves[index],
                        at: place ?? index,
                        of: total ?? size,
                        root: other ?? root,
                        path: way ?? path
                    )
                }
                #expect(shows())
                #expect(!shows(flipped(Self.leaves[index])))
                #expect(!shows(root: flipped(root)))
                #expect(!shows(path: path + [root]))
                #expect(!shows(path: [root] + path))
                if !path.isEmpty { #expect(!shows(path: path.dropLast())) }
                for place in path.indices {
                    var altered = path
                    altered[place] = flipped(altered[place])
                    #expect(!shows(path: altered))
                }
                for other in -1...size where other != index { #expect(!shows(at: other)) }
                // The same path may fit the index in a tree of another size, which then has another
                // root.
                for total in 1...Self.greatest where total != size {
                    if index < total, let its = Self.tree.root(of: total) {
                        #expect(!shows(of: total, root: its))
                    }
                }
            }
            #expect(Self.tree.inclusion(of: size, in: size) == nil)
            #expect(Self.tree.inclusion(of: -1, in: size) == nil)
        }
    }

    @Test func `a consistency proof verifies for its two trees, and for no others`() throws {
        for size in 1...Self.greatest {
            let root = try #require(Self.tree.root(of: size))
            for first in 0...size {
                let earlier = try #require(Self.tree.root(of: first))
                let proof = try #require(Self.tree.consistency(from: first, to: size))
                func shows(
                    _ begin: (Int, Digest256)? = nil,
                    _ end: (Int, Digest256)? = nil,
                    _ way: [Digest256]? = nil
                ) -> Bool {
                    MerkleProof.extends(
                        begin ?? (first, earlier),
                        to: end ?? (size, root),
                        proof: way ?? proof
                    )
                }
                #expect(shows(), "\(first) to \(size)")
                #expect(!shows((first, flipped(earlier))))
                if first > 0 { #expect(!shows(nil, (size, flipped(root)))) }
                #expect(!shows(nil, nil, proof + [root]))
                if !proof.isEmpty {
                    #expect(!shows(nil, nil, Array(proof.dropFirst())))
                    #expect(!shows(nil, nil, Array(proof.dropLast())))
                }
                for place in proof.indices {
                    var altered = proof
                    altered[place] = flipped(altered[place])
                    #expect(!shows(nil, nil, altered), "\(first) to \(size)")
                }
                for other in -1...(size + 1) where other != first && first > 0 {
                    #expect(!shows((other, earlier)), "\(other) for \(first) to \(size)")
                }
            }
            #expect(Self.tree.consistency(from: size + 1, to: size) == nil)
            #expect(Self.tree.consistency(from: -1, to: size) == nil)
        }
    }

    @Test func `an inclusion proof in a tree of 100,000 leaves has 17 hashes and verifies`() throws
    {
        var tree = MerkleTree()
        for number in 0..<100_000 { tree.append(Self.leaves[number % 64]) }
        let path = try #require(tree.inclusion(of: 77_777))
        #expect(path.count == 17)
        #expect(
            MerkleProof.includes(
                Self.leaves[77_777 % 64],
                at: 77_777,
                of: 100_000,
                root: tree.root,
                path: path
            )
        )
    }
}
