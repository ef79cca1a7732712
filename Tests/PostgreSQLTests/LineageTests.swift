import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Adapters
@testable import EventStores
@testable import Sandbox

extension PostgreSQLTests {
    /// A restored or copied database lacks what was sent since, and sends nothing before an
    /// operator has adopted it.
    @Suite(.serialized, .fewAtATime) struct LineageTests {
        private let session = SessionID(at: Instant(microseconds: 5), random: (3, 4))

        @Test(arguments: [1, 8])
        func `opening a store reads the last record of each lane, not all records`(
            lanes: Int
        ) async throws {
            try await OnServer.run(lanes: lanes) { place in
                let store = try await place.store()
                for number in 1...40 as ClosedRange<UInt64> {
                    let session = SessionID(at: Instant(microseconds: 5), random: (number, number))
                    try await store.append(SampleAppend.of(session, at: 1))
                }
                await store.close()
                let plan = try place.database.sql("EXPLAIN " + PostgreSQLLineage.newest.sql)
                #expect(plan.contains("events_position"), "\(plan)")
                #expect(!plan.contains("Seq Scan on events"), "\(plan)")
                #expect(try place.database.sql(PostgreSQLLineage.newest.sql).contains("|1|"))
            }
        }

        /// Runs one of the server's own tools on a database.
        private func tool(_ name: String, _ database: Database, _ more: String...) throws {
            let cluster = database.cluster
            try Cluster.run(
                [
                    "\(cluster.programs)/\(name)", "-h", cluster.folder, "-p", "\(cluster.port)",
                    "-U", Cluster.owner, "-d", database.name,
                ] + more
            )
        }

        /// Expects that nothing is sent, and that adopting the database resolves it.
        private func expectAdoption(
            _ program: Program,
            _ session: String,
            _ words: String,
            store: String
        ) async throws {
            for command in [["attempt", session, "swish"], ["abort", session]] {
                let refused = try await program.run(command, store: store)
                #expect(refused.status == 1, "\(refused.output)\(refused.diagnostics)")
                #expect(
                    refused.diagnostics.contains("[store.not-adopted]"),
                    "\(refused.diagnostics)"
                )
                #expect(refused.diagnostics.contains(words), "\(refused.diagnostics)")
            }
            let adopt = ["--json", "store", "adopt", "--reason", "restored"]
            let adopted = try await program.run(adopt, store: store)
            #expect(adopted.status == 0, "\(adopted.diagnostics)")
            #expect(try adopted.member("epoch") == "2")
            #expect(try adopted.member("sessions") == "1")
            let resumed = try await program.run("--json", "resume", session, store: store)
            #expect(resumed.status == 0, "\(resumed.diagnostics)")
            #expect(try await program.run("verify", store: store).status == 0)
        }

        @Test
        func `a database restored in place from an earlier dump sends nothing until it is adopted`()
            async throws
        {
            try await Program.with { program in
                let database = program.place.database
                let session = try await program.open()
                let dump = program.folder + "/dump"
                try tool("pg_dump", database, "-Fc", "-f", dump)
                let started = try await program.run("attempt", session, "swish")
                #expect(started.status == 0, "\(started.diagnostics)")
                try tool("pg_restore", database, "--clean", "--if-exists", "--no-owner", dump)
                try await expectAdoption(
                    program,
                    session,
                    "an earlier state was restored",
                    store: database.url()
                )
            }
        }

