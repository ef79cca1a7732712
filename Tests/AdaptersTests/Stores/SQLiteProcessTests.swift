import Adapters
import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@Suite struct SQLiteProcessTests {
    @Test(.guarantee(.nothingLost), arguments: [1, 16])
    func `no acknowledged append is lost when the writer is killed`(sessions: Int) async throws {
        try await StoreFile.with { file in
            var acknowledged: [Int: SequenceNumber] = [:]
            for round in 0..<3 {
                let first = 1 + round * sessions
                let writer = try TestProcess.storeWriter(
                    file.path,
                    "append",
                    "\(first)",
                    "\(sessions)"
                )
                var said = await writer.lines(40 * sessions)
                writer.kill()
                said += await writer.rest()
                for line in said {
                    let words = line.split(separator: " ")
                    let number = try #require(words.first.flatMap { Int($0) }, "\(line)")
                    let version = try #require(
                        words.count == 2 ? SequenceNumber(String(words[1])) : nil,
                        "\(line)"
                    )
                    acknowledged[number] = version
                }
                #expect(said.count >= 40 * sessions)

                let store = try await SQLiteEventStore(path: file.path)
                for (number, last) in acknowledged {
                    let session = StoredSession.ofWriter(number)
                    let records = try await store.read(session, from: 1, limit: 100_000)
                    #expect(SequenceNumber(records.count) >= last)
                    #expect(
                        records.map(\.sequence)
                            == (0..<records.count).map { SequenceNumber($0 + 1) }
                    )
                    let head = try await store.head(of: session)
                    #expect(head?.sequence == SequenceNumber(records.count))
                }
                for row in try await store.sessions(matching: SessionQuery()) {
                    let head = try await store.head(of: row.session)
                    #expect(row.lastSequence == head?.sequence)
                }
                #expect(try await store.structuralFaults() == [])
                await store.close()
            }
        }
    }

    @Test(.guarantee(.oneWriter))
    func `two processes that append to one stream leave no gap and no duplicate`() async throws {
        try await StoreFile.with { file in
            let versions = 200
            let writers = try (0..<2).map { _ in
                try TestProcess.storeWriter(file.path, "fight", "\(versions)")
            }
            var said: [[String]] = []
            for writer in writers { said.append(await writer.rest()) }
            // Each version was acknowledged to exactly one of them.
            let expected = (1...versions).map { "1 \($0)" }
            #expect(said.flatMap { $0 }.sorted() == expected.sorted())
            let store = try await SQLiteEventStore(path: file.path)
            let records = try await store.read(
                StoredSession.ofWriter(1),
                from: 1,
                limit: 1000
            )
            #expect(records.map(\.sequence) == (1...versions).map { SequenceNumber($0) })
            await store.close()
        }
    }

    @Test func `commits of another process move the change counter`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let before = try await store.changeCounter()
            _ = try await TestProcess.storeWriter(file.path, "fight", "1").rest()
            #expect(try await store.changeCounter() != before)
            await store.close()
        }
    }

    @Test func `a lease ends with the process that holds it`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let session = StoredSession.ofWriter(7)
            let holder = try TestProcess.storeWriter(file.path, "lease", "7")
            #expect(await holder.lines(1) == ["true"])
            #expect(try await store.acquireLease(on: session) == false)
            #expect(try await store.acquireLease(on: StoredSession.ofWriter(8)))
            holder.kill()
            _ = await holder.rest()
            #expect(try await store.acquireLease(on: session))
            let second = try TestProcess.storeWriter(file.path, "lease", "7")
            #expect(await second.lines(1) == ["false"])
            try second.closeInput()
            _ = await second.rest()
            await store.close()
        }
    }

    @Test(.guarantee(.oneWriter))
    func `a process loses its leases when the lease file is replaced`() async throws {
        try await StoreFile.with { file in
            let session = StoredSession.ofWriter(7)
            let holder = try TestProcess.storeWriter(file.path, "lease", "7")
            #expect(await holder.lines(1) == ["true"])
            let store = try await SQLiteEventStore(path: file.path)
            #expect(try await store.acquireLease(on: session) == false)
            try FileManager.default.removeItem(atPath: file.path + "-leases")
            #expect(try await store.acquireLease(on: session))
            #expect(store.holdsLease(on: session))
            try holder.closeInput()
            #expect(await holder.rest() == ["false"])

            // A file that belongs to another store, as after a rename, is refused as well.
            let path = file.path + "-leases"
            try Data().write(to: URL(fileURLWithPath: path), options: .atomic)
            #expect(!store.holdsLease(on: session))
            #expect(try await store.acquireLease(on: session))
            await store.close()
            #expect(!store.holdsLease(on: session))
        }
    }

    @Test(.threat("T-18"))
    func `an append under a lease is refused after the lease file was deleted`() async throws {
        try await StoreFile.with { file in
            let (store, other) = (
                try await SQLiteEventStore(path: file.path),
                try await SQLiteEventStore(path: file.path)
            )
            let session = StoredSession(1).id
            #expect(try await store.acquireLease(on: session))
            var append = StoredSession(1).append(after: 0)
            append.isUnderLease = true
            try await store.append(append)
            try FileManager.default.removeItem(atPath: file.path + "-leases")
            #expect(try await other.acquireLease(on: session))
            var late = StoredSession(1).append(after: 1)
            late.isUnderLease = true
            await #expect(throws: EventStoreError.leaseLost(stream: session)) {
                try await store.append(late)
            }
            #expect(try await store.acquireLease(on: session) == false)
            try await other.append(late)
            await store.close()
            await other.close()
        }
    }

    @Test func `any program that reads SQLite can read the log`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            for version in SequenceNumber(0)..<3 {
                try await store.append(StoredSession(1).append(after: version))
                try await store.append(StoredSession(2).append(after: version))
            }
            let rows = try file.python(
                """
                SELECT id, seq, type, length(record), length(hash), hex(seals)
                FROM events JOIN sessions ON key = session WHERE seq = 2 ORDER BY id
                """
            )
            let ids = [StoredSession(1).id, StoredSession(2).id]
            #expect(rows == ids.map { "\($0) 2 fetched 350 32 00000003010203" })
            let all = try await store.records(after: nil, limit: 100)
            #expect(all.map(\.record.sequence) == [1, 1, 2, 2, 3, 3])
            #expect(all.map { $0.cursor.position(inLane: 0) } == [1, 2, 3, 4, 5, 6])
            let rest = try await store.records(after: all[3].cursor, limit: 1)
            #expect(rest == [all[4]])
            await store.close()
        }
    }
}
