import EventLog
import SwedbankPay
import Synchronization
import WorkflowTesting

/// A store whose appends fail at a chosen point, once or from then on, and that can lose its seals.
final class FaultyStore: EventStore {
    private let store: InMemoryEventStore
    private let plan = Mutex(Plan())

    private struct Plan {
        var appends = 0
        var failing: Range<Int> = 0..<0
        var error = EventStoreError.busy
        var isWrittenAllTheSame = false
        var leases: Set<SessionID> = []
        var sealLoss: SealLoss?
    }

    /// The fates of stored seals.
    enum SealLoss: CaseIterable {
        /// They were removed, as by a redaction.
        case removed
        /// They were altered, or belong to another key.
        case altered
    }

    init(_ store: InMemoryEventStore) { self.store = store }

    /// Makes a range of appends fail, counted from 0 over all sessions.
    func fail(_ appends: Range<Int>, with error: EventStoreError, isWritten: Bool = false) {
        plan.withLock {
            $0.failing = appends
            $0.error = error
            $0.isWrittenAllTheSame = isWritten
        }
    }

    /// Returns lost seals to readers from now on; this cannot be undone.
    func loseSeals(_ loss: SealLoss?) { plan.withLock { $0.sealLoss = loss } }

    /// Makes appends succeed from now on.
    func recover() { plan.withLock { $0.failing = 0..<0 } }

    /// The number of appends.
    var appends: Int { plan.withLock { $0.appends } }

    /// The leases that were not released.
    var leases: Set<SessionID> { plan.withLock { $0.leases } }

    func append(_ append: StreamAppend) async throws(EventStoreError) {
        let (failure, isWritten) = plan.withLock { plan in
            defer { plan.appends += 1 }
            let fails = plan.failing.contains(plan.appends)
            return (fails ? plan.error : nil, plan.isWrittenAllTheSame)
        }
        if failure == nil || isWritten { try await store.append(append) }
        if let failure { throw failure }
    }

    func read(
        _ stream: SessionID,
        from first: SequenceNumber,
        limit: Int
    ) async throws(EventStoreError) -> [StoredRecord] {
        var records = try await store.read(stream, from: first, limit: limit)
        switch plan.withLock(\.sealLoss) {
        case nil: break
        case .removed:
            for index in records.indices { records[index].seals = [] }
        case .altered:
            for index in records.indices {
                for number in records[index].seals.indices {
                    records[index].seals[number][SessionKeys.nonceBytes] ^= 1
                }
            }
        }
        return records
    }

    func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead? {
        try await store.head(of: stream)
    }

    func wrappedKey(of stream: SessionID) async throws(EventStoreError) -> [UInt8]? {
        try await store.wrappedKey(of: stream)
    }

    func sessions(matching query: SessionQuery) async throws(EventStoreError) -> [SessionSummary] {
        try await store.sessions(matching: query)
    }

    func sessionsDue(
        by instant: Instant,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        try await store.sessionsDue(by: instant, limit: limit)
    }

    func changeCounter() async throws(EventStoreError) -> Int64 { try await store.changeCounter() }

    func records(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord] {
        try await store.records(after: cursor, limit: limit)
    }

    func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        let isGranted = try await store.acquireLease(on: stream)
        if isGranted { plan.withLock { _ = $0.leases.insert(stream) } }
        return isGranted
    }

    func releaseLease(on stream: SessionID) async {
        plan.withLock { _ = $0.leases.remove(stream) }
        await store.releaseLease(on: stream)
    }

    func close() async { await store.close() }
}
