internal import EventLog
internal import SwedbankPay

/// What was appended to a store since its newest checkpoint.
struct CheckpointGrowth: Sendable {
    var previous: StoredCheckpoint?
    /// The ends of the logs that have grown, in order of their sessions.
    var leaves: [CheckpointLeaf] = []
    /// Up to where they were looked for.
    var position: Int64 = 0
    /// Whether the store is not what the newest checkpoint, or an earlier leaf of one of these sessions, says.
    var contradicts = false
}

/// Makes checkpoints over everything that was appended, a part at a time, whatever the store is.
struct CheckpointMaker: Sendable {
    /// How many records one checkpoint covers at the most; more are covered by several, so that nobody who appends
    /// waits long.
    static let recordsPerCheckpoint = 100_000
    /// How often a checkpoint is begun anew because another process has made one meanwhile.
    private static let maximumTries = 20

    /// The place of the newest record: what is appended later is for the next time, or this one would never end.
    var end: Int64
    /// Looks at what was appended, so many records at the most.
    var growth: @Sendable () async throws(EventStoreError) -> CheckpointGrowth
    /// Looks at the logs that have grown; nil when nobody has the keys.
    var check: ForgeryCheck?
    /// Writes a checkpoint and the leaves that it adds to a list of some size, unless another one was made meanwhile.
    var keep:
        @Sendable (StoredCheckpoint, [CheckpointLeaf], Int) async throws(EventStoreError) -> Bool

    /// Makes them.
    ///
    /// - Throws: ``EventStoreError/busy`` when other processes make checkpoints all the time.
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
                case .forged(let place): return .notAuthentic(leaf.stream, sequence: place)
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
                position: growth.position,
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
            if growth.position >= end {
                return .made(signed, added: added, unchecked: unchecked.sorted())
            }
        }
        throw .busy
    }
}
