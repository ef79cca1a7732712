import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

@Suite(.duty("C-30")) struct SQLiteErasingTests {
    private let vault: MasterKeyVault

    init() throws { vault = try MasterKeyVault(masterKey: [UInt8](1...32)) }

    /// Creates sessions, each with a real wrapped key.
    private func fill(
        _ store: SQLiteEventStore,
        _ numbers: ClosedRange<Int>
    ) async throws
        -> [SessionID: [UInt8]]
    {
        var keys: [SessionID: [UInt8]] = [:]
        for number in numbers {
            let session = StoredSession(number)
            var append = session.append(after: 0, bytes: 40)
            append.wrappedKey = try await vault.makeKeys(for: session.id).wrapped
            append.summary.addressFingerprint = Digest256(
                bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 31) + [
                    UInt8(truncatingIfNeeded: number >> 8)
                ]
            )
            keys[session.id] = append.wrappedKey
            try await store.append(append)
        }
        return keys
    }

    /// Returns the files of the store that contain a key, or half of one.
    private func files(with key: [UInt8], in file: StoreFile) throws -> [String] {
        let half = Data(key.suffix(24))
        return try FileManager.default.contentsOfDirectory(atPath: file.directory.path).filter {
            let path = file.directory.appendingPathComponent($0)
            return try Data(contentsOf: path).range(of: half) != nil
        }.sorted()
    }

    private func erase(
        _ session: SessionID,
        in store: SQLiteEventStore
    ) async throws
        -> TraceRemoval
    {
        let destroyed = try await store.destroyKeys(of: [session])
        #expect(destroyed.sessions == [session])
        return try await store.removeTraces(of: destroyed)
    }

    @Test func `a destroyed key is left in no file of the store`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            // More rows than fit on the first page of the table, so that it becomes an interior
            // page.
            let keys = try await fill(store, 1...200)
            for number in [1, 30, 54, 200] {
                let session = StoredSession(number).id
                let key = try #require(keys[session])
                #expect(try files(with: key, in: file) != [])
                #expect(try await erase(session, in: store) == .done)
                #expect(try files(with: key, in: file) == [])
                #expect(try await store.wrappedKey(of: session) == nil)
            }
            #expect(try await store.wrappedKey(of: StoredSession(31).id) != nil)
            #expect(try await store.structuralFaults() == [])
            await store.close()
            #expect(try file.python("SELECT count(*) FROM session_keys") == ["196"])
        }
    }

    @Test func `a data key is never written to any file of the store in the clear`() async throws {
        struct Known: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(201 + $0 % 50) } }
        }
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let session = StoredSession(1)
            var append = session.append(after: 0)
            let vault = try MasterKeyVault(masterKey: [UInt8](1...32), random: Known())
            append.wrappedKey = try await vault.makeKeys(for: session.id).wrapped
            try await store.append(append)
            let dataKey = Known().bytes(SessionKeys.dataKeyBytes)
            #expect(try files(with: dataKey, in: file) == [])
            #expect(try files(with: try #require(append.wrappedKey), in: file) != [])
            #expect(try await erase(session.id, in: store) == .done)
            #expect(try files(with: dataKey, in: file) == [])
            #expect(try files(with: try #require(append.wrappedKey), in: file) == [])
            await store.close()
        }
    }

    @Test func `copies of a destroyed key in unused parts of the file are removed, too`()
        async throws
    {
        try await StoreFile.with { file in
            var store = try await SQLiteEventStore(path: file.path)
            let keys = try await fill(store, 1...200)
            await store.close()
            // The remains of a table that was copied and dropped, when nothing is overwritten.
            try file.python(
                """
                PRAGMA secure_delete = OFF; CREATE TABLE copy AS SELECT * FROM session_keys;
                DROP TABLE copy; PRAGMA wal_checkpoint(TRUNCATE)
                """
            )
            let session = StoredSession(60).id
            let key = try #require(keys[session])
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
            let first = try #require(bytes.range(of: Data(key)))
            #expect(bytes[first.upperBound...].range(of: Data(key)) != nil, "there are two")
            store = try await SQLiteEventStore(path: file.path)
            #expect(try await erase(session, in: store) == .done)
            #expect(try files(with: key, in: file) == [])
            await store.close()
        }
    }

    @Test
    func `traces of a destroyed key that remain at a restart are removed by the next process`()
        async throws
    {
        try await StoreFile.with { file in
            var store = try await SQLiteEventStore(path: file.path)
            let keys = try await fill(store, 1...80)
            let session = StoredSession(7).id
            let key = try #require(keys[session])
            _ = try await store.destroyKeys(of: [session])
            // Destroyed for every reader at once, though older copies still exist.
            #expect(try await store.wrappedKey(of: session) == nil)
            #expect(try await store.beginning(of: session, limit: 10).wrappedKey == nil)
            #expect(try files(with: key, in: file) == ["payments.db-wal"])
            await store.close()
            store = try await SQLiteEventStore(path: file.path)
            #expect(try await store.destroyKeys(of: [session]).sessions == [])
            #expect(try await store.removeTraces(of: DestroyedKeys()) == .done)
            #expect(try files(with: key, in: file) == [])
            await store.close()
        }
    }

    @Test func `an open reader postpones the removal of traces, and the result says so`()
        async throws
    {
        try await StoreFile.with { file in
            // It waits for the reader below, which never lets go by itself.
            let store = try await SQLiteEventStore(
                path: file.path,
                options: SQLiteOptions(busyTimeout: .milliseconds(100))
            )
            let keys = try await fill(store, 1...80)
            let session = StoredSession(7).id
            let key = try #require(keys[session])
            let reader = try SQLiteConnection(
                path: file.path,
                readOnly: true,
                busyTimeout: .zero
            )
            try reader.execute("BEGIN; SELECT * FROM session_keys")
            let destroyed = try await store.destroyKeys(of: [session])
            let removal = try await store.removeTraces(of: destroyed, within: .zero)
            guard case .postponed = removal else {
                Issue.record("it was said to be done")
                return
            }
            #expect(try await store.wrappedKey(of: session) == nil)
            #expect(try files(with: key, in: file) != [])
            try reader.execute("COMMIT")
            #expect(try await store.removeTraces(of: DestroyedKeys()) == .done)
            #expect(try files(with: key, in: file) == [])
            await store.close()
        }
    }

    @Test func `an append after the keys were destroyed does not restore the session's address`()
        async throws
    {
        try await StoreFile.with { file in
            let (store, engine) = (
                try await SQLiteEventStore(path: file.path),
                try await SQLiteEventStore(path: file.path)
            )
            let session = StoredSession(3)
            var append = session.append(after: 0)
            append.wrappedKey = try await vault.makeKeys(for: session.id).wrapped
            append.summary.addressFingerprint = .zero
            try await engine.append(append)
            #expect(try await store.session(ofAddress: .zero) == session.id)
            #expect(try await erase(session.id, in: store) == .done)
            #expect(try await store.session(ofAddress: .zero) == nil)
            var late = session.append(after: 1)
            late.summary.addressFingerprint = .zero
            try await engine.append(late)
            #expect(try await store.session(ofAddress: .zero) == nil)
            #expect(try await store.head(of: session.id)?.sequence == 2)
            await store.close()
            await engine.close()
        }
    }

    @Test func `a read-only store refuses to destroy keys`() async throws {
        try await StoreFile.with { file in
            var store = try await SQLiteEventStore(path: file.path)
            _ = try await fill(store, 1...2)
            await store.close()
            store = try await SQLiteEventStore(
                path: file.path,
                options: SQLiteOptions(access: .readOnly)
            )
            await #expect(throws: EventStoreError.readOnly) {
                try await store.destroyKeys(of: [StoredSession(1).id])
            }
            #expect(try await store.wrappedKey(of: StoredSession(1).id) != nil)
            await store.close()
        }
    }

    @Test func `a key that was destroyed or replaced in the meantime is not wrapped again`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            _ = try await fill(store, 1...4)
            let kept = try await store.keptKeys(after: 0, limit: 10)
            #expect(kept.map(\.session) == [1, 2, 3, 4].map { StoredSession($0).id })
            #expect(try await erase(StoredSession(2).id, in: store) == .done)
            let other = try #require(Digest256(bytes: [UInt8](repeating: 8, count: 32)))
            func wrap(_ keys: [WrappedKey], _ byte: UInt8, _ address: Digest256) async throws {
                let wrapped = [UInt8](repeating: byte, count: 69)
                try await store.replaceKeys(
                    keys.map { .init(kept: $0, wrapped: wrapped, addressFingerprint: address) }
                )
            }
            try await wrap([kept[2]], 8, other)
            try await wrap(kept, 9, .zero)
            #expect(try await store.wrappedKey(of: StoredSession(2).id) == nil)
            #expect(try await store.wrappedKey(of: StoredSession(3).id)?.first == 8)
            #expect(try await store.wrappedKey(of: StoredSession(4).id)?.first == 9)
            #expect(try await store.session(ofAddress: other) == StoredSession(3).id)
            let rows = try await store.sessions(matching: SessionQuery())
            #expect(rows.count { $0.addressFingerprint == .zero } == 2)
            #expect(rows.count { $0.addressFingerprint == nil } == 1)
            await store.close()
        }
    }
}
