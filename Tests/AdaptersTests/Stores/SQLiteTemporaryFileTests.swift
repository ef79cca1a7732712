import EventLog
import Foundation
import SwedbankPay
import Synchronization
import Testing

@testable import Adapters
@testable import EventStores

/// The nameless temporary files that SQLite writes: they are visible where the process holds them
/// open.
@Suite struct SQLiteTemporaryFileTests {
    @Test
    func `the temporary copy of a store being rewritten has no destroyed key and no data key`()
        async throws
    {
        struct Known: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(201 + $0 % 50) } }
        }
        try await StoreFile.with { file in
            var store = try await SQLiteEventStore(path: file.path)
            let vault = try MasterKeyVault(masterKey: [UInt8](1...32), random: Known())
            let session = StoredSession(1)
            var append = session.append(after: 0, bytes: 40)
            let made = try await vault.makeKeys(for: session.id)
            append.wrappedKey = made.wrapped
            try await store.append(append)
            await store.close()
            // Large enough to be seen while it is copied; the marker distinguishes it from the
            // output of others.
            let marker = "written-anew-by-\(UUID().uuidString)"
            try file.python(
                """
                CREATE TABLE filling AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) \
                SELECT '\(marker)' || hex(zeroblob(300000)) AS text FROM n
                """
            )
            store = try await SQLiteEventStore(path: file.path)
            _ = try await store.destroyKeys(of: [session.id])
            let watch = DeletedFileWatch()
            #expect(try await store.removeTraces(of: DestroyedKeys()) == .done)
            let seen = watch.stop().filter { $0.range(of: Data(marker.utf8)) != nil }
            #expect(!seen.isEmpty, "the copy was not seen: then nothing was checked")
            let key = Data(try #require(append.wrappedKey).suffix(24))
            let dataKey = Data(Known().bytes(SessionKeys.dataKeyBytes).suffix(24))
            for bytes in seen {
                #expect(bytes.range(of: key) == nil)
                #expect(bytes.range(of: dataKey) == nil)
            }
            await store.close()
        }
    }

    @Test func `sorting all records writes no temporary file`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            // Sessions of no other test, whose files this process may hold open, too.
            for number in 7_000_001...7_000_400 {
                try await store.append(StoredSession(number).append(after: 0, bytes: 20_000))
            }
            let watch = DeletedFileWatch()
            let longest = try await store.readers.read { connection in
                // Sorted without an index: eight megabytes.
                let rows = try connection.statement(
                    "SELECT record FROM events ORDER BY substr(record, 100), position"
                )
                defer { rows.reset() }
                var longest = 0
                while try rows.step() { longest = max(longest, rows.bytes(0).count) }
                return longest
            }
            #expect(longest >= 20_000)
            let own = watch.stop().filter {
                $0.range(of: Data("\(StoredSession(7_000_007).id)".utf8)) != nil
            }
            #expect(own.isEmpty)
            await store.close()
        }
    }
}

/// Watches the deleted files that this process holds open, and records their contents.
private final class DeletedFileWatch: Sendable {
    private struct State {
        var files: [String: Data] = [:]
        var isStopped = false
        var hasEnded = false
    }

    private let state = Mutex(State())

    init() {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isStopped }) {
                look()
                usleep(500)
            }
            state.withLock { $0.hasEnded = true }
        }
    }

    /// Stops, and returns what was seen, each file at its longest.
    func stop() -> [Data] {
        state.withLock { $0.isStopped = true }
        while !state.withLock({ $0.hasEnded }) { usleep(500) }
        return state.withLock { Array($0.files.values) }
    }

    private func look() {
        let folder = "/proc/self/fd"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            guard
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
                target.hasSuffix(" (deleted)"), target.contains("etilqs"),
                let bytes = FileManager.default.contents(atPath: path)
            else { continue }
            state.withLock { state in
                if bytes.count > state.files[target]?.count ?? 0 { state.files[target] = bytes }
            }
        }
    }
}
