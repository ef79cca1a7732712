import EventLog
import WorkflowTesting

/// A cell: a database of its own, which also keeps the newest epoch of the map that it has seen.
final class Cell {
    /// What a cell responds to a router.
    enum Response {
        case noSession
        case session(SessionID)
        case opened
        /// The router's map is older than one that the cell has seen.
        case olderMap
    }

    let id: Int
    private(set) var store = InMemoryEventStore(lanes: Cell.lanes)
    private var epoch: Int
    /// The appends in their order, each with the epoch that the cell knew then.
    private var appends: [(append: StreamAppend, epoch: Int)] = []
    private let refusesOlderMaps: Bool

    private static let lanes = 2

    init(id: Int, epoch: Int, refusesOlderMaps: Bool) {
        (self.id, self.epoch, self.refusesOlderMaps) = (id, epoch, refusesOlderMaps)
    }

    /// Learns an epoch, and returns whether a request with it is accepted.
    @discardableResult
    func learn(_ offered: Int) -> Bool {
        let isAccepted = offered >= epoch || !refusesOlderMaps
        epoch = max(epoch, offered)
        return isAccepted
    }

    /// Finds the session of an address for a router that asks on behalf of its epoch.
    ///
    /// Duty of a cell: it learns the epoch and looks for the address in one transaction, which
    /// excludes transactions that open a session. So "no session" also says that no router with an
    /// older map can open the address here later.
    func find(
        _ address: Digest256,
        epoch: Int
    ) async throws(EventStoreError) -> Response {
        guard learn(epoch) else { return .olderMap }
        guard let session = try await store.session(ofAddress: address) else { return .noSession }
        return .session(session)
    }

    /// Opens a session for a router, unless its address has one here.
    ///
    /// Duty of a cell: it compares the epoch and appends in one transaction.
    func open(
        _ append: StreamAppend,
        epoch: Int
    ) async throws(EventStoreError) -> Response {
        guard learn(epoch) else { return .olderMap }
        do throws(EventStoreError) {
            try await self.append(append)
            return .opened
        } catch .addressTaken(let owner) {
            return .session(owner)
        }
    }

    func append(_ append: StreamAppend) async throws(EventStoreError) {
        try await store.append(append)
        appends.append((append, epoch))
    }

    /// Replaces the database by an earlier copy of it, which has another identity.
    func restore(withoutLast count: Int) async throws(EventStoreError) {
        appends.removeLast(min(count, appends.count))
        epoch = appends.last?.epoch ?? 0
        store = InMemoryEventStore(lanes: Cell.lanes)
        for kept in appends { try await store.append(kept.append) }
    }

    /// The rows of all sessions.
    func rows() async throws(EventStoreError) -> [SessionSummary] {
        try await store.sessions(matching: SessionQuery())
    }

    /// The log position of the newest records.
    func end() async throws(EventStoreError) -> LogCursor? {
        try await store.changes(after: nil, limit: 1)?.cursor
    }

    /// All records.
    func records() async throws(EventStoreError) -> [StoredRecord] {
        try await store.records(after: nil, limit: .max).map(\.record)
    }

    /// Whether both ways to read after a log position refuse it.
    func refuses(_ cursor: LogCursor) async -> Bool {
        let records = try? await store.records(after: cursor, limit: 1)
        let changes = try? await store.changes(after: cursor, limit: 1)
        return records == nil && changes == nil
    }
}
