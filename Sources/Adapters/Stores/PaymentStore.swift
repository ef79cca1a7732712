public import EventLog
internal import SwedbankPay

/// What both real stores offer beside the ports: what a program needs that reads, checks and moves whole stores.
public protocol PaymentStore: DeliveryStore, CheckpointStore, KeyedStore, StoreLineageKeeper {
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

extension SQLiteEventStore: PaymentStore {
    /// None: a row is found by the fingerprint that it has.
    public func addressFaults(limit: Int) async throws(EventStoreError) -> [StoreFault] { [] }
}
extension PostgreSQLEventStore: PaymentStore {}
