import EventLog
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores

/// How a file gets from one schema version to the next, shown with versions of these tests' own:
/// there is one so far.
@Suite struct SQLiteMigrationTests {
    private static let steps = [
        "CREATE TABLE seats (number INTEGER PRIMARY KEY); INSERT INTO seats VALUES (7);",
        "ALTER TABLE seats ADD COLUMN row TEXT NOT NULL DEFAULT 'A';",
        "CREATE INDEX seats_row ON seats (row); UPDATE seats SET row = 'B';",
    ]

    private func connect(_ file: StoreFile) throws -> SQLiteConnection {
        try SQLiteFile.prepare(file.path, access: .createIfMissing)
        return try SQLiteConnection(
            path: file.path,
            readOnly: false,
            isImmutable: false,
            busyTimeout: .seconds(5)
        )
    }

    @Test(arguments: 1...3)
    func `a file of each version is brought to the newest, once, with its rows`(
        known: Int
    ) async throws {
        try await StoreFile.with { file in
            try SQLiteSchema.migrate(connect(file), by: Array(Self.steps.prefix(known)))
            #expect(try file.python("PRAGMA user_version") == ["\(known)"])
            for _ in 1...2 { try SQLiteSchema.migrate(connect(file), by: Self.steps) }
            #expect(try file.python("PRAGMA user_version") == ["3"])
            #expect(try file.python("SELECT number, row FROM seats") == ["7 B"])
        }
    }

    @Test func `a step that fails leaves the version before it, which a later build continues`()
        async throws
    {
        try await StoreFile.with { file in
            let broken = [Self.steps[0], Self.steps[1] + "INSERT INTO nowhere VALUES (1);"]
            let connection = try connect(file)
            #expect(throws: SQLiteFailure.self) {
                try SQLiteSchema.migrate(connection, by: broken)
            }
            #expect(try file.python("PRAGMA user_version") == ["1"])
            #expect(try file.python("SELECT * FROM seats") == ["7"])
            try SQLiteSchema.migrate(connection, by: Self.steps)
            #expect(try file.python("SELECT number, row FROM seats") == ["7 B"])
        }
    }

    @Test func `a store of schema 1 is opened as it is, and one of a newer schema is refused`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            await store.close()
            #expect(SQLiteSchema.currentVersion == 1)
            #expect(try file.python("PRAGMA user_version") == ["1"])
            for access in [StoreAccess.readOnly, .existing, .createIfMissing] {
                let store = try await SQLiteEventStore(
                    path: file.path,
                    options: SQLiteOptions(access: access)
                )
                #expect(try await store.head(of: StoredSession(1).id)?.sequence == 1)
                await store.close()
            }
            try file.python("PRAGMA user_version = 12")
            for access in [StoreAccess.readOnly, .existing, .createIfMissing] {
                let error = await file.openingError(SQLiteOptions(access: access))
                #expect(error == .newerSchema(found: 12, supported: 1))
            }
            #expect(try file.python("PRAGMA user_version") == ["12"])
        }
    }
}
