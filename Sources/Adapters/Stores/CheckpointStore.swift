public import EventLog
internal import SwedbankPay

/// A store that keeps signed checkpoints of itself.
public protocol CheckpointStore: EventStore {
    /// Makes a checkpoint over everything that was appended up to now, while others go on appending.
    ///
    /// A leaf is added for each session whose log has grown since the newest checkpoint; when none has, nothing is
    /// written. A checkpoint never vouches for a history that was rewritten or cut below an earlier one.
    ///
    /// - Parameters:
    ///   - signer: The key to sign with.
    ///   - now: The time; that of the newest checkpoint when it is later.
    ///   - check: What says whether the logs that have grown are authentic; nil when nobody has their keys.
    func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant,
        checking check: ForgeryCheck?
    ) async throws(EventStoreError) -> CheckpointMaking

    /// The checkpoints from a size on, in order.
    func checkpoints(
        from size: Int,
        limit: Int
    ) async throws(EventStoreError) -> [StoredCheckpoint]

    /// The newest checkpoint, if there is one.
    func newestCheckpoint() async throws(EventStoreError) -> StoredCheckpoint?

    /// The leaves from a place on, in order, each with what the store has in its place.
    func checkpointLeaves(
        from place: Int,
        limit: Int
    ) async throws(EventStoreError) -> [PlacedLeaf]

    /// A session's newest leaf below a place, with what the store has in its place.
    func newestLeaf(
        of session: SessionID,
        below place: Int
    ) async throws(EventStoreError) -> PlacedLeaf?
}

/// A store whose data keys can be looked through, replaced and destroyed.
public protocol KeyedStore: EventStore {
    /// The wrapped data keys of the store, a part at a time.
    ///
    /// - Parameters:
    ///   - key: The last one seen; nothing to begin.
    ///   - limit: How many at the most.
    func keptKeys(following key: KeptKey?, limit: Int) async throws(EventStoreError) -> [KeptKey]

    /// How many sessions' data keys each master key wraps; under nothing those that another kind of vault wrapped.
    ///
    /// - Parameter origin: Whose log comes from there; nil for all.
    func keyCensus(
        of origin: SessionOrigin?
    ) async throws(EventStoreError) -> [MasterKeyIdentity?: Int]

    /// Puts data keys that were wrapped anew in the places of the old ones, all or none.
    ///
    /// A key that was destroyed or replaced meanwhile stays as it is. With no replacements it only says whether there is the
    /// right to make some.
    func replaceKeys(_ replacements: [KeyReplacement]) async throws(EventStoreError)

    /// Destroys the data keys of sessions: from now on nobody can open what is sealed in their logs.
    ///
    /// With the key goes the fingerprint of the session's address, and nothing of the session is due any more. Hold the
    /// sessions' leases meanwhile, so that no engine is at work on them.
    func destroyKeys(of sessions: [SessionID]) async throws(EventStoreError) -> DestroyedKeys

    /// Removes what is left of destroyed keys, as far as the store can.
    ///
    /// - Parameters:
    ///   - destroyed: The keys.
    ///   - patience: How long to wait for others who read or write.
    func removeTraces(
        of destroyed: DestroyedKeys,
        within patience: Duration
    ) async throws(EventStoreError) -> TraceRemoval

    /// The sessions that are over and still have their data key, oldest first, a part at a time.
    ///
    /// - Parameters:
    ///   - instant: Only those that were taken in before; no session ends before it begins.
    ///   - session: The last one seen; nothing to begin.
    ///   - limit: How many at the most.
    func endedSessions(
        withKeyOpenedBefore instant: Instant,
        following session: EndedSession?,
        limit: Int
    ) async throws(EventStoreError) -> [EndedSession]
}

extension SQLiteEventStore {
    /// The wrapped data keys of the store, a part at a time.
    public func keptKeys(
        following key: KeptKey?,
        limit: Int
    ) async throws(EventStoreError) -> [KeptKey] {
        try await keptKeys(after: key?.place ?? 0, limit: limit)
    }

    /// The sessions that are over and still have their data key, oldest first, a part at a time.
    public func endedSessions(
        withKeyOpenedBefore instant: Instant,
        following session: EndedSession?,
        limit: Int
    ) async throws(EventStoreError) -> [EndedSession] {
        try await endedSessions(
            withKeyOpenedBefore: instant,
            after: session?.place ?? 0,
            limit: limit
        )
    }
}

extension KeyedStore {
    /// How many sessions' data keys each master key wraps, wherever their logs come from.
    public func keyCensus() async throws(EventStoreError) -> [MasterKeyIdentity?: Int] {
        try await keyCensus(of: nil)
    }
}
