public import EventLog
public import SwedbankPay

/// What both real stores offer beside the ports: what a program needs that reads, checks and moves whole stores.
public protocol PaymentStore: DeliveryStore, CheckpointStore, KeyedStore, StoreLineageKeeper,
    FactsStore, SearchStore
{
    /// Whether it can only be read.
    var isReadOnly: Bool { get }

    /// The sessions of the store in the order of their identities, for going through all of them.
    ///
    /// - Parameters:
    ///   - session: The last one seen; nothing to begin.
    ///   - limit: How many at the most.
    func sessionIdentities(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID]

    /// The wrapped data key of the session that was taken in last; nothing when there is none.
    func newestWrappedKey() async throws(EventStoreError) -> [UInt8]?

    /// What the database finds when it checks structure, indexes and references.
    ///
    /// - Returns: The faults in words, at most `limit`; none for a sound store.
    func structuralFaults(limit: Int) async throws(EventStoreError) -> [String]

    /// The sessions whose row has a fingerprint of an address by which another session is found, or none, and those that
    /// are found by one that their row does not have.
    ///
    /// - Returns: At most `limit` faults; none where rows are found by their own fingerprints.
    /// - Throws: ``EventStoreError/missingRight(reason:)`` where only engines may know.
    func addressFaults(limit: Int) async throws(EventStoreError) -> [StoreFault]
}

/// A store that several engines share, each of which the others know.
public protocol SharedStore: PaymentStore {
    /// The engines that share the store and hold sessions, or held some lately, the oldest first.
    func nodes() async throws(EventStoreError) -> [StoreNode]
}

/// A store that can be marked as one for what is tried out.
public protocol ScratchStore: PaymentStore {
    /// Whether it is a scratch store: what is driven in it may talk to this machine alone.
    func isScratch() async throws(EventStoreError) -> Bool
}

/// A store whose sessions can be moved to another one, for good.
public protocol MovableStore: PaymentStore {
    /// Lets nobody append to the store any more: its sessions are another store's from now on.
    ///
    /// - Parameter target: Which store that is.
    func closeForGood(for target: String) async throws(EventStoreError)
}

/// A store that is checked in the order of its storage, which is faster than session by session.
public protocol AuditedStore: PaymentStore {
    /// Begins an audit, or takes one up again.
    ///
    /// - Parameters:
    ///   - decider: The rules of this build, for the list of sessions.
    ///   - build: This build, as it stands in the records that it writes.
    ///   - vault: The keys, to open every seal; nothing to count them only.
    ///   - mark: Where an earlier audit of the same store was put down.
    /// - Throws: ``EventStoreError/foreign(reason:)`` when the mark is of another store, or of another state of this one.
    func audit(
        by decider: SessionDecider,
        build: String?,
        vault: (any KeyVault)?,
        from mark: StoreAuditMark?
    ) async throws(EventStoreError) -> StoreAudit
}
