// A process that tests start beside their own, to write to the same store, to be killed, and to run
// out of room.
//
//     StoreWriter PATH append FIRST COUNT     appends to sessions FIRST ..< FIRST + COUNT
//     StoreWriter PATH fill BYTES             like append with one session, with a file size limit
//     StoreWriter PATH fight VERSIONS         appends to session 1 up to a number of records
//     StoreWriter PATH lease SESSION          takes a lease, reports it, waits for the end of its
//                                           input, reports whether it still holds it
//     StoreWriter PATH unprivileged           gives up root and tries to read and append
//
// It prints the line `SESSION VERSION` for each acknowledged append, and the code of each error.

import Adapters
import EventLog
import Glibc
import SwedbankPay

/// Prints a line at once, in one write, so that a kill cannot hold it back.
func say(_ words: String) {
    let line = Array((words + "\n").utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Returns a session by number; the tests make the same one from the same number.
func session(_ number: Int) -> SessionID {
    SessionID(at: Instant(microseconds: 1_000_000), random: (0, UInt64(number)))
}

func append(to number: Int, after version: SequenceNumber, bytes: Int = 350) -> StreamAppend {
    let at = Instant(microseconds: 1_000_000 + version.rawValue)
    let record = StoredRecord(
        stream: session(number),
        sequence: version + 1,
        type: "fetched",
        at: at,
        canonical: Array(repeating: UInt8(truncatingIfNeeded: version.rawValue), count: bytes),
        previous: .zero,
        hash: .zero,
        seals: []
    )
    let summary = SessionSummary(
        session: session(number),
        phase: "attempting",
        isSettled: false,
        lastSequence: version + 1,
        openedAt: Instant(microseconds: 1_000_000),
        lastAt: at
    )
    return StreamAppend(
        stream: session(number),
        expectedVersion: version,
        records: [record],
        summary: summary
    )
}

func write(_ number: Int, to store: SQLiteEventStore) async {
    var version: SequenceNumber = 0
    while true {
        do throws(EventStoreError) {
            try await store.append(append(to: number, after: version))
            version += 1
            say("\(number) \(version)")
        } catch {
            return say(error.code)
        }
    }
}

func fight(in store: SQLiteEventStore, upTo versions: SequenceNumber) async throws(EventStoreError)
{
    var version: SequenceNumber = 0
    while version < versions {
        do throws(EventStoreError) {
            try await store.append(append(to: 1, after: version))
            version += 1
            say("1 \(version)")
        } catch .conflict(_, _, let actual) {
            version = actual
        }
    }
}

func limitFiles(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(1), &limit)
}

func run(_ arguments: [String]) async throws {
    let path = arguments[1]
    let number = arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1
    switch arguments[2] {
    case "append":
        let count = Int(arguments[4]) ?? 1
        let store = try await SQLiteEventStore(path: path)
        await withDiscardingTaskGroup { group in
            for session in number..<number + count {
                group.addTask { await write(session, to: store) }
            }
        }
    case "fill":
        let store = try await SQLiteEventStore(path: path)
        limitFiles(to: number)
        await write(1, to: store)
        await store.close()
    case "fight":
        try await fight(in: SQLiteEventStore(path: path), upTo: SequenceNumber(number))
    case "lease":
        let store = try await SQLiteEventStore(path: path)
        say("\(try await store.acquireLease(on: session(number)))")
        _ = readLine()
        say("\(store.holdsLease(on: session(number)))")
    default:
        if getuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { return say("still root") }
        let store = try await SQLiteEventStore(path: path)
        let head = try await store.head(of: session(1))
        say("head \(head?.sequence ?? 0)")
        await write(1, to: store)
        await store.close()
    }
}

do {
    try await run(CommandLine.arguments)
} catch let error as EventStoreError {
    say(error.code)
    exit(1)
}
