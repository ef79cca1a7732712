import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

/// Files to which more than records was added.
@Suite(.threat("T-11")) struct SQLiteStructureTests {
    /// Returns the error's message when writing to the file is refused.
    private func refusal(of store: SQLiteEventStore, _ append: StreamAppend) async -> String? {
        do throws(EventStoreError) {
            try await store.append(append)
            return nil
        } catch {
            #expect(error.code == "store.altered-schema" && !error.isTransient)
            return "\(error)"
        }
    }

    fileprivate static let dropping = """
        CREATE TRIGGER planted BEFORE INSERT ON events WHEN NEW.seq = 2 BEGIN SELECT RAISE(IGNORE); END
        """
    fileprivate static let deleting = """
        CREATE TRIGGER planted AFTER INSERT ON events BEGIN DELETE FROM events WHERE seq = NEW.seq; END
        """

    @Test(
        .guarantee(.durableFirst),
        arguments: [SQLiteStructureTests.dropping, SQLiteStructureTests.deleting]
    )
    func `nothing is appended while a foreign trigger exists, even in a store opened before`(
        trigger: String
    ) async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            try file.execute(trigger)
            let words = await refusal(of: store, StoredSession(1).append(after: 1))
            #expect(words?.contains("trigger planted") == true)
            #expect(await refusal(of: store, StoredSession(1).append(after: 1)) == words)
            #expect(try await store.head(of: StoredSession(1).id)?.sequence == 1)
            #expect(try await store.structuralFaults().contains { $0.contains("trigger planted") })
            // Once it is gone the same store continues.
            try file.execute("DROP TRIGGER planted")
            try await store.append(StoredSession(1).append(after: 1))
            #expect(try await store.structuralFaults() == [])
            await store.close()
        }
    }

    @Test func `a store that a newer build upgrades beside an open one names the newer schema`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            let current = SQLiteSchema.currentVersion
            try file.execute(
                "DROP INDEX sessions_due; CREATE INDEX sessions_due ON sessions (phase); "
                    + "PRAGMA user_version = \(current + 1)"
            )
            for _ in 1...2 {
                await #expect(
                    throws: EventStoreError.newerSchema(found: current + 1, supported: current)
                ) {
                    try await store.append(StoredSession(1).append(after: 1))
                }
            }
            #expect(try await store.head(of: StoredSession(1).id)?.sequence == 1)
            await store.close()
        }
    }

    @Test(
        arguments: [
            SQLiteStructureTests.dropping,
            "CREATE VIEW shown AS SELECT 1",
            "ALTER TABLE events ADD COLUMN more TEXT",
            "DROP INDEX sessions_opened",
            "DROP INDEX sessions_due; CREATE UNIQUE INDEX sessions_due ON sessions (phase)",
            "DROP TABLE session_keys",
        ]
    )
    func `a file with an altered schema can be opened read-only and not otherwise`(
        change: String
    ) async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            await store.close()
            try file.execute(change)
            #expect(await file.openingError()?.code == "store.altered-schema")
            let options = SQLiteOptions(access: .readOnly)
            let reader = try await SQLiteEventStore(path: file.path, options: options)
            #expect(try await reader.read(StoredSession(1).id, from: 1, limit: 9).count == 1)
            #expect(try await reader.structuralFaults() != [])
            await reader.close()
        }
    }

    @Test func `foreign tables and indexes are accepted, and a moved store can still be opened`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            try file.execute(
                "CREATE TABLE notes (text); CREATE INDEX mine ON events (type); ANALYZE"
            )
            try await store.append(StoredSession(1).append(after: 1))
            await store.close()
            #expect(await file.openingError() == nil)
            try file.execute(SQLiteSchema.closing)
            let moved = try await SQLiteEventStore(path: file.path)
            #expect(try await moved.structuralFaults() == [])
            await #expect(throws: EventStoreError.moved) {
                try await moved.append(StoredSession(1).append(after: 2))
            }
            await moved.close()
        }
    }

    @Test func `a row silently dropped by a trigger is noticed`() async throws {
        try await StoreFile.with { file in
            let connection = try await Self.opened(file)
            let insert = try connection.statement("INSERT INTO sessions (key) VALUES (1)")
            try connection.execute(
                "CREATE TEMP TRIGGER t BEFORE INSERT ON sessions BEGIN SELECT RAISE(IGNORE); END"
            )
            let failure = #expect(throws: SQLiteFailure.self) { try insert.writeOne() }
            #expect(failure?.storeError.code == "store.altered-schema")
            #expect(failure?.concernsOneAppend == false)
        }
    }

    private static func opened(_ file: StoreFile) async throws -> SQLiteConnection {
        await (try SQLiteEventStore(path: file.path)).close()
        return try SQLiteConnection(path: file.path, readOnly: false, busyTimeout: .seconds(9))
    }

    @Test func `the error for an empty file names the command that creates a store`() async throws {
        try await StoreFile.with { file in
            try Data().write(to: URL(fileURLWithPath: file.path))
            let error = await file.openingError(SQLiteOptions(access: .readOnly))
            #expect(error?.code == "store.foreign")
            #expect(error.map { "\($0)".contains("workflowctl store init") } == true)
            #expect(await file.openingError() == nil)
            #expect(await file.openingError(SQLiteOptions(access: .readOnly)) == nil)
        }
    }
}

extension StoreFile {
    /// Runs SQL on the file with a connection of its own, as another program would.
    fileprivate func execute(_ sql: String) throws {
        let connection = try SQLiteConnection(
            path: path,
            readOnly: false,
            busyTimeout: .seconds(9)
        )
        try connection.execute(sql)
    }
}
