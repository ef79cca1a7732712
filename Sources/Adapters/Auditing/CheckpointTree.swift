package import EventLog

/// The Merkle tree of a store's newest checkpoint, for inclusion proofs.
package struct CheckpointTree: Sendable {
    /// The checkpoint.
    package let newest: SignedCheckpoint
    /// The tree over all leaves that it covers.
    package private(set) var tree = MerkleTree()
    /// The leaves that it covers, if they were requested.
    package private(set) var leaves: [CheckpointLeaf] = []

    /// The maximum number of leaves in one file, so that the file stays readable.
    package static let leavesLimit = 300_000

    /// Reads the leaves and builds the tree.
    ///
    /// - Throws: ``CheckpointTreeError`` when there is no checkpoint, or when the leaves do not
    ///   give its root: then no proof is valid.
    package static func read(
        _ store: any CheckpointStore,
        keepsLeaves: Bool = false
    ) async throws(CheckpointTreeError) -> CheckpointTree {
        let newest: StoredCheckpoint?
        do throws(EventStoreError) {
            newest = try await store.newestCheckpoint()
        } catch {
            throw .store(error)
        }
        guard let newest = newest?.signed else { throw .noCheckpoint }
        let size = newest.checkpoint.size
        guard !keepsLeaves || size <= leavesLimit else { throw .tooManyLeaves }
        var tree = CheckpointTree(newest: newest)
        do throws(EventStoreError) {
            try await tree.fill(from: store, keepsLeaves)
        } catch {
            throw .store(error)
        }
        guard tree.tree.count == size, tree.tree.root == newest.checkpoint.root else {
            throw .wrongRoot
        }
        return tree
    }

    private init(newest: SignedCheckpoint) { self.newest = newest }

    private mutating func fill(
        from store: any CheckpointStore,
        _ keepsLeaves: Bool
    ) async throws(EventStoreError) {
        let size = newest.checkpoint.size
        while tree.count < size {
            let limit = min(CheckpointAudit.batch, size - tree.count)
            let more = try await store.checkpointLeaves(from: tree.count, limit: limit)
            if more.isEmpty { return }
            for placed in more {
                guard placed.place == tree.count else { return }
                tree.append(placed.leaf.treeHash)
                if keepsLeaves { leaves.append(placed.leaf) }
            }
        }
    }
}

/// Why a store's checkpoint proves nothing.
package enum CheckpointTreeError: Error, Hashable, Sendable {
    /// The store has no checkpoint.
    case noCheckpoint
    /// The checkpoint covers more leaves than fit into one file.
    case tooManyLeaves
    /// The store's leaves do not match the root of its newest checkpoint.
    case wrongRoot
    /// The store could not be read.
    case store(EventStoreError)
}

extension CheckpointStore {
    /// Reads all checkpoints, oldest first.
    package func allCheckpoints() async throws(EventStoreError) -> [SignedCheckpoint] {
        var checkpoints: [SignedCheckpoint] = []
        while true {
            let more = try await self.checkpoints(
                from: (checkpoints.last?.checkpoint.size ?? 0) + 1,
                limit: CheckpointAudit.batch
            )
            checkpoints += more.map(\.signed)
            if more.count < CheckpointAudit.batch { return checkpoints }
        }
    }

    /// Returns whether a checkpoint is one of the store's.
    package func has(_ checkpoint: Checkpoint) async throws(EventStoreError) -> Bool {
        try await checkpoints(from: checkpoint.size, limit: 1).first?.signed.checkpoint
            == checkpoint
    }
}
