import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// SQLite stores whose records are compressed, as other programs and other processes see them.
@Suite struct CompressedStoreTests {
    private let session = StoredSession(1)

    /// The records of the session, made of those of the golden logs.
    private static func append(
        _ session: StoredSession,
        after version: SequenceNumber
    ) throws -> StreamAppend {
        let canonical = try GoldenLogs.records()[Int(version.rawValue)]
        var append = session.append(after: version)
        let record = append.records[0]
        append.records = [
            StoredRecord(
                stream: session.id,
                sequence: version + 1,
                type: record.type,
                at: record.at,
                canonical: canonical,
                previous: .zero,
                hash: HashChain.hash(.zero, canonical),
                seals: record.seals
            )
        ]
        return append
    }

    private static func content() throws -> [UInt8] {
        try #require(RecordDictionary.train(with: try GoldenLogs.records()))
    }

    @Test func `the zstd tool restores a stored record with the dictionary of the store`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.addRecordDictionary(try Self.content())
            let append = try Self.append(session, after: 0)
            try await store.append(append)
            await store.close()
            let folder = file.directory.path
            try file.python("SELECT 1")
            let restored = try StoreFile.shell(
                """
                cd '\(folder)' && python3 -c '
                import sqlite3
                db = sqlite3.connect("payments.db")
                open("d", "wb").write(db.execute("SELECT content FROM record_dictionaries").fetchone()[0])
                open("r.zst", "wb").write(db.execute("SELECT record FROM events").fetchone()[0])
                ' && zstd -q -d -c -D d r.zst
                """
            )
            #expect(Array(restored) == append.records[0].canonical)
        }
    }

    @Test func `records of before and after a dictionary read alike, also where a store is open`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            let other = try await SQLiteEventStore(path: file.path)
            var wanted: [StoredRecord] = []
            var numbers: [Int] = []
            for version in 0..<6 {
                let append = try Self.append(session, after: SequenceNumber(version))
                // The other store is open before the dictionary comes, and compresses from then on.
                try await (version % 2 == 0 ? store : other).append(append)
                wanted += append.records
                guard version == 1 || version == 3 else { continue }
                let added = version == 1 ? store : other
                numbers.append(Int(try await added.addRecordDictionary(try Self.content())))
            }
            let (first, second) = (numbers[0], numbers[1])
            #expect(try await store.read(session.id, from: 1, limit: 9) == wanted)
            #expect(try await other.read(session.id, from: 1, limit: 9) == wanted)
            #expect(try Self.numbers(in: file) == [0, 0, first, first, second, second])
            #expect(try await other.recordDictionary().map { Int($0) } == second)
            // What is compressed afterwards is what becomes smaller by it, and nothing twice.
            var piece = try #require(try await store.compressRecords(after: 0, limit: 4))
            #expect(piece.position == 4 && piece.records == 4 && piece.changed == 2)
            piece = try #require(try await store.compressRecords(after: 4, limit: 4))
            #expect(piece.records == 2 && piece.changed == 0)
            #expect(piece.storedBytes < piece.canonicalBytes)
            #expect(try await store.compressRecords(after: piece.position, limit: 4) == nil)
            #expect(try Self.numbers(in: file) == [second, second, first, first, second, second])
            #expect(try await other.read(session.id, from: 1, limit: 9) == wanted)
            #expect(try await store.records(after: nil, limit: 9).map(\.record) == wanted)
            await store.close()
            await other.close()
        }
    }

    @Test func `a dictionary that was exchanged under its number is not used by an open store`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.addRecordDictionary(try Self.content())
            try await store.append(try Self.append(session, after: 0))
            // Another dictionary of the same number, with its own digest: as after a restore.
            let records = Array(try GoldenLogs.records().reversed().dropFirst(9))
            let number = try #require(try await store.recordDictionary())
            let other = try #require(
                RecordDictionary.train(with: records).flatMap {
                    RecordDictionary(trained: $0, as: number)
                }
            )
            try file.python(
                "UPDATE record_dictionaries SET content = X'\(hexadecimal(other.content))', digest = X'\(other.digest.hexadecimal)'"
            )
            let append = try Self.append(session, after: 1)
            try await store.append(append)
            await store.close()
            let later = try await SQLiteEventStore(path: file.path)
            #expect(try await later.read(session.id, from: 2, limit: 9) == append.records)
            await later.close()
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The numbers of the dictionaries of the stored records, read by another program.
    private static func numbers(in file: StoreFile) throws -> [Int] {
        let rows = try file.python(
            "SELECT CASE hex(substr(record, 1, 4)) WHEN '28B52FFD' THEN hex(substr(record, 6, 4)) ELSE '00000000' END FROM events ORDER BY position"
        )
        return rows.compactMap { UInt32($0, radix: 16).map { Int($0.byteSwapped) } }
    }

    @Test(arguments: [
        "DELETE FROM record_dictionaries",
        "UPDATE record_dictionaries SET content = zeroblob(length(content))",
        "UPDATE record_dictionaries SET digest = zeroblob(32)",
        "UPDATE record_dictionaries SET id = 9",
        "UPDATE record_dictionaries SET id = 9223372036854775807",
        "UPDATE record_dictionaries SET content = zeroblob(2000000)",
    ])
    func `without its dictionary a record is corrupt, and new ones are stored as they are`(
        sql: String
    ) async throws {
        try await StoreFile.with { file in
            var store = try await SQLiteEventStore(path: file.path)
            let number = try await store.addRecordDictionary(try Self.content())
            try await store.append(try Self.append(session, after: 0))
            await store.close()
            try file.python(sql)
            store = try await SQLiteEventStore(path: file.path)
            await #expect(
                throws: EventStoreError.corrupt(
                    stream: session.id,
                    sequence: 1,
                    reason: "its compression dictionary \(number) is missing or was altered"
                )
            ) {
                try await store.read(session.id, from: 1, limit: 9)
            }
            let append = try Self.append(session, after: 1)
            try await store.append(append)
            #expect(try await store.read(session.id, from: 2, limit: 9) == append.records)
            let isAltered = sql.hasPrefix("UPDATE")
            #expect(
                try await store.structuralFaults().contains { $0.hasPrefix("the compression") }
                    == isAltered
            )
            await store.close()
        }
    }
}
