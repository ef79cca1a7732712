internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The Merkle tree of a store's newest checkpoint, for inclusion proofs.
struct CheckpointTree: Sendable {
    /// The checkpoint.
    let newest: SignedCheckpoint
    /// The tree over all leaves that it covers.
    private(set) var tree = MerkleTree()
    /// The leaves that it covers, if they were requested.
    private(set) var leaves: [CheckpointLeaf] = []

    /// The maximum number of leaves in one file, so that the file stays readable.
    static let leavesLimit = 300_000

    /// Reads the leaves and builds the tree.
    ///
    /// - Throws: A failure when there is no checkpoint, or when the leaves do not give its root:
    ///   then no proof is valid.
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
                "the checkpoint covers more than \(leavesLimit) log ends",
                hint:
                    "leave out --leaves, or use 'checkpoint prove' for a single session"
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
                "the store's leaves do not match the root of its latest checkpoint",
                hint: "run 'workflowctl checkpoint verify' to find the first contradiction"
            )
        }
        return tree
    }

    /// Reads all checkpoints of a store, oldest first.
    static func checkpoints(
        of store: any CheckpointStore
    ) async throws(Failure) -> [SignedCheckpoint] {
        do throws(EventStoreError) {
            return try await store.allCheckpoints()
        } catch {
            throw Failure(error)
        }
    }

    /// The failure when there is no checkpoint.
    static let none = Failure(
        .unknown,
        "checkpoint.none",
        "the store has no checkpoint",
        hint: "create one with 'workflowctl checkpoint create'"
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
    /// Reads all checkpoints, oldest first.
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

    /// Returns whether a checkpoint is one of the store's.
    func has(_ checkpoint: Checkpoint) async throws(EventStoreError) -> Bool {
        try await checkpoints(from: checkpoint.size, limit: 1).first?.signed.checkpoint
            == checkpoint
    }
}
