internal import EventLog

/// The records appended to a store since its newest checkpoint.
struct CheckpointGrowth: Sendable {
    var previous: StoredCheckpoint?
    /// The ends of the logs that have grown, ordered by session.
    var leaves: [CheckpointLeaf] = []
    /// The position up to which records were examined, in each lane.
    var positions: [Int64]
    /// Whether the store contradicts the newest checkpoint, or an earlier leaf of one of these
    /// sessions.
    var contradicts = false
}

/// Creates checkpoints over all appended records, one part at a time, for any kind of store.
struct CheckpointMaker: Sendable {
    /// The maximum number of records per checkpoint; more are covered by several, so that appends
    /// never wait for long.
    static let recordsPerCheckpoint = 100_000
    /// The maximum number of times that a checkpoint is restarted because another process created
    /// one meanwhile.
    private static let maximumTries = 20

    /// The position of the newest record in each lane: later records belong to the next run, or
    /// this one would never end.
    var end: [Int64]
    /// Reads the records appended next, up to the maximum per checkpoint.
    var growth: @Sendable () async throws(EventStoreError) -> CheckpointGrowth
    /// Authenticates the logs that have grown; `nil` when the keys are not available.
    var check: ForgeryCheck?
    /// Stores a checkpoint and its new leaves, for a list of the given size; `false` if another one
    /// was created meanwhile.
    var keep:
        @Sendable (StoredCheckpoint, [CheckpointLeaf], Int) async throws(EventStoreError) -> Bool

    /// Creates the checkpoints.
    ///
    /// - Throws: ``EventStoreError/busy`` when other processes keep creating checkpoints.
    func run(
        signedBy signer: CheckpointSigner,
        at now: Instant
    ) async throws(EventStoreError) -> CheckpointMaking {
        var (added, tries, newest) = (0, 0, SignedCheckpoint?.none)
        var unchecked: Set<SessionID> = []
        while tries < Self.maximumTries {
            let growth = try await growth()
            guard !growth.contradicts else { return .contradicted }
            let previous = growth.previous
            guard !growth.leaves.isEmpty else {
                guard let newest else { return .unchanged(previous?.signed) }
                return .made(newest, added: added, unchecked: unchecked.sorted())
            }
            var unknown: [SessionID] = []
            for leaf in growth.leaves {
                switch try await check?.finding(in: leaf.stream) {
                case .authentic: break
                case .forged(let sequence): return .notAuthentic(leaf.stream, sequence: sequence)
                case .unknown, nil: unknown.append(leaf.stream)
                }
            }
            var frontier = previous?.frontier ?? MerkleFrontier()
            for leaf in growth.leaves { frontier.append(leaf.treeHash) }
            let signed = signer.sign(
                root: frontier.root,
                size: frontier.count,
                at: max(now, previous?.signed.checkpoint.at ?? now)
            )
            guard let signed else {
                throw .unavailable(reason: "the checkpoint could not be signed", code: nil)
            }
            let checkpoint = StoredCheckpoint(
                signed: signed,
                positions: growth.positions,
                frontier: frontier
            )
            let size = previous?.signed.checkpoint.size ?? 0
            guard try await keep(checkpoint, growth.leaves, size) else {
                tries += 1
                continue
            }
            added += growth.leaves.count
            unchecked.formUnion(unknown)
            newest = signed
            if zip(growth.positions, end).allSatisfy({ $0 >= $1 }) {
                return .made(signed, added: added, unchecked: unchecked.sorted())
            }
        }
        throw .busy
    }
}
