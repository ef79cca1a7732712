public import EventLog

/// A store that keeps signed checkpoints of its own log.
public protocol CheckpointStore: EventStore {
    /// Creates a checkpoint over everything appended so far, while others continue to append.
    ///
    /// A leaf is added for each session whose log has grown since the newest checkpoint; when none
    /// has, nothing is written. A checkpoint never covers a history that was rewritten or truncated
    /// below an earlier one.
    ///
    /// - Parameters:
    ///   - signer: The key to sign with.
    ///   - now: The time; the newest checkpoint's time is used when it is later.
    ///   - check: Authenticates the logs that have grown; `nil` when their keys are not available.
    /// - Returns: The checkpoint, or the reason why none was created.
    /// - Throws: ``EventStoreError``.
    func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant,
        checking check: ForgeryCheck?
    ) async throws(EventStoreError) -> CheckpointMaking

    /// Returns the checkpoints from a size on, in order.
    func checkpoints(
        from size: Int,
        limit: Int
    ) async throws(EventStoreError) -> [StoredCheckpoint]

    /// Returns the newest checkpoint, if there is one.
    func newestCheckpoint() async throws(EventStoreError) -> StoredCheckpoint?

    /// Returns the leaves from an index on, in order, each with what the store has at that
    /// position.
    func checkpointLeaves(
        from place: Int,
        limit: Int
    ) async throws(EventStoreError) -> [PlacedLeaf]

    /// Returns a session's newest leaf below an index, with what the store has at that position.
    func newestLeaf(
        of session: SessionID,
        below place: Int
    ) async throws(EventStoreError) -> PlacedLeaf?
}

/// A store whose data keys can be listed, replaced and destroyed.
public protocol KeyedStore: EventStore {
    /// Returns the wrapped data keys of the store, in batches.
    ///
    /// - Parameters:
    ///   - key: The last key of the previous batch; `nil` for the first batch.
    ///   - limit: The maximum number of keys.
    /// - Returns: The keys.
    /// - Throws: ``EventStoreError``.
    func keptKeys(
        following key: WrappedKey?,
        limit: Int
    ) async throws(EventStoreError) -> [WrappedKey]

    /// Returns how many sessions' data keys each master key wraps; `nil` counts those that another
    /// kind of vault wrapped.
    ///
    /// - Parameter origin: Counts only sessions of this origin; `nil` counts all.
    /// - Returns: The counts.
    /// - Throws: ``EventStoreError``.
    func keyCounts(
        of origin: SessionOrigin?
    ) async throws(EventStoreError) -> [MasterKeyIdentity?: Int]

    /// Replaces data keys with rewrapped ones, all or none.
    ///
    /// A key that was destroyed or replaced meanwhile stays as it is. An empty list only checks the
    /// right to replace keys.
    func replaceKeys(_ replacements: [KeyReplacement]) async throws(EventStoreError)

    /// Destroys the data keys of sessions, after which the sealed values in their logs can never be
    /// opened again.
    ///
    /// The fingerprint of the session's address is removed with the key, and the session has no due
    /// work any more. Hold the sessions' leases meanwhile, so that no engine works on them.
    func destroyKeys(of sessions: [SessionID]) async throws(EventStoreError) -> DestroyedKeys

    /// Removes the remains of destroyed keys, as far as the store can.
    ///
    /// - Parameters:
    ///   - destroyed: The keys.
    ///   - patience: How long to wait for other readers and writers.
    /// - Returns: What was removed.
    /// - Throws: ``EventStoreError``.
    func removeTraces(
        of destroyed: DestroyedKeys,
        within patience: Duration
    ) async throws(EventStoreError) -> TraceRemoval

    /// Returns the ended sessions that still have their data key, oldest first, in batches.
    ///
    /// - Parameters:
    ///   - instant: Only sessions opened before this time; no session ends before it begins.
    ///   - session: The last session of the previous batch; `nil` for the first batch.
    ///   - limit: The maximum number of sessions.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError``.
    func endedSessions(
        withKeyOpenedBefore instant: Instant,
        following session: EndedSession?,
        limit: Int
    ) async throws(EventStoreError) -> [EndedSession]
}

extension KeyedStore {
    /// The number of sessions' data keys that each master key wraps, wherever their logs come from.
    public func keyCounts() async throws(EventStoreError) -> [MasterKeyIdentity?: Int] {
        try await keyCounts(of: nil)
    }
}
