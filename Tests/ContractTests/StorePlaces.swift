import Adapters
import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import Testing
import WorkflowTesting

/// Logs in memory; every opening returns another handle on them.
struct InMemoryPlace: EventStoreFactory {
    private let first: InMemoryEventStore

    init(lanes: Int = 1) { first = InMemoryEventStore(lanes: lanes) }

    func open() async throws -> any EventStore { await first.another() }
}

/// A SQLite file; every opening returns another store on it.
struct SQLitePlace: EventStoreFactory {
    var path: String
    var loop: UVLoop?

    func open() async throws -> any EventStore {
        try await SQLiteEventStore(path: path, loop: loop)
    }
}

/// A SQLite file with a compression dictionary, which compresses every record.
struct CompressedSQLitePlace: EventStoreFactory {
    var path: String

    func open() async throws -> any EventStore {
        let store = try await SQLiteEventStore(path: path)
        if try await store.recordDictionary() == nil {
            let content = RecordDictionary.train(with: try GoldenLogs.records())
            try await store.addRecordDictionary(#require(content))
        }
        return store
    }

    /// The number of stored records that are not compressed though they are worth it, as another
    /// program counts them.
    static func plainRecords(_ path: String) throws -> Int {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            print(sqlite3.connect(sys.argv[1]).execute(
                "SELECT count(*) FROM events WHERE length(record) > 300 "
                "AND hex(substr(record, 1, 4)) <> '28B52FFD'").fetchone()[0])
            """, path,
        ]
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try #require(Int(String(decoding: text, as: UTF8.self).prefix { $0.isNumber }))
    }
}

/// A directory that is removed after a test.
enum TemporaryDirectory {
    static func with<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("payments-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(directory)
    }
}
