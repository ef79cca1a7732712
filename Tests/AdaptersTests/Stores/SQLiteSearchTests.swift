import EventLog
import Testing

@testable import Adapters
@testable import EventStores

/// The table of search terms of a file.
@Suite struct SQLiteSearchTests {
    private static let terms = 2 * SQLiteEventStore.termsPerRemoval + 1
    /// Another process begins its table after the first transaction.
    private static let overtaking = """
        CREATE TRIGGER overtaken AFTER DELETE ON search_terms BEGIN
            INSERT OR IGNORE INTO search_progress VALUES (1, 'other', 0);
        END
        """

    @Test func `a table of many terms is emptied in several transactions`() async throws {
        try await StoreFile.with { file in
            let store = try await Self.filled(file)
            try await store.restartSearch("two")
            #expect(try await store.searchProgress() == SearchProgress(mark: "two", cursor: nil))
            #expect(try await store.sessions(withTermsBeginning: ["t"], limit: 9).isEmpty)
            await store.close()
        }
    }

    @Test func `a process that was overtaken while it emptied the table leaves the new one alone`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await Self.filled(file)
            _ = try file.python(Self.overtaking)
            try await store.restartSearch("two")
            #expect(try await store.searchProgress()?.mark == "other")
            let left = Self.terms - SQLiteEventStore.termsPerRemoval
            #expect(try file.python("SELECT count(*) FROM search_terms") == ["\(left)"])
            // What the overtaken process would add is not added.
            try await store.addTerms(
                [StoredSession(1).id: ["tlate"]],
                erased: [],
                upTo: SearchProgress(mark: "two", cursor: nil)
            )
            #expect(try file.python("SELECT count(*) FROM search_terms") == ["\(left)"])
            await store.close()
        }
    }

    @Test func `keys are not removed after a process with other keys began the table again`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await Self.filled(file)
            let vault = try KeyFileVault(path: file.path + ".key")
            _ = try file.python(Self.overtaking)
            await #expect(throws: SearchIndexError.replaced) {
                try await SearchIndex.restart(store, for: vault)
            }
            await store.close()
        }
    }

    @Test func `a table that a killed process began to empty is emptied before keys are removed`()
        async throws
    {
        try await StoreFile.with { file in
            let store = try await Self.filled(file)
            let vault = try KeyFileVault(path: file.path + ".key")
            // What the first transaction leaves.
            _ = try file.python("DELETE FROM search_progress")
            try await SearchIndex.restart(store, for: vault)
            #expect(try file.python("SELECT count(*) FROM search_terms") == ["0"])
            let begun = try #require(try await store.searchProgress())
            // An index of these keys stays as it is, and so does one that was never begun.
            try await SearchIndex.restart(store, for: vault)
            #expect(try await store.searchProgress() == begun)
            _ = try file.python("DELETE FROM search_progress")
            try await SearchIndex.restart(store, for: vault)
            #expect(try await store.searchProgress() == nil)
            await store.close()
        }
    }

    /// A store with one session that has many terms.
    private static func filled(_ file: StoreFile) async throws -> SQLiteEventStore {
        let store = try await SQLiteEventStore(path: file.path)
        try await store.append(StoredSession(1).append(after: 0))
        try await store.restartSearch("one")
        try await store.addTerms(
            [StoredSession(1).id: Set((0..<terms).map { "t\($0)" })],
            erased: [],
            upTo: SearchProgress(mark: "one", cursor: nil)
        )
        #expect(try file.python("SELECT count(*) FROM search_terms") == ["\(terms)"])
        return store
    }
}
