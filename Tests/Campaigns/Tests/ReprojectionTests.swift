import Foundation
import TestSupport
import Testing

/// The store's index is computed from the logs again, by processes that are killed and beside a
/// host that pays.
@Suite(.tags(.repeatedThoroughly)) struct ReprojectionTests {
    /// The number of sessions: more than one batch of an update.
    private static let count = 300

    /// What is wrong with an index, and how it is corrected.
    private struct Damage: Sendable {
        var sql: String
        var options: [String] = []
        /// The number of writes of which a thorough run tries one.
        var stride: Int
        /// The number of writes of which a quick run tries one, and how many of the first it leaves
        /// out.
        var quick: (stride: Int, skipped: Int)
    }

    private static let damages = [
        // Rows of an earlier build, which are in no sum. The stride is shorter than the writes
        // between the batches, so that some kill leaves a part of the rows.
        Damage(
            sql: """
                DELETE FROM listed_sums;
                UPDATE sessions SET facts = NULL;
                UPDATE listed_sessions SET facts_version = NULL, money = NULL, turn = 'x';
                """,
            stride: 23,
            quick: (stride: 23, skipped: 110)
        ),
        // Somebody wrote to the tables.
        Damage(
            sql: """
                UPDATE sessions SET facts = json_set(facts, '$[1]', 'x', '$[5]', 1), phase = 'ready',
                    outcome = NULL;
                DELETE FROM listed_sessions WHERE key % 2 = 0;
                UPDATE listed_sessions SET turn = 'y', phase = 'ready', amount = 1;
                UPDATE listed_sums SET sessions = sessions + 1 WHERE name = 'ended.1';
                DELETE FROM listed_sums WHERE name = 'money.1' AND span = 'day';
                """,
            options: ["--rebuild"],
            stride: 61,
            quick: (stride: 110, skipped: 0)
        ),
    ]

    /// Writes the jobs of a host.
    private func plan(_ count: Int, kinds: [String], at place: Place) async throws {
        var seed = Seed(8)
        let payments = try await Plan.payments(
            count,
            named: "i",
            kinds: kinds,
            faults: false,
            at: place,
            using: &seed
        )
        try Plan.write(payments, to: "jobs", of: place)
    }

    /// Returns the rows and sums of a store, read without any code of the engine.
    private func index(of place: Place) async throws -> String {
        try await python(
            """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            sums = "name, span, number, imported, key, sessions, known, high, low FROM listed_sums"
            for rows in [
                "* FROM sessions", "* FROM listed_sessions", sums + " WHERE sessions <> 0",
            ]:
                for row in store.execute(f"SELECT {rows} ORDER BY 1, 2, 3, 4, 5, 6"): print(row)
            """,
            [place.store],
            in: place
        )
    }

    /// Updates the index, and returns the number of rows written.
    private func reproject(_ options: [String], at place: Place) async throws -> Int {
        let done = try await place.tool(["store", "reproject", "--json"] + options)
        #expect(done.status == 0, "\(done.words)")
        return try #require((done.json as? [String: Any])?["written"] as? Int)
    }

    /// Compares all rows and sums with the logs.
    private func expectIndexMatchesLogs(at place: Place, _ when: String) async throws {
        let found = try await place.tool(["doctor", "--check", "projections", "--all", "--strict"])
        #expect(found.status == 0, "\(when): \(found.output)\(found.words)")
    }

    /// Damages the index of a store, and kills its update at some writes.
    private func killUpdates(
        of damage: Damage,
        at place: Place,
        expecting index: String
    ) async throws {
        let damaged = place.folder + "/damaged.db"
        try await python(
            """
            import shutil, sqlite3, sys
            sqlite3.connect(sys.argv[1]).execute("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copy(sys.argv[1], sys.argv[2])
            store = sqlite3.connect(sys.argv[2])
            store.executescript(sys.argv[3])
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            """,
            [place.store, damaged, damage.sql],
            in: place
        )
        var written: Set<Int> = []
        let (stride, skipped) = CampaignOptions.extent(
            quick: damage.quick,
            thorough: (damage.stride, 0),
            long: (5, 0)
        )
        let kills = try await sweep("payments.db", stride: stride, after: skipped, limit: 1_000) {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: place.store + suffix)
            }
            try FileManager.default.copyItem(atPath: damaged, toPath: place.store)
        } run: { environment in
            let command = ["store", "reproject"] + damage.options
            return try await place.tool(command, environment: environment)
        } check: { number in
            written.insert(try await reproject(damage.options, at: place))
            try await expectIndexMatchesLogs(at: place, "write \(number)")
            #expect(try await self.index(of: place) == index, "write \(number)")
        }
        #expect(kills > 100)
        // What was written before a kill is not written again, unless everything is.
        let isPartial = written.contains { (1..<Self.count).contains($0) }
        #expect(isPartial == damage.options.isEmpty, "\(written)")
        print("update of the index: killed at writes up to the \(kills)th")
    }

    @Test func `an update of the index that is killed is finished by the same command`()
        async throws
    {
        try await Place.with("reprojection") { place in
            // Nearly all of them short.
            let kinds = Plan.kinds + Array(repeating: "abort", count: 89)
            try await plan(Self.count, kinds: kinds, at: place)
            let host = await (try place.host()).ending(killedAfter: .seconds(240))
            try #require(host.status == 0, "\(host.words)")
            // The engine wrote this with its events, one row after the other.
            let written = try await index(of: place)
            for damage in Self.damages {
                try await killUpdates(of: damage, at: place, expecting: written)
            }
        }
    }

    @Test func `the index matches the logs when it is rebuilt again and again while a host pays`()
        async throws
    {
        try await Place.with("rebuilt") { place in
            try await plan(110, kinds: Plan.kinds, at: place)
            let host = try place.host()
            async let ending = host.ending(killedAfter: .seconds(240))
            try await place.acknowledgements(100)
            var (rebuilds, overlaps) = (0, 0)
            while host.isRunning {
                let before = place.acknowledged().count
                _ = try await reproject(["--rebuild"], at: place)
                rebuilds += 1
                overlaps += place.acknowledged().count > before ? 1 : 0
                try await expectIndexMatchesLogs(at: place, "rebuild \(rebuilds)")
            }
            let ended = await ending
            #expect(ended.status == 0, "\(ended.words)")
            // A rebuild beside which nothing was recorded proves nothing.
            #expect(overlaps > 0)
            let found = try await index(of: place)
            #expect(try await reproject(["--rebuild"], at: place) == 110)
            #expect(try await index(of: place) == found)
            print("the index was rebuilt \(rebuilds) times while a host paid")
        }
    }
}
