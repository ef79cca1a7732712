import EventLog
import Foundation
import Inspection
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

@Suite struct SQLiteTroubleTests {
    @Test func `an append to a full disk fails as a whole and keeps the earlier records`()
        async throws
    {
        try await StoreFile.with { file in
            let writer = try TestProcess.storeWriter(file.path, "fill", "600000")
            let said = await writer.rest()
            #expect(said.last == "store.full")
            let acknowledged = said.dropLast()
            #expect(acknowledged.count > 10)
            let store = try await SQLiteEventStore(path: file.path)
            let records = try await store.read(
                StoredSession.ofWriter(1),
                from: 1,
                limit: 100_000
            )
            #expect(
                records.map(\.sequence) == (0..<acknowledged.count).map { SequenceNumber($0 + 1) }
            )
            let row = try await store.sessions(matching: SessionQuery())
            #expect(row.map(\.lastSequence) == [SequenceNumber(acknowledged.count)])
            #expect(try await store.structuralFaults() == [])
            await store.close()
        }
    }

    @Test func `the error for a damaged table definition is one line of printable text`()
        async throws
    {
        try await StoreFile.with { file in
            try await SQLiteEventStore(path: file.path).close()
            // The definitions are stored as text; their keyword occurs nowhere else in a new store.
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
            let keyword = try #require(bytes.range(of: Data("CREATE TABLE listed_sums".utf8)))
            bytes.replaceSubrange(
                keyword.lowerBound..<keyword.lowerBound + 12,
                with: Data("\u{1B}[2J\nCRETE \n".utf8)
            )
            try bytes.write(to: URL(fileURLWithPath: file.path))
            let error = await #expect(throws: EventStoreError.self) {
                let store = try await SQLiteEventStore(path: file.path)
                _ = try await store.sessions(matching: SessionQuery())
            }
            let words = try #require(error).description
            #expect(words.contains("listed_sums"), "\(words)")
            #expect(words.unicodeScalars.allSatisfy { !$0.steersScreens }, "\(words)")
            #expect(words.count < 2 * SQLiteFailure.messageLimit, "\(words)")
        }
    }

    @Test func `a read-only file can be read, and an append fails as store.read-only`() async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            var version: SequenceNumber = 0
            while version < 3 {
                try await store.append(sample(after: version))
                version += 1
            }
            await store.close()
            chmod(file.path, 0o444)
            chmod(file.directory.path, 0o777)
            let helper = try TestProcess.storeWriter(file.path, "unprivileged")
            #expect(await helper.rest() == ["head 3", "store.read-only"])
        }
    }

    @Test func `a store in a read-only directory fails as store.unavailable`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(sample(after: 0))
            await store.close()
            chmod(file.path, 0o444)
            chmod(file.directory.path, 0o555)
            defer { chmod(file.directory.path, 0o755) }
            let helper = try TestProcess.storeWriter(file.path, "unprivileged")
            #expect(await helper.rest() == ["store.unavailable"])
        }
    }

    @Test func `a store opened read-only refuses appends and leases`() async throws {
        try await StoreFile.with { file in
            let writer = try await SQLiteEventStore(path: file.path)
            try await writer.append(StoredSession(1).append(after: 0))
            let options = SQLiteOptions(access: .readOnly)
            let reader = try await SQLiteEventStore(path: file.path, options: options)
            #expect(reader.isReadOnly && !writer.isReadOnly)
            let head = try await reader.head(of: StoredSession(1).id)
            #expect(head?.sequence == 1)
            await #expect(throws: EventStoreError.readOnly) {
                try await reader.append(StoredSession(1).append(after: 1))
            }
            await #expect(throws: EventStoreError.readOnly) {
                _ = try await reader.acquireLease(on: StoredSession(1).id)
            }
            try await writer.append(StoredSession(1).append(after: 1))
            #expect(try await reader.head(of: StoredSession(1).id)?.sequence == 2)
            await reader.close()
            await writer.close()
        }
    }

    @Test func `an append waits for another process, and fails as busy when it waits too long`()
        async throws
    {
        try await StoreFile.with { file in
            let options = SQLiteOptions(busyTimeout: .milliseconds(100))
            let store = try await SQLiteEventStore(path: file.path, options: options)
            let patience = SQLiteOptions(busyTimeout: .seconds(600))
            let patient = try await SQLiteEventStore(path: file.path, options: patience)
            let other = try SQLiteConnection(
                path: file.path,
                readOnly: false,
                busyTimeout: .seconds(1)
            )
            try other.execute("BEGIN IMMEDIATE")
            let waiting = Task { try await patient.append(StoredSession(2).append(after: 0)) }
            await #expect(throws: EventStoreError.busy) {
                try await store.append(StoredSession(1).append(after: 0))
            }
            #expect(try await store.head(of: StoredSession(2).id) == nil)
            try other.execute("ROLLBACK")
            try await waiting.value
            #expect(try await store.head(of: StoredSession(2).id)?.sequence == 1)
            try await store.append(StoredSession(1).append(after: 0))
            await patient.close()
            await store.close()
        }
    }

    @Test func `appends beyond the queue's bound are refused, and the others succeed`() async throws
    {
        try await StoreFile.with { file in
            let options = SQLiteOptions(maximumWaitingAppends: 10)
            let store = try await SQLiteEventStore(path: file.path, options: options)
            let other = try SQLiteConnection(
                path: file.path,
                readOnly: false,
                busyTimeout: .seconds(1)
            )
            try other.execute("BEGIN IMMEDIATE")
            let refusals = await withTaskGroup(of: EventStoreError?.self) { group in
                for number in 1...30 {
                    group.addTask {
                        do throws(EventStoreError) {
                            try await store.append(StoredSession(number).append(after: 0))
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                // The writer works on one batch of any size and ten appends wait; the rest are
                // refused at once.
                var refusals: [EventStoreError] = []
                for await error in group {
                    if let error { refusals.append(error) }
                    if refusals.count == 10 { other.rollBack() }
                }
                return refusals
            }
            #expect(refusals.count >= 10)
            #expect(refusals.allSatisfy { $0 == .overloaded(name: "maximumWaitingAppends") })
            let rows = try await store.sessions(matching: SessionQuery())
            #expect(rows.count == 30 - refusals.count)
            await store.close()
        }
    }

    @Test func `reads beyond the queue's bound are refused, naming the option`() async throws {
        try await StoreFile.with { file in
            let options = SQLiteOptions(maximumWaitingReads: 0)
            let store = try await SQLiteEventStore(path: file.path, options: options)
            let refused = await #expect(throws: EventStoreError.self) {
                _ = try await store.read(StoredSession(1).id, from: 1, limit: 1)
            }
            #expect(refused == .overloaded(name: "maximumWaitingReads"))
            #expect(refused?.code == "store.overloaded")
            #expect(refused?.isTransient == true)
            await store.close()
        }
    }

    @Test func `a record that is too long is refused, naming the limit`() async throws {
        try await StoreFile.with { file in
            let options = SQLiteOptions(maximumRecordBytes: 1000)
            let store = try await SQLiteEventStore(path: file.path, options: options)
            await #expect(throws: EventStoreError.limit(name: "recordBytes")) {
                try await store.append(StoredSession(1).append(after: 0, bytes: 1001))
            }
            try await store.append(StoredSession(1).append(after: 0, bytes: 1000))
            await store.close()
        }
    }

    @Test func `one damaged session fails alone among the appends of a transaction`() async throws {
        try await StoreFile.with { file in
            let loop = try UVLoop(name: "damage")
            let store = try await SQLiteEventStore(path: file.path, loop: loop)
            for number in 1...6 { try await store.append(StoredSession(number).append(after: 0)) }
            // The projection of session 3 falls behind its log, so that only the table's own
            // constraint is left.
            try await store.append(StoredSession(3).append(after: 1))
            try file.python("UPDATE sessions SET last_seq = 1 WHERE key = 3")
            let codes = await loop.spawn {
                await withTaskGroup(of: (Int, String?).self) { group in
                    for number in 1...6 {
                        group.addTask {
                            do throws(EventStoreError) {
                                try await store.append(StoredSession(number).append(after: 1))
                                return (number, nil)
                            } catch {
                                return (number, error.code)
                            }
                        }
                    }
                    return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
            }.value
            #expect(codes == [3: "store.corrupt"])
            for number in 1...6 {
                #expect(try await store.head(of: StoredSession(number).id)?.sequence == 2)
            }
            await store.close()
            loop.shutdown()
        }
    }

    @Test func `the error for a tampered row names its session and sequence number`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let session = StoredSession(1)
            for version in SequenceNumber(0)..<3 {
                try await store.append(session.append(after: version))
            }
            try file.python("UPDATE events SET hash = x'00' WHERE seq = 2")
            do throws(EventStoreError) {
                _ = try await store.read(session.id, from: 1, limit: 10)
                Issue.record("it was read")
            } catch {
                guard case .corrupt(session.id, 2, _) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
            await store.close()
        }
    }

    @Test func `an overwritten page is reported as store.corrupt`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            for number in 1...50 { try await store.append(StoredSession(number).append(after: 0)) }
            await store.close()
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
            try handle.seek(toOffset: 4096)
            let rest = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            try handle.write(contentsOf: Data(repeating: 0xA5, count: (rest ?? 0) - 4096))
            try handle.close()
            var codes: [String] = []
            do throws(EventStoreError) {
                let store = try await SQLiteEventStore(path: file.path)
                do throws(EventStoreError) {
                    _ = try await store.sessions(matching: SessionQuery())
                } catch {
                    codes.append(error.code)
                }
                await store.close()
            } catch {
                codes.append(error.code)
            }
            #expect(codes == ["store.corrupt"])
        }
    }

    private func sample(after version: SequenceNumber) -> StreamAppend {
        var append = StoredSession(1).append(after: version)
        append.stream = StoredSession.ofWriter(1)
        append.summary.session = append.stream
        append.records[0].stream = append.stream
        return append
    }
}
