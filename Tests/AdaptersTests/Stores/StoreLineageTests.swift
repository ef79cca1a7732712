import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// Which stores may not be the ones they were, in all combinations of their state and what is
/// remembered.
@Suite struct StoreLineageTests {
    private static let mark = LogMark(
        stream: StoredSession(1).id,
        sequence: 7,
        hash: HashChain.hash(.zero, [1])
    )

    /// The identity of a store whose identifier consists of one digit.
    private static func identity(_ id: Character = "a", epoch: Int64 = 1) -> StoreIdentity {
        let value = UInt64(id.hexDigitValue ?? 0) &* 0x1111_1111_1111_1111
        return StoreIdentity(high: value, low: value, epoch: epoch)
    }

    private static func memory(
        _ id: Character = "a",
        epoch: Int64 = 1,
        file: UInt64? = 5,
        mark: LogMark? = mark
    ) -> StoreMemory {
        StoreMemory(
            identity: identity(id, epoch: epoch),
            file: file,
            mark: mark
        )
    }

    private static func found(_ change: (inout FoundStore) -> Void = { _ in }) -> FoundStore {
        var found = FoundStore(
            identity: memory().identity,
            isRemembered: true,
            file: 5,
            isEmpty: false,
            hasMark: true
        )
        change(&found)
        return found
    }

    @Test func `the last record of each connection must be there after a failover`() throws {
        let watch = LineageWatch(path: nil)
        try watch.confirm(Self.memory())
        #expect(watch.marks == [Self.mark])
        let marks = (8...10).map { LogMark(stream: Self.mark.stream, sequence: $0, hash: .zero) }
        // The second connection's commit is the newest one, but is acknowledged first.
        watch.note(marks[2], by: 1)
        watch.note(marks[0], by: 0)
        watch.note(marks[1], by: 0)
        #expect(Set(watch.marks) == Set(marks[1...]))
        #expect(watch.isConfirmed)
        watch.doubt(lacking: marks[2])
        #expect(watch.doubt == .wentBack(stream: Self.mark.stream, sequence: 10))
        // What is missing is what is looked for from then on.
        #expect(try watch.remembered().mark == marks[2])
    }

    private static let wentBack = LineageDoubt.wentBack(stream: mark.stream, sequence: 7)

    @Test
    func `a file counts as the original store only if it matches everything remembered of it`() {
        let rows: [(FoundStore, StoreMemory.Reading, LineageDoubt?)] = [
            (Self.found(), .remembered(Self.memory()), nil),
            (Self.found(), .absent, .forgotten),
            (Self.found(), .unreadable, .unreadable),
            (Self.found(), .remembered(Self.memory("b")), .anotherStore),
            (Self.found(), .remembered(Self.memory(epoch: 2)), .anotherStore),
            // A copy that was adopted, in place of the store from which it was made.
            (
                Self.found { $0.identity = Self.identity(epoch: 2) }, .remembered(Self.memory()),
                .anotherStore
            ),
            (Self.found { $0.hasMark = false }, .remembered(Self.memory()), Self.wentBack),
            (Self.found { $0.file = 6 }, .remembered(Self.memory()), .copied),
            // Created by an earlier build, or just now.
            (Self.found { $0.isRemembered = false }, .absent, nil),
            // Whoever wrote the file first was killed meanwhile, and had not sent anything.
            (Self.found { $0.isRemembered = false }, .unreadable, nil),
            (Self.found { $0.isRemembered = false }, .remembered(Self.memory("b")), .anotherStore),
            (
                Self.found {
                    $0.isRemembered = false
                    $0.isEmpty = true
                }, .remembered(Self.memory("b")), nil
            ),
        ]
        for (found, memory, doubt) in rows {
            #expect(found.doubt(against: memory, isShared: false) == doubt, "\(found) \(memory)")
        }
    }