        @Test(arguments: [1, 8])
        func
            `a log position from before a restore is refused, also on connections that survive it`(
                lanes: Int
            ) async throws
        {
            try await Program.with(lanes: lanes) { program in
                let place = program.place
                let running = try await place.store()
                try await running.append(SampleAppend.of(session, at: 1))
                try await running.append(SampleAppend.of(session, at: 2))
                let dump = program.folder + "/dump"
                try tool("pg_dump", place.database, "-Fc", "-f", dump)
                try await running.append(SampleAppend.of(session, at: 3))
                let seen = try await running.records(after: nil, limit: 9)
                #expect(seen.map(\.position) == [1, 2, 3])
                let last = try #require(seen.last?.cursor)
                try tool("pg_restore", place.database, "--clean", "--if-exists", "--no-owner", dump)
                // Nobody reads before the restored store has grown beyond the position.
                let now = try await place.store()
                #expect(try await now.adopt().identity.epoch == 2)
                // It grows with other records.
                let other = SessionID(at: Instant(microseconds: 6), random: (3, 5))
                for sequence in SequenceNumber(1)...3 {
                    try await now.append(SampleAppend.of(other, at: sequence))
                }
                let all = try await now.records(after: nil, limit: 99)
                #expect(all.count > 3 && all.allSatisfy { $0.cursor.store.epoch == 2 })
                let refusal = EventStoreError.cursorRefused(.otherEpoch(1, current: 2))
                for store in [running, now] {
                    await #expect(throws: refusal) {
                        try await store.records(after: last, limit: 9)
                    }
                    await #expect(throws: refusal) {
                        try await store.changes(after: last, limit: 9)
                    }
                    #expect(try await store.records(after: all[1].cursor, limit: 1) == [all[2]])
                    await store.close()
                }
            }
        }

        @Test
        func `a store handle that is at the end of the log notices an adoption by another node`()
            async throws
        {
            try await OnServer.run { place in
                let (running, adopter) = (try await place.store(), try await place.store())
                try await running.append(SampleAppend.of(session, at: 1))
                let old = try #require(try await running.records(after: nil, limit: 9).last?.cursor)
                #expect(try await running.records(after: old, limit: 9) == [])
                #expect(try await adopter.adopt().identity.epoch == 2)
                let refusal = EventStoreError.cursorRefused(.otherEpoch(1, current: 2))
                for store in [running, adopter] {
                    await #expect(throws: refusal) { try await store.records(after: old, limit: 9) }
                }
                let new = try #require(try await adopter.records(after: nil, limit: 9).last?.cursor)
                #expect(try await running.records(after: new, limit: 9) == [])
                await running.close()
                await adopter.close()
            }
        }

        @Test
        func `a dump loaded elsewhere sends nothing until adopted; the original is not affected`()
            async throws
        {
            try await Program.with { program in
                let session = try await program.open()
                let dump = program.folder + "/dump"
                try tool("pg_dump", program.place.database, "-Fc", "-f", dump)
                let copy = try program.place.database.cluster.makeDatabase()
                try tool("pg_restore", copy, "--no-owner", dump)
                try await expectAdoption(
                    program,
                    session,
                    "another server",
                    store: copy.url()
                )
                // The live database is not affected.
                #expect(try await program.run("abort", session).status == 0)
            }
        }

        @Test(arguments: [1, 8])
        func `a node loses its leases when records that it wrote are missing, until an adoption`(
            lanes: Int
        ) async throws {
            try await OnServer.run(lanes: lanes) { place in
                let store = try await place.store(PostgreSQLOptions(leaseTime: .seconds(60)))
                let other = try await place.store()
                #expect(try await store.acquireLease(on: session))
                for sequence in 1...3 {
                    let at = SequenceNumber(sequence)
                    try await store.append(SampleAppend.of(session, at: at, isUnderLease: true))
                }
                // As after a failover to a standby that lacked the last commit: records are lost,
                // and so are connections.
                try place.database.sql(
                    """
                    DELETE FROM events WHERE seq = 3; UPDATE sessions SET last_seq = 2;
                    UPDATE log_end SET position = position - 1
                        WHERE position & ((1::bigint << 57) - 1) = 3;
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                )
                let deadline = ContinuousClock.now + .seconds(20)
                while store.holdsLease(on: session), ContinuousClock.now < deadline {
                    // Any operation makes it reconnect.
                    _ = try? await store.append(SampleAppend.of(session, at: 9))
                    try await place.loop.sleep(for: .milliseconds(20))
                }
                #expect(!store.holdsLease(on: session))
                let lost = LineageDoubt.wentBack(stream: session, sequence: 3)
                let error = EventStoreError.notAdopted(reason: lost.words)
                await #expect(throws: error) {
                    try await store.append(SampleAppend.of(session, at: 3, isUnderLease: true))
                }
                await #expect(throws: error) { _ = try await store.acquireLease(on: session) }
                #expect(try await store.lineage().doubt == lost)
                // Another node, which did not know of the record, adopts it: then this one
                // continues.
                #expect(try await other.adopt().identity.epoch == 2)
                #expect(try await store.acquireLease(on: session))
                try await store.append(SampleAppend.of(session, at: 3, isUnderLease: true))
                await store.close()
                await other.close()
            }
        }
    }
}
