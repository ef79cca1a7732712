internal import Adapters
internal import Dispatch
internal import EventLog
internal import Foundation
internal import Synchronization

/// A SQLite store to which logs are appended, each as a new session.
final class AppendStore: Sendable {
    private let store: SQLiteEventStore
    private let path: String
    /// The number of sessions so far.
    private let sessions = Atomic<UInt64>(0)

    /// Creates the store in a temporary file, which is removed at the end.
    init() throws {
        let path = NSTemporaryDirectory() + "instructions-\(UUID().uuidString).db"
        self.path = path
        store = try waiting { try await SQLiteEventStore(path: path) }
    }

    deinit {
        for end in ["", "-wal", "-shm", "-identity"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
    }

    /// Appends records under a new identity, one after the other; returns how many.
    func append(_ records: [StoredRecord], with rows: [SessionSummary]) throws -> Int {
        let number = sessions.wrappingAdd(1, ordering: .relaxed).newValue
        let session = SessionID(
            at: Instant(microseconds: 1_790_000_000_000_000),
            cell: 0,
            // Spread like random bits, which decide where a row is inserted, but always the same.
            random: number &* 0x9E37_79B9_7F4A_7C15
        )
        return try waiting { [store] in
            var last = StreamHead.empty
            for (record, row) in zip(records, rows) {
                var (record, row) = (record, row)
                record.stream = session
                (record.sequence, record.previous) = (last.sequence + 1, last.hash)
                row.session = session
                try await store.append(
                    StreamAppend(
                        stream: session,
                        expectedVersion: last.sequence,
                        records: [record],
                        summary: row,
                        wrappedKey: last == .empty ? [1] : nil
                    )
                )
                last = StreamHead(sequence: record.sequence, hash: record.hash)
            }
            return Int(last.sequence.rawValue)
        }
    }
}

/// Performs asynchronous work while this thread waits for it: valgrind ends an asynchronous 'main'.
private func waiting<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let result = Outcome<Value>()
    let end = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await body()
            result.value.withLock { $0 = .success(value) }
        } catch {
            result.value.withLock { $0 = .failure(error) }
        }
        end.signal()
    }
    end.wait()
    guard let ended = result.value.withLock({ $0 }) else { throw CancellationError() }
    return try ended.get()
}

/// What the work left.
private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
}
