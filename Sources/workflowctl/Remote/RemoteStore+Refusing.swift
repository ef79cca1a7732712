internal import Adapters
internal import EventLog
internal import SwedbankPay

/// What belongs to whoever has the store itself: everything that changes it, its keys, checkpoints
/// and leases.
extension RemoteStore {
    func append(_ append: StreamAppend) async throws(EventStoreError) {
        throw Self.unsupported
    }

    func changeCounter() async throws(EventStoreError) -> Int64 { throw Self.unsupported }

    func sessionsDue(
        by instant: Instant,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] { throw Self.unsupported }

    func sessionIdentities(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] { throw Self.unsupported }

    func newestWrappedKey() async throws(EventStoreError) -> [UInt8]? { nil }

    func structuralFaults(limit: Int) async throws(EventStoreError) -> [String] {
        throw Self.unsupported
    }

    func addressFaults(limit: Int) async throws(EventStoreError) -> [StoreFault] {
        throw Self.unsupported
    }

    // MARK: Leases

    func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        throw Self.unsupported
    }

    func holdsLease(on stream: SessionID) -> Bool { false }

    func releaseLease(on stream: SessionID) async {}

    // MARK: Rows and search terms

    func replaceRows(_ rows: [SessionSummary]) async throws(EventStoreError) -> Int {
        throw Self.unsupported
    }

    func recountSums(after day: Instant?) async throws(EventStoreError) -> Instant? {
        throw Self.unsupported
    }

    func sumFaults(_ query: SessionQuery) async throws(EventStoreError) -> [Instant] {
        throw Self.unsupported
    }

    func searchProgress() async throws(EventStoreError) -> SearchProgress? { nil }

    func restartSearch(_ mark: String) async throws(EventStoreError) { throw Self.unsupported }

    func addTerms(
        _ terms: [SessionID: Set<String>],
        erased: Set<SessionID>,
        upTo progress: SearchProgress
    ) async throws(EventStoreError) { throw Self.unsupported }

    func sessions(
        withTermsBeginning beginnings: [String],
        since: Instant?,
        until: Instant?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] { throw Self.unsupported }

    // MARK: Deliveries

    func sessionsUndelivered(
        matching query: UndeliveredQuery
    ) async throws(EventStoreError) -> [SessionID] { throw Self.unsupported }

    func changeDeliveries(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) async throws(EventStoreError) -> [DeliveryProgress?] { throw Self.unsupported }

    // MARK: Checkpoints, keys and lineage

    func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant,
        checking check: ForgeryCheck?
    ) async throws(EventStoreError) -> CheckpointMaking { throw Self.unsupported }

    func checkpoints(
        from size: Int,
        limit: Int
    ) async throws(EventStoreError) -> [StoredCheckpoint] { throw Self.unsupported }

    func newestCheckpoint() async throws(EventStoreError) -> StoredCheckpoint? {
        throw Self.unsupported
    }

    func checkpointLeaves(
        from place: Int,
        limit: Int
    ) async throws(EventStoreError) -> [PlacedLeaf] { throw Self.unsupported }

    func newestLeaf(
        of session: SessionID,
        below place: Int
    ) async throws(EventStoreError) -> PlacedLeaf? { throw Self.unsupported }

    func keptKeys(
        following key: WrappedKey?,
        limit: Int
    ) async throws(EventStoreError) -> [WrappedKey] { throw Self.unsupported }

    func keyCounts(
        of origin: SessionOrigin?
    ) async throws(EventStoreError) -> [MasterKeyIdentity?: Int] { throw Self.unsupported }

    func replaceKeys(_ replacements: [KeyReplacement]) async throws(EventStoreError) {
        throw Self.unsupported
    }

    func destroyKeys(
        of sessions: [SessionID]
    ) async throws(EventStoreError) -> DestroyedKeys { throw Self.unsupported }

    func removeTraces(
        of destroyed: DestroyedKeys,
        within patience: Duration
    ) async throws(EventStoreError) -> TraceRemoval { throw Self.unsupported }

    func endedSessions(
        withKeyOpenedBefore instant: Instant,
        following session: EndedSession?,
        limit: Int
    ) async throws(EventStoreError) -> [EndedSession] { throw Self.unsupported }

    func lineage() async throws(EventStoreError) -> StoreLineage { throw Self.unsupported }

    func adopt() async throws(EventStoreError) -> StoreLineage { throw Self.unsupported }
}
