import Foundation
internal import TestSupport
import Testing

extension PostgreSQLTests {
    /// A process that keeps the search index up to date lives through outages of the server.
    @Suite(.serialized, .fewAtATime) struct SearchFollowerTests {
        /// Whether the index has read every record: positions in a lane begin at 1.
        private static let isCurrent = """
            (SELECT sum(p & ((1::bigint << 57) - 1)) FROM search_progress, unnest(lanes) AS p)
            = (SELECT count(*) FROM events)
            """
        private static let terms = "SELECT term, session FROM search_terms ORDER BY 1, 2"
        private static let progress = "SELECT mark, position, lanes FROM search_progress"
        /// What the follower writes when the store becomes unavailable, and when it is back.
        private static let isAway = "; waiting for the store"
        private static let isBack = "the store is available again"

        /// How often a follower has written a message.
        private func count(of words: String, by follower: TestProcess) -> Int {
            follower.wordsSoFar.ranges(of: words).count
        }

        /// Waits until a follower has written a message more often, for at most one minute.
        private func wait(
            for words: String,
            after count: Int,
            by follower: TestProcess
        ) async throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while self.count(of: words, by: follower) <= count {
                try #require(ContinuousClock.now < deadline, "\(words) is not written")
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        /// Opens sessions, and adds a note to the last one.
        private func open(_ sessions: Int, in program: Program) async throws {
            var session = ""
            for _ in 0..<sessions { session = try await program.open() }
            let note = ["note", session, "the payer called", "--by", "anna"]
            let noted = try await program.run(note)
            try #require(noted.status == 0, "\(noted.diagnostics)")
        }

        /// Stops the server, and starts it again when the follower has noticed.
        private func interrupt(_ cluster: Cluster, under follower: TestProcess) async throws {
            let before = count(of: Self.isAway, by: follower)
            try cluster.stop()
            try await wait(for: Self.isAway, after: before, by: follower)
            try cluster.start()
        }

        /// Interrupts the server while terms are about to be stored.
        ///
        /// The progress was changed before, in the same transaction: neither of them is stored.
        private func interruptBeforeTerms(
            _ cluster: Cluster,
            _ gate: WriteGate,
            under follower: TestProcess,
            in program: Program
        ) async throws {
            let database = program.place.database
            try gate.close(before: .init("INSERT search_terms", 1))
            try await open(1, in: program)
            try await gate.waitUntilReached()
            #expect(try database.sql("SELECT \(Self.isCurrent)") == "f")
            let stored = try [Self.progress, Self.terms].map { try database.sql($0) }
            try await interrupt(cluster, under: follower)
            // The follower reads the same records, and is at the same place again.
            try await gate.waitUntilReached()
            #expect(try [Self.progress, Self.terms].map { try database.sql($0) } == stored)
            try gate.open()
            try await database.wait(until: Self.isCurrent)
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `a follower of the search index reads each record once, whatever the server does`(
            lanes: Int
        ) async throws {
            // Others share the server of all tests.
            let cluster = try Cluster()
            try await Program.with(on: try cluster.makeDatabase(), lanes: lanes) { program in
                let database = program.place.database
                let gate = try WriteGate(for: program, on: ["search_terms"])
                try await open(3, in: program)
                let follower = try program.start(
                    ["store", "index", "--follow", "--json"],
                    store: gate.url
                )
                defer { follower.kill() }
                try await database.wait(until: Self.isCurrent)
                try await interrupt(cluster, under: follower)
                try await wait(for: Self.isBack, after: 0, by: follower)
                try await open(3, in: program)
                try await database.wait(until: Self.isCurrent)
                try await interruptBeforeTerms(cluster, gate, under: follower, in: program)
                follower.kill(SIGTERM)
                let ended = await follower.ending(killedAfter: .seconds(60))
                #expect(ended.status == 130, "\(ended.words)")
                let records = try database.sql("SELECT count(*) FROM events")
                let told = ended.json as? [String: Any]
                #expect((told?["records"] as? Int).map(String.init) == records)
                let indexed = try database.sql(Self.terms)
                try database.sql("DELETE FROM search_terms; DELETE FROM search_progress")
                let alone = try await program.run("--json", "store", "index")
                #expect(try alone.member("records") == records)
                #expect(try database.sql(Self.terms) == indexed)
            }
        }
    }
}
