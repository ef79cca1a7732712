internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The Merkle tree of a store's newest checkpoint, for inclusion proofs.
struct CheckpointTree: Sendable {
    /// The checkpoint.
    let newest: SignedCheckpoint
    /// The tree over all leaves of the checkpoint.
    private(set) var tree = MerkleTree()
    /// The leaves of the checkpoint, when they were requested.
    private(set) var leaves: [CheckpointLeaf] = []

    /// The maximum number of leaves that are written to one file, so that the file can be read
    /// again.
    static let leavesLimit = 300_000

    /// Reads the leaves and builds the tree.
    ///
    /// - Throws: A failure when there is no checkpoint, or when the leaves do not produce its root,
    ///   because no proof would be valid then.
    static func read(
        _ store: any CheckpointStore,
        keepsLeaves: Bool = false
    ) async throws(Failure) -> CheckpointTree {
        let newest: StoredCheckpoint?
        do throws(EventStoreError) {
            newest = try await store.newestCheckpoint()
        } catch {
            throw Failure(error)
        }
        guard let newest = newest?.signed else { throw Self.none }
        let size = newest.checkpoint.size
        guard !keepsLeaves || size <= leavesLimit else {
            throw Failure(
                .usage,
                "checkpoint.too-many-leaves",
                "the checkpoint covers more than \(leavesLimit) ends of logs",
                hint: "leave out --leaves; 'checkpoint prove' shows one session's"
            )
        }
        var tree = CheckpointTree(newest: newest)
        do throws(EventStoreError) {
            try await tree.fill(from: store, keepsLeaves)
        } catch {
            throw Failure(error)
        }
        guard tree.tree.count == size, tree.tree.root == newest.checkpoint.root else {
            throw Failure(
                .damaged,
                "checkpoint.wrong-root",
                "the leaves of the store don't give the root of its newest checkpoint",
                hint: "'workflowctl checkpoint verify' names the first contradiction"
            )
        }
        return tree
    }

    /// Returns all checkpoints of a store, oldest first.
    static func checkpoints(
        of store: any CheckpointStore
    ) async throws(Failure) -> [SignedCheckpoint] {
        do throws(EventStoreError) {
            return try await store.allCheckpoints()
        } catch {
            throw Failure(error)
        }
    }

    /// The failure of a store without a checkpoint.
    static let none = Failure(
        .unknown,
        "checkpoint.none",
        "the store has no checkpoint",
        hint: "'workflowctl checkpoint create' makes one"
    )

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

extension CheckpointStore {
    /// Returns all checkpoints, oldest first.
    func allCheckpoints() async throws(EventStoreError) -> [SignedCheckpoint] {
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

    /// Whether the store has this checkpoint.
    func has(_ checkpoint: Checkpoint) async throws(EventStoreError) -> Bool {
        try await checkpoints(from: checkpoint.size, limit: 1).first?.signed.checkpoint
            == checkpoint
    }
}
