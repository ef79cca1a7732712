import Adapters
import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

extension PostgreSQLTests {
    /// One node at a time runs a session's effects, and one that was suspended cannot write with
    /// stale leases.
    @Suite(.threat("T-51"), .serialized, .fewAtATime) struct LeaseTests {
        private let session = SessionID(at: Instant(microseconds: 5), random: (3, 4))

        @Test func `a node that was suspended for longer than its lease cannot append under it`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let (paused, other) = (
                    try await place.store(PostgreSQLOptions(leaseTime: .seconds(60))),
                    try await place.store()
                )
                #expect(try await paused.acquireLease(on: session))
                try await paused.append(SampleAppend.of(session, at: 1, isUnderLease: true))
                // What the server sees of a suspended node: its lease has expired, and no renewal
                // comes.
                try place.database.sql("UPDATE nodes SET until = 1")
                #expect(try await other.acquireLease(on: session))
                // The node still assumes that it holds the session, as after SIGCONT.
                #expect(paused.holdsLease(on: session))
                await #expect(throws: EventStoreError.leaseLost(stream: session)) {
                    try await paused.append(SampleAppend.of(session, at: 2, isUnderLease: true))
                }
                try await other.append(SampleAppend.of(session, at: 2, isUnderLease: true))
                await paused.close()
                await other.close()
            }
        }

        @Test
        func `a node stops relying on an expired lease by itself, and gets a new token afterwards`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store(PostgreSQLOptions(leaseTime: .seconds(3)))
                #expect(try await store.acquireLease(on: session))
                #expect(store.holdsLease(on: session))
                // It cannot be renewed: the server refuses an expired lease.
                try place.database.sql("UPDATE nodes SET until = 1")
                let deadline = ContinuousClock.now + .seconds(60)
                while store.holdsLease(on: session), ContinuousClock.now < deadline {
                    try await place.loop.sleep(for: .milliseconds(5))
                }
                #expect(!store.holdsLease(on: session))
                // It registers again, with another number and another token.
                let before = try place.database.sql("SELECT token FROM leases")
                #expect(try await store.acquireLease(on: session))
                #expect(try place.database.sql("SELECT token FROM leases") != before)
                await store.close()
            }
        }

        @Test func `a lease does not wait for the disk, and an append relies on no lost one`()
            async throws
        {
            // Hardly anything is flushed in the background.
            let cluster = try Cluster(["fsync=on", "wal_writer_delay=10000", "autovacuum=off"])
            try await OnServer.run(on: try cluster.makeDatabase()) { place in
                let isPending = "SELECT pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()"
                let store = try await place.store(PostgreSQLOptions(leaseTime: .seconds(60)))
                let other = SessionID(at: Instant(microseconds: 6), random: (5, 6))
                // The node's own row is flushed.
                #expect(try await store.acquireLease(on: session))
                // Something else may flush what is pending, but not each time.
                var isUnflushed = [false, false, false]
                for _ in 0..<5 {
                    for (step, isSeen) in isUnflushed.enumerated() where !isSeen {
                        #expect(try await store.acquireLease(on: other))
                        if step == 1 { await store.releaseLease(on: other) }
                        if step == 2 { await store.releaseLeases(on: [other]) }
                        isUnflushed[step] = try place.database.sql(isPending) == "t"
                        await store.releaseLease(on: other)
                        // A commit that is flushed, and everything before it.
                        try place.database.sql("UPDATE nodes SET name = name")
                    }
                }
                #expect(isUnflushed == [true, true, true])
                // The start of a request is flushed, and the lease before it with it.
                #expect(try await store.acquireLease(on: other))
                let before = try place.database.sql("SELECT pg_current_wal_insert_lsn()")
                try await store.append(SampleAppend.of(session, at: 1, isUnderLease: true))
                let after = "SELECT pg_current_wal_flush_lsn() > '\(before)'::pg_lsn"
                #expect(try place.database.sql(after) == "t")
                // What the server has after a crash that lost the lease.
                try place.database.sql("DELETE FROM leases")
                #expect(store.holdsLease(on: session))
                await #expect(throws: EventStoreError.leaseLost(stream: session)) {
                    try await store.append(SampleAppend.of(session, at: 2, isUnderLease: true))
                }
                await store.close()
            }
        }

        @Test func `leases are renewed until the node closes its store`() async throws {
            try await OnServer.run(lanes: 8) { place in
                // Long enough that a busy machine does not miss it three times in a row.
                let store = try await place.store(PostgreSQLOptions(leaseTime: .seconds(6)))
                let other = try await place.store()
                #expect(try await store.acquireLease(on: session))
                var times: Set<String> = []
                let deadline = ContinuousClock.now + .seconds(60)
                while times.count < 3, ContinuousClock.now < deadline {
                    #expect(try await !other.acquireLease(on: session))
                    times.insert(
                        try place.database.sql(
                            "SELECT until FROM nodes WHERE id = (SELECT node FROM leases)"
                        )
                    )
                    try await place.loop.sleep(for: .milliseconds(50))
                }
                #expect(times.count == 3)
                #expect(store.holdsLease(on: session))
                await store.close()
                #expect(try await other.acquireLease(on: session))
                await other.close()
                #expect(try place.database.sql("SELECT count(*) FROM leases") == "0")
                #expect(try place.database.sql("SELECT count(*) FROM nodes") == "0")
            }
        }

        @Test func `a takeover waits for a renewal in progress, and fails when it is committed`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store(PostgreSQLOptions(leaseTime: .seconds(60)))
                let other = try await place.store(PostgreSQLOptions(statementTimeout: .seconds(5)))
                #expect(try await store.acquireLease(on: session))
                try place.database.sql("UPDATE nodes SET until = 1")
                // A renewal that the server has begun and not committed.
                let slow = try SlowTransaction(
                    place.database,
                    "UPDATE nodes SET until = 9000000000000000"
                )
                async let taken = other.acquireLease(on: session)
                try await place.loop.sleep(for: .milliseconds(200))
                slow.commit()
                #expect(try await !taken)
                await store.close()
                await other.close()
            }
        }

        @Test func `many leases are released at once, and no others`() async throws {
            try await OnServer.run(lanes: 8) { place in
                let (store, other) = (try await place.store(), try await place.store())
                let mine = (1...40).map {
                    SessionID(at: Instant(microseconds: 5), random: ($0, $0))
                }
                for session in mine { #expect(try await store.acquireLease(on: session)) }
                #expect(try await other.acquireLease(on: session))
                await store.releaseLeases(on: Array(mine.dropFirst()) + [session])
                #expect(store.holdsLease(on: mine[0]) && !store.holdsLease(on: mine[1]))
                #expect(try place.database.sql("SELECT count(*) FROM leases") == "2")
                #expect(try await other.acquireLease(on: mine[1]))
                #expect(try await !other.acquireLease(on: mine[0]))
                await store.close()
                await other.close()
            }
        }

        @Test(arguments: [1, 8])
        func `a lease that is handed over gets a new token and belongs to the other node at once`(
            lanes: Int
        ) async throws {
            try await OnServer.run(lanes: lanes) { place in
                let (giver, taker) = (try await place.store(), try await place.store())
                let now = Instant(microseconds: 100)
                let sessions = (1...6).map {
                    SessionID(at: Instant(microseconds: 5), random: ($0, $0))
                }
                for session in sessions {
                    try await giver.append(
                        SampleAppend.of(session, at: 1) { $0.dueAt = Instant(microseconds: 7) }
                    )
                    #expect(try await giver.acquireLease(on: session))
                }
                #expect(try await giver.surplusLeases(dueBy: now) == 0)
                #expect(try await taker.surplusLeases(dueBy: now) == 0)
                #expect(try await giver.surplusLeases(dueBy: now) == 3)
                func tokens() throws -> Set<Substring> {
                    let rows = try place.database.sql("SELECT token FROM leases")
                    return Set(rows.split(separator: "\n"))
                }
                let before = try tokens()
                await giver.handOverLeases(on: Array(sessions.prefix(3)))
                // Three have another token, and three the same as before.
                let after = try tokens()
                #expect(after.count == 6 && after.intersection(before).count == 3)
                for session in sessions.prefix(3) {
                    #expect(!giver.holdsLease(on: session))
                    // No other node can acquire it on the way, not even the previous holder.
                    #expect(try await !giver.acquireLease(on: session))
                    await #expect(throws: EventStoreError.leaseLost(stream: session)) {
                        try await giver.append(SampleAppend.of(session, at: 2, isUnderLease: true))
                    }
                }
                #expect(
                    try await giver.sessionsDue(by: now, limit: 10) == Array(sessions.suffix(3))
                )
                #expect(
                    try await taker.sessionsDue(by: now, limit: 10) == Array(sessions.prefix(3))
                )
                #expect(try await giver.surplusLeases(dueBy: now) == 0)
                for session in sessions.prefix(3) {
                    #expect(try await taker.acquireLease(on: session))
                    try await taker.append(SampleAppend.of(session, at: 2, isUnderLease: true))
                }
                await giver.close()
                await taker.close()
            }
        }

        @Test
        func `a session handed to a node that died can be acquired by others after its lease`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let giver = try await place.store(PostgreSQLOptions(leaseTime: .seconds(60)))
                let taker = try await place.store(
                    PostgreSQLOptions(leaseTime: .seconds(60), node: "taker")
                )
                let now = Instant(microseconds: 100)
                for number in UInt64(1)...2 {
                    let session = SessionID(at: now, random: (number, number))
                    try await giver.append(
                        SampleAppend.of(session, at: 1) { $0.dueAt = Instant(microseconds: 7) }
                    )
                    #expect(try await giver.acquireLease(on: session))
                }
                _ = try await taker.surplusLeases(dueBy: now)
                #expect(try await giver.surplusLeases(dueBy: now) == 1)
                let given = SessionID(at: now, random: (1, 1))
                await giver.handOverLeases(on: [given])
                #expect(try await !giver.acquireLease(on: given))
                try place.database.sql("UPDATE nodes SET until = 1 WHERE name = 'taker'")
                #expect(try await giver.sessionsDue(by: now, limit: 10).count == 2)
                #expect(try await giver.acquireLease(on: given))
                #expect(try await giver.surplusLeases(dueBy: now) == 0)
                await giver.close()
                await taker.close()
            }
        }

        @Test
        func `a session that another node holds is due here only after that node's lease expires`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let (store, other) = (try await place.store(), try await place.store())
                try await store.append(
                    SampleAppend.of(session, at: 1) { $0.dueAt = Instant(microseconds: 7) }
                )
                #expect(try await store.acquireLease(on: session))
                let now = Instant(microseconds: 100)
                #expect(try await other.sessionsDue(by: now, limit: 10).isEmpty)
                #expect(try await store.sessionsDue(by: now, limit: 10) == [session])
                try place.database.sql("UPDATE nodes SET until = 1")
                #expect(try await other.sessionsDue(by: now, limit: 10) == [session])
                await store.close()
                await other.close()
            }
        }
    }
}

/// A transaction of another process that is kept open.
final class SlowTransaction {
    private let process = Process()
    private let input = Pipe()

    init(_ database: Database, _ statement: String) throws {
        let cluster = database.cluster
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "psql", "-h", cluster.folder, "-p", "\(cluster.port)", "-U", Cluster.owner, "-d",
            database.name, "-X", "-q",
        ]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        say("BEGIN;\n\(statement);\n")
        // Once the statement has finished, it waits for the next.
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let state = try database.sql(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = '\(database.name)' AND state = 'idle in transaction'
                    AND query <> 'BEGIN;'
                """
            )
            if state == "1" { return }
            usleep(20_000)
        }
        throw Cluster.ClusterError(what: "the transaction did not begin")
    }

    func commit() { end("COMMIT;\n") }
    func rollBack() { end("ROLLBACK;\n") }

    private func say(_ words: String) {
        input.fileHandleForWriting.write(Data(words.utf8))
    }

    private func end(_ words: String) {
        say(words)
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
