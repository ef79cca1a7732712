public import EventLog
internal import SwedbankPay

/// Goes through the logs of a store, several at a time, and makes something of each.
///
/// The sessions come in the order of their identities, a piece at a time, so that a store is never in memory as a whole.
/// What cannot be read does not keep the others from being read. A store may be in use meanwhile.
///
/// - Note: Isolation: one task at a time; what is made of a log is made on the shared threads of the process.
public struct LogSweep: Sendable {
    /// How many sessions are looked at between two looks at progress.
    public static let pieceSize = 256
    /// How many records are read at once.
    static let batch = 1024

    /// What came of one session.
    public typealias Outcome<Value: Sendable> = (
        session: SessionID, value: Result<Value, EventStoreError>
    )

    private let store: any PaymentStore
    private let workers: Int
    private var last: SessionID?
    private var isOver = false

    /// A sweep from the first session on.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - workers: How many logs are worked on at the same time.
    public init(of store: any PaymentStore, workers: Int = StoreAudit.usefulReaders) {
        self.store = store
        self.workers = max(1, workers)
    }

    /// Works on the next piece.
    ///
    /// - Parameter make: What is made of a session's records, which are in order.
    /// - Returns: What came of each session, in order; nothing at the end.
    /// - Throws: What makes reading on pointless: a store that is out of reach, not one that is damaged in a place.
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
                // Decoding and folding keep a processor busy: not the loop's.
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
        in store: any PaymentStore
    ) async -> Result<[StoredRecord], EventStoreError> {
        var records: [StoredRecord] = []
        do throws(EventStoreError) {
            while true {
                let next = Int64(records.count) + 1
                let more = try await store.read(session, from: next, limit: batch)
                records += more
                if more.count < batch { return .success(records) }
            }
        } catch {
            return .failure(error)
        }
    }
}
