import Foundation
import TestSupport
import Testing

/// The search index is filled by processes that are killed.
@Suite(.tags(.repeatedThoroughly)) struct SearchIndexTests {
    /// The number of sessions: their records are more than one batch of an update.
    private static let count = 600

    /// Returns what a statement selects from a store, read without any code of the engine.
    private func rows(_ statement: String, at place: Place) async throws -> String {
        try await python(
            """
            import sqlite3, sys
            for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row)
            """,
            [place.store, statement],
            in: place
        )
    }

    /// Brings the index up to date, and returns the number of records that this had to read.
    private func update(_ place: Place) async throws -> Int {
        let done = try await place.tool(["store", "index", "--json"])
        #expect(done.status == 0, "\(done.words)")
        return try #require((done.json as? [String: Any])?["records"] as? Int)
    }

    @Test func `an update of the search index that is killed is continued by the same command`()
        async throws
    {
        try await Place.with("search") { place in
            let made = try await place.tool(["demo", "--sessions", "\(Self.count)"])
            try #require(made.status == 0, "\(made.words)")
            let blank = place.folder + "/blank.db"
            try await python(
                """
                import shutil, sqlite3, sys
                sqlite3.connect(sys.argv[1]).execute("PRAGMA wal_checkpoint(TRUNCATE)")
                shutil.copy(sys.argv[1], sys.argv[2])
                """,
                [place.store, blank],
                in: place
            )
            let all = try await update(place)
            let terms = "SELECT term, session FROM search_terms ORDER BY 1, 2"
            let expected = try await rows(terms, at: place)
            var left: Set<Int> = []
            let stride = CampaignOptions.extent(quick: 400, thorough: 97, long: 13)
            let kills = try await sweep("payments.db", stride: stride, limit: 20_000) {
                for suffix in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: place.store + suffix)
                }
                try FileManager.default.copyItem(atPath: blank, toPath: place.store)
            } run: { environment in
                try await place.tool(["store", "index"], environment: environment)
            } check: { number in
                left.insert(try await update(place))
                #expect(try await self.rows(terms, at: place) == expected, "write \(number)")
            }
            // Some kill left a part of the index, which the next command did not read again.
            #expect(left.contains { (1..<all).contains($0) }, "\(left) of \(all)")
            print("search index: killed at writes up to the \(kills)th")
        }
    }
}
