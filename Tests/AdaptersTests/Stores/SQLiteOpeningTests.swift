import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters
@testable import EventStores

@Suite struct SQLiteOpeningTests {
    @Test func `a store's files are accessible to their owner only`() async throws {
        try await StoreFile.with { file in
            let store = try await SQLiteEventStore(path: file.path)
            try await store.append(StoredSession(1).append(after: 0))
            #expect(try await store.acquireLease(on: StoredSession(1).id))
            for ending in ["", "-wal", "-shm", "-leases"] {
                var status = stat()
                #expect(stat(file.path + ending, &status) == 0, "\(ending)")
                #expect(status.st_mode & 0o777 == 0o600, "\(ending)")
            }
            await store.close()
        }
    }

    @Test func `the error for a missing directory names it and says what to do`() async throws {
        try await StoreFile.with { file in
            var inner = file
            inner.directory.appendPathComponent("missing")
            guard case .unavailable(let reason, _) = await inner.openingError() else {
                Issue.record("it was opened")
                return
            }
            #expect(reason.contains("missing does not exist"))
            #expect(reason.contains("create it"))
        }
    }

    @Test func `a missing file is not created unless the access allows it`() async throws {
        try await StoreFile.with { file in
            for access in [StoreAccess.existing, .readOnly] {
                let error = await file.openingError(SQLiteOptions(access: access))
                #expect(error?.code == "store.unavailable")
            }
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func `a directory, an empty path and a text file are refused as stores`() async throws {
        try await StoreFile.with { file in
            try FileManager.default.createDirectory(
                atPath: file.path,
                withIntermediateDirectories: true
            )
            #expect(await file.openingError()?.code == "store.unavailable")
            try FileManager.default.removeItem(atPath: file.path)

            let words = Data(String(repeating: "not a database. ", count: 100).utf8)
            try words.write(to: URL(fileURLWithPath: file.path))
            #expect(await file.openingError()?.code == "store.foreign")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == words)

            await #expect(throws: EventStoreError.self) {
                _ = try await SQLiteEventStore(path: "")
            }
        }
    }

    @Test func `another program's database is refused and left unchanged`() async throws {
        try await StoreFile.with { file in
            try file.python("CREATE TABLE customers (name TEXT)")
            let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
            #expect(await file.openingError()?.code == "store.foreign")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
        }
    }

    @Test func `a store with a newer schema is refused, with both versions in the error`()
        async throws
    {
        try await StoreFile.with { file in
            await (try SQLiteEventStore(path: file.path)).close()
            try file.python("PRAGMA user_version = 999")
            #expect(await file.openingError() == .newerSchema(found: 999, supported: 1))
        }
    }

    @Test func `an empty file becomes a store only where creating one is allowed`() async throws {
        try await StoreFile.with { file in
            try Data().write(to: URL(fileURLWithPath: file.path))
            let careful = await file.openingError(SQLiteOptions(access: .existing))
            #expect(careful?.code == "store.foreign")
            #expect(await file.openingError() == nil)
        }
    }

    @Test func `many stores may make the same file at the same time`() async throws {
        try await StoreFile.with { file in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 {
                    group.addTask {
                        // Each waits until the others have made the tables.
                        let options = SQLiteOptions(busyTimeout: .seconds(60))
                        let store = try await SQLiteEventStore(
                            path: file.path,
                            options: options
                        )
                        try await store.append(StoredSession(number).append(after: 0))
                        await store.close()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try file.python("SELECT count(*) FROM events") == ["8"])
        }
    }

    @Test(.guarantee(.durableFirst))
    func `the writer syncs every commit, enforces foreign keys and writes no temporary files`()
        async throws
    {
        try await StoreFile.with { file in
            let opening = SQLiteOpening(path: file.path, options: SQLiteOptions())
            let connection = try opening.openWriter()
            #expect(try connection.integer("PRAGMA synchronous") == 2)
            #expect(try connection.integer("PRAGMA foreign_keys") == 1)
            #expect(try connection.text("PRAGMA journal_mode") == "wal")
            // Sorting and temporary tables use memory, for readers too: there are no temporary
            // files.
            #expect(try connection.integer("PRAGMA temp_store") == 2)
            #expect(try opening.openReader().integer("PRAGMA temp_store") == 2)
            #expect(throws: SQLiteFailure.self) {
                try connection.execute("INSERT INTO session_keys VALUES (5, x'00')")
            }
        }
    }

    @Test func `lists and due sessions are found through indexes`() async throws {
        try await StoreFile.with { file in
            await (try SQLiteEventStore(path: file.path)).close()
            let plans = [
                "SELECT id FROM sessions WHERE due_at <= 1 ORDER BY due_at, key LIMIT 9":
                    "sessions_due",
                "SELECT id FROM listed_sessions WHERE reference = 'a' ORDER BY id DESC":
                    "listed_reference",
                "SELECT id FROM sessions WHERE address_fp = x'00' ORDER BY id DESC":
                    "sessions_address",
                "SELECT * FROM events WHERE session = 1 AND seq >= 2 ORDER BY seq": "INDEX",
            ]
            for (query, index) in plans {
                let plan = try file.python("EXPLAIN QUERY PLAN " + query).joined()
                #expect(plan.contains("SEARCH") && plan.contains(index), "\(plan)")
            }
        }
    }

    @Test func `the file carries the store's application ID and schema version`() async throws {
        try await StoreFile.with { file in
            await (try SQLiteEventStore(path: file.path)).close()
            let pragmas = "PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode"
            #expect(try file.python(pragmas) == ["1346459991", "1", "wal"])
        }
    }
}
