public import EventLog

/// The operations of both persistent stores beyond the ports, for programs that read, check and
/// move whole stores.
public protocol PersistentStore: DeliveryStore, CheckpointStore, KeyedStore, StoreLineageKeeper,
    FactsStore, SearchStore
{
    /// Whether the store can only be read.
    var isReadOnly: Bool { get }

    /// Whether this is a scratch store for experiments: sessions driven in it may communicate with
    /// this machine only.
    ///
    /// `false` for a store that cannot be marked as one.
    func isScratch() async throws(EventStoreError) -> Bool

    /// Returns the sessions of the store in the order of their identities, in batches.
    ///
    /// - Parameters:
    ///   - session: The last session of the previous batch; `nil` for the first batch.
    ///   - limit: The maximum number of sessions.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError``.
    func sessionIdentities(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID]

    /// Returns the wrapped data key of the session opened last; `nil` when there is none.
    func newestWrappedKey() async throws(EventStoreError) -> [UInt8]?

    /// Checks the structure, indexes and references of the database.
    ///
    /// - Returns: Descriptions of the faults, at most `limit`; empty for an intact store.
    func structuralFaults(limit: Int) async throws(EventStoreError) -> [String]

    /// Returns sessions whose row and address index disagree: sessions whose row has the
    /// fingerprint of an address by which another session or none is found, and sessions found by a
    /// fingerprint that their row does not have.
    ///
    /// - Returns: At most `limit` faults; empty for a store that finds rows by their own
    ///   fingerprints.
    /// - Throws: ``EventStoreError/missingRight(reason:)`` when only engines have the right to
    ///   know.
    func addressFaults(limit: Int) async throws(EventStoreError) -> [StoreFault]

    /// Returns the sessions whose row in lists is not the one that their last append wrote.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of faults.
    ///   - session: The session to look at; `nil` for all.
    /// - Returns: The faults; empty for a store whose lists read the rows themselves.
    /// - Throws: ``EventStoreError``.
    func listFaults(
        limit: Int,
        of session: SessionID?
    ) async throws(EventStoreError) -> [StoreFault]
}

extension PersistentStore {
    /// `false`: the store cannot be marked as a scratch store.
    public func isScratch() async throws(EventStoreError) -> Bool { false }

    /// Empty: lists read the rows themselves.
    public func listFaults(
        limit: Int,
        of session: SessionID?
    ) async throws(EventStoreError) -> [StoreFault] { [] }
}

/// A store that several engines share and that lists them.
public protocol SharedStore: PersistentStore {
    /// The engines that share the store and hold sessions, or held some recently, the oldest first.
    func nodes() async throws(EventStoreError) -> [StoreNode]

    /// The time by the server's clock.
    func serverTime() async throws(EventStoreError) -> Instant
}

/// A store with several commit orders, whose number never changes.
package protocol LanedStore: PersistentStore {
    /// The number of lanes.
    var laneCount: Int { get }
}

/// A store whose sessions can be moved to another one permanently.
public protocol MovableStore: PersistentStore {
    /// Closes the store for all further appends: its sessions belong to another store from now on.
    ///
    /// - Parameter target: The other store.
    /// - Throws: ``EventStoreError``.
    func closeForGood(for target: String) async throws(EventStoreError)
}
