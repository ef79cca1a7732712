public import EventLog
internal import SwedbankPay

/// Reads all logs of a store, several at a time, and computes a value from each.
///
/// The sessions are visited in the order of their identities, one batch at a time, so that a store
/// is never in memory as a whole. A log that cannot be read does not prevent the others from being
/// read. The store may be in use meanwhile.
///
/// - Note: Isolation: one task at a time; the values are computed on the shared threads of the
///   process.
public struct LogSweep: Sendable {
    /// The number of sessions per batch.
    public static let pieceSize = 256
    /// The maximum number of records per read.
    static let batch = 1024

    /// The value of one session, or the error.
    public typealias Outcome<Value: Sendable> = (
        session: SessionID, value: Result<Value, EventStoreError>
    )

    private let store: any PersistentStore
    private let workers: Int
    private var last: SessionID?
    private var isOver = false

    /// Creates a sweep that starts at the first session.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - workers: The number of logs that are processed concurrently.
    public init(of store: any PersistentStore, workers: Int = StoreAudit.usefulReaders) {
        self.store = store
        self.workers = max(1, workers)
    }

    /// Processes the next batch.
    ///
    /// - Parameter make: Computes a value from a session's records, which are in order.
    /// - Returns: The outcome of each session, in order; `nil` at the end.
    /// - Throws: ``EventStoreError`` that makes further reading pointless: the store is
    ///   unavailable, not merely damaged in one place.
    public mutating func next<Value: Sendable>(
        _ make: @escaping @Sendable (SessionID, [StoredRecord]) -> Value
    ) async throws(EventStoreError) -> [Outcome<Value>]? {
        guard !isOver else { return nil }
        let sessions = try await store.sessionIdentities(after: last, limit: Self.pieceSize)
        isOver = sessions.count < Self.pieceSize
        guard let end = sessions.last else { return nil }
        last = end
        let (store, workers) = (store, workers)
        let shares = await withTaskGroup(of: [(Int, Outcome<Value>)].self) { group in
            for share in 0..<workers {
                // Decoding and folding are CPU-bound work, which must not block the loop.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    var made: [(Int, Outcome<Value>)] = []
                    for index in stride(from: share, to: sessions.count, by: workers) {
                        guard !Task.isCancelled else { break }
                        let session = sessions[index]
                        let read = await Self.read(session, in: store)
                        made.append((index, (session, read.map { make(session, $0) })))
                    }
                    return made
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let outcomes = shares.sorted { $0.0 < $1.0 }.map(\.1)
        for outcome in outcomes {
            guard case .failure(let error) = outcome.value else { continue }
            if case .corrupt = error { continue }
            throw error
        }
        return outcomes
    }

    private static func read(
        _ session: SessionID,
        in store: any PersistentStore
    ) async -> Result<[StoredRecord], EventStoreError> {
        var records: [StoredRecord] = []
        do throws(EventStoreError) {
            while true {
                let next = SequenceNumber(records.count).next
                let more = try await store.read(session, from: next, limit: batch)
                records += more
                if more.count < batch { return .success(records) }
            }
        } catch {
            return .failure(error)
        }
    }
}