    @Test func `a shared database is accepted by machines that remember different states of it`() {
        let known = StoreMemory.Reading.remembered(Self.memory(file: nil))
        let database = Self.found { $0.file = nil }
        let rows: [(FoundStore, StoreMemory.Reading, LineageDoubt?)] = [
            (database, known, nil),
            (database, .absent, nil), (database, .unreadable, .unreadable),
            (Self.found { $0.isRemembered = false }, .unreadable, .unreadable),
            // Another machine knows of the adoption, and this one does not.
            (
                Self.found {
                    $0.file = nil
                    $0.identity = Self.identity(epoch: 2)
                    $0.hasMark = false
                }, known, nil
            ),
            (Self.found { $0.hasMark = false }, known, Self.wentBack),
            (
                Self.found {
                    $0.birthServer = "1:2"
                    $0.server = "1:3"
                }, .absent, .anotherServer
            ),
            // A server that does not say.
            (
                Self.found {
                    $0.file = nil
                    $0.birthServer = "1:2"
                }, known, nil
            ),
        ]
        for (found, memory, doubt) in rows {
            #expect(found.doubt(against: memory, isShared: true) == doubt, "\(found) \(memory)")
        }
    }

    @Test func `a memory file is read as written, and a damaged one is unreadable`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("memory-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("identity").path
        #expect(try StoreMemory.read(path) == .absent)
        for memory in [
            Self.memory(), Self.memory(file: nil, mark: nil), Self.memory(epoch: 9, file: .max),
        ] {
            try memory.write(to: path, isLasting: true)
            #expect(try StoreMemory.read(path) == .remembered(memory))
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(sound.count == StoreMemory.length)
        let spoilt = [
            sound.dropLast(), sound + [0x20], Data(repeating: 0, count: sound.count),
            Data(String(decoding: sound, as: UTF8.self).replacing("\"v\":1", with: "\"v\":2").utf8),
            Data(
                String(decoding: sound, as: UTF8.self).replacing("\"epoch\":9", with: "\"epoch\":0")
                    .utf8
            ),
        ]
        for bytes in spoilt {
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(try StoreMemory.read(path) == .unreadable)
        }
        // Another process has created the file and not written it yet.
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try StoreMemory.read(path) == .absent)
    }

    @Test func `a store is not the live one while the commit that marks it fails`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            await store.close()
            let connection = try SQLiteConnection(
                path: file.path,
                readOnly: false,
                busyTimeout: .seconds(9)
            )
            try connection.execute(
                "CREATE TEMP TRIGGER disk_full BEFORE UPDATE ON store_identity "
                    + "BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
            let watch = LineageWatch(path: file.path + "-identity")
            let lineage = SQLiteLineage(connection)
            #expect(throws: (any Error).self) { try lineage.confirm(file: 5, by: watch) }
            #expect(!watch.isConfirmed)
            try connection.execute("DROP TRIGGER temp.disk_full")
            try lineage.confirm(file: 5, by: watch)
            #expect(watch.isConfirmed)
        }
    }

    @Test func `engines that start on a new file at the same time do not take it for a copy`()
        async throws
    {
        for _ in 0..<20 {
            try await StoreFile.with { file in
                let first = try await SQLiteEventStore(path: file.path)
                let others = try await [
                    SQLiteEventStore(path: file.path), SQLiteEventStore(path: file.path),
                ]
                // Only a store with records can be a copy that matters.
                try await first.append(StoredSession(9).append(after: 0))
                try await withThrowingTaskGroup { group in
                    for (index, store) in ([first] + others).enumerated() {
                        group.addTask {
                            try await store.acquireLease(on: StoredSession(index).id)
                        }
                        group.addTask {
                            let doubt = try await store.lineage().doubt
                            #expect(doubt == nil)
                            return true
                        }
                    }
                    for try await isOwn in group { #expect(isOwn) }
                }
                for store in [first] + others { await store.close() }
            }
        }
    }

    @Test func `a lease is lost, and none is granted, once the file was replaced under the engine`()
        async throws
    {
        try await StoreFile.with { file in
            let session = StoredSession(1)
            let store = try await SQLiteEventStore(path: file.path)
            #expect(try await store.acquireLease(on: session.id))
            var append = session.append(after: 0)
            append.isUnderLease = true
            try await store.append(append)
            #expect(store.holdsLease(on: session.id))
            let copy = file.path + ".copy"
            try FileManager.default.copyItem(atPath: file.path, toPath: copy)
            try FileManager.default.removeItem(atPath: file.path)
            try FileManager.default.moveItem(atPath: copy, toPath: file.path)
            #expect(!store.holdsLease(on: session.id))
            await #expect(throws: EventStoreError.leaseLost(stream: session.id)) {
                var next = session.append(after: 1)
                next.isUnderLease = true
                try await store.append(next)
            }
            await #expect(throws: LineageDoubt.copied.error) {
                _ = try await store.acquireLease(on: session.id)
            }
            await store.close()
        }
    }
}
