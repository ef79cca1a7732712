import Adapters
import EventLog
import Foundation
import SwedbankPay

/// A session for tests of one store, which does not interpret the record's bytes.
struct StoredSession {
    var id: SessionID

    init(_ number: Int) {
        id = SessionID(at: Instant(microseconds: Int64(number) * 1000), random: (1, 2))
    }

    func append(after version: SequenceNumber, bytes: Int = 350) -> StreamAppend {
        let at = Instant(microseconds: version.rawValue)
        let record = StoredRecord(
            stream: id,
            sequence: version + 1,
            type: "fetched",
            at: at,
            canonical: Array(repeating: 0x20, count: bytes),
            previous: .zero,
            hash: .zero,
            seals: [[1, 2, 3]]
        )
        let summary = SessionSummary(
            session: id,
            phase: "attempting",
            isSettled: false,
            lastSequence: version + 1,
            openedAt: at,
            lastAt: at
        )
        return StreamAppend(
            stream: id,
            expectedVersion: version,
            records: [record],
            summary: summary,
            wrappedKey: version == 0 ? [1] : nil
        )
    }
}

/// Runs a test with a store's file in a directory of its own.
struct StoreFile {
    var directory: URL
    var path: String { directory.appendingPathComponent("payments.db").path }

    static func with<Value>(_ body: (StoreFile) async throws -> Value) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("payments-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(StoreFile(directory: directory))
    }

    /// Returns the error with which opening it fails.
    func openingError(_ options: SQLiteOptions = SQLiteOptions()) async -> EventStoreError? {
        do throws(EventStoreError) {
            await (try SQLiteEventStore(path: path, options: options)).close()
            return nil
        } catch {
            return error
        }
    }

    /// Runs SQL on the file with another program's SQLite, and returns the rows that it prints.
    @discardableResult
    func python(_ sql: String) throws -> [String] {
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1], isolation_level=None)
            statement = ""
            for piece in sys.argv[2].split(";"):
                statement += piece + ";"
                if sqlite3.complete_statement(statement):
                    for row in db.execute(statement): print(*row)
                    statement = ""
            """
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, path, sql]
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension StoreFile {
    /// Runs a test with a directory of its own.
    static func withDirectory<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("payments-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try body(directory)
    }

    /// Runs a command, and returns what it prints.
    static func shell(_ command: String) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
        return data
    }
}
