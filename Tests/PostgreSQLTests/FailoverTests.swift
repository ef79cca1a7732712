import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay
import Synchronization
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// The primary dies with everything that only it knew, and its standby replaces it.
    ///
    /// A failover cannot be undone, and a new pair of servers takes seconds: only one is made where
    /// tests must be quick.
    @Suite(.serialized, .fewAtATime) struct FailoverTests {
        /// How many records are acknowledged before a failover, and after it.
        private static let records = Tier.isThorough ? 400 : 150

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `no acknowledged record is missing after a failover`(lanes: Int) async throws {
            let pair = try Pair()
            let database = try pair.makeDatabase()
            try await OnServer.run(on: database, lanes: lanes) { place in
                let storm = Storm(writers: 12)
                let stores = [try await storm.store(at: place), try await storm.store(at: place)]
                let follower = try await storm.store(at: place)
                async let followed = storm.follow(follower)
                async let written: Void = storm.rage(on: stores)
                try await storm.acknowledged(Self.records)
                try await pair.failOver()
                let before = storm.sum
                #expect(try database.sql("SELECT pg_is_in_recovery()") == "f")
                // They reconnect and continue by themselves.
                try await storm.acknowledged(before + Self.records)
                for store in stores { try await storm.isBack(store) }
                storm.end()
                try await written
                storm.calmDown()
                for (session, sequence) in storm.known {
                    let head = try await stores[0].head(of: session)
                    #expect(head?.sequence ?? 0 >= sequence, "\(session)")
                }
                #expect(
                    try database.sql(
                        """
                        SELECT count(*) FROM (SELECT 1 FROM events GROUP BY session
                            HAVING count(*) <> max(seq)) AS torn
                        """
                    ) == "0"
                )
                #expect(try database.lanesWithGaps() == "")
                // A reader meanwhile saw each record once, and none that was rolled back.
                let all = try await storm.all(of: stores[1])
                let seen = try await followed
                #expect(seen.count == all.count && all.count >= storm.sum)
                #expect(seen.sorted() == all.sorted() && Set(seen).count == seen.count)
                for store in stores + [follower] { await store.close() }
            }
        }

        @Test(.tags(.thorough), arguments: OnServer.lanes)
        func `payments continue after a failover, and each order is paid once`(
            lanes: Int
        ) async throws {
            let pair = try Pair()
            let database = try pair.makeDatabase()
            try await Nodes.with(payments: 32, on: database, lanes: lanes) { nodes in
                let hosts = try (0..<2).map { try nodes.start($0) }
                for place in hosts.indices { try await nodes.waitUntilReady(place) }
                var ended = 0
                for _ in 0..<1200 where ended < 4 {
                    try await Task.sleep(for: .milliseconds(25))
                    ended =
                        Int(
                            try database.sql(
                                "SELECT count(*) FROM sessions WHERE outcome IS NOT NULL"
                            )
                        ) ?? 0
                }
                try await pair.failOver()
                let open = try database.sql("SELECT count(*) FROM sessions WHERE outcome IS NULL")
                #expect(open != "0", "the primary died too late to be missed")
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
                try nodes.expectAcknowledged(by: hosts.count)
            }
        }

        @Test(.tags(.thorough), arguments: OnServer.lanes)
        func `a replaced primary acknowledges no append, and its node loses its leases`(
            lanes: Int
        ) async throws {
            let pair = try Pair()
            let name = try pair.makeDatabase().name
            let (before, after) = (
                Database(cluster: pair.primary, name: name),
                Database(cluster: pair.standby, name: name)
            )
            try await OnServer.run(on: before, lanes: lanes) { place in
                let options = PostgreSQLOptions(
                    statementTimeout: .milliseconds(500),
                    leaseTime: .seconds(1)
                )
                let session = SessionID(at: Instant(microseconds: 5), random: (3, 4))
                let cut = try await place.store(options)
                #expect(try await cut.acquireLease(on: session))
                try await cut.append(SampleAppend.of(session, at: 1, isUnderLease: true))
                try await pair.promote()
                // Its commits wait for a standby that has gone, and are not visible meanwhile.
                let failure = await #expect(throws: EventStoreError.self) {
                    try await cut.append(SampleAppend.of(session, at: 2))
                }
                #expect(failure?.code == "store.unavailable")
                #expect(try before.sql("SELECT max(seq) FROM events") == "1")
                let deadline = ContinuousClock.now + .seconds(20)
                while cut.holdsLease(on: session), ContinuousClock.now < deadline {
                    try await place.loop.sleep(for: .milliseconds(20))
                }
                #expect(!cut.holdsLease(on: session))
                let taker = try await PostgreSQLEventStore(url: after.url(), loop: place.loop)
                #expect(try await taker.head(of: session)?.sequence == 1)
                while try await !taker.acquireLease(on: session), ContinuousClock.now < deadline {
                    try await place.loop.sleep(for: .milliseconds(20))
                }
                try await taker.append(SampleAppend.of(session, at: 2, isUnderLease: true))
                #expect(try await taker.records(after: nil, limit: 9).map(\.position) == [1, 2])
                await taker.close()
                await cut.close()
            }
        }

        @Test(.tags(.thorough), arguments: OnServer.lanes)
        func `a standby alone refuses payments with store.standby, and can be read`(
            lanes: Int
        ) async throws {
            let pair = try Pair()
            let database = try pair.makeDatabase()
            try await Program.with(on: database, lanes: lanes) { program in
                let session = try await program.open()
                let alone = Database(cluster: pair.standby, name: database.name)
                for _ in 0..<200 where try alone.sql("SELECT count(*) FROM sessions") != "1" {
                    try await Task.sleep(for: .milliseconds(25))
                }
                let order = try await program.sandbox.createOrder(.init(payerReference: "payer-1"))
                for url in [alone.url(), alone.tcpURL() + "?target_session_attrs=read-write"] {
                    for command in [
                        ["open", order.sessionURL], ["attempt", session, "swish"], ["resume"],
                        ["store", "migrate"],
                    ] {
                        let done = try await program.run(command, store: url)
                        #expect(done.status == 69, "\(command): \(done.status)")
                        #expect(done.diagnostics.contains("[store.standby]"), "\(done.diagnostics)")
                        #expect(done.diagnostics.contains("hint: list all servers in --store"))
                        #expect(done.output.isEmpty, "\(command): \(done.output)")
                    }
                }
                for command in [["list"], ["show", session], ["log", session], ["verify"]] {
                    let done = try await program.run(command, store: alone.url())
                    #expect(done.status == 0, "\(command): \(done.diagnostics)")
                }
                // With both named, in either order, the one that accepts writes is found.
                let (first, second) = (pair.standby.port, pair.primary.port)
                let both =
                    "postgres://payments@127.0.0.1:\(first),127.0.0.1:\(second)/\(database.name)"
                let opened = try await program.run(["open", order.sessionURL], store: both)
                #expect(opened.status == 0, "\(opened.diagnostics)")
            }
        }
    }
}

/// Many writers that append as fast as they can, whatever happens to the server, and record what
/// was acknowledged.
private final class Storm: Sendable {
    private struct Table {
        var known: [SessionID: SequenceNumber] = [:]
        var isOver = false
        var isCalm = false
    }

    private let table = Mutex(Table())
    private let writers: Int

    init(writers: Int) { self.writers = writers }

    /// The last acknowledged sequence number of each session.
    var known: [SessionID: SequenceNumber] { table.withLock { $0.known } }
    /// The number of acknowledged records.
    var sum: Int { known.values.reduce(0) { $0 + $1.count } }

    private var isOver: Bool { table.withLock { $0.isOver } }

    func end() { table.withLock { $0.isOver = true } }

    /// Stops the writers.
    func calmDown() { table.withLock { $0.isCalm = true } }

    func store(at place: Place) async throws -> PostgreSQLEventStore {
        try await PostgreSQLEventStore(
            url: place.database.tcpURL() + "?target_session_attrs=read-write",
            loop: place.loop,
            options: PostgreSQLOptions(statementTimeout: .seconds(5))
        )
    }

    /// Waits until a number of records was acknowledged.
    func acknowledged(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while sum < count {
            try #require(ContinuousClock.now < deadline, "only \(sum) of \(count) acknowledged")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits until a store has found the new primary, which the other one may have done seconds
    /// before.
    func isBack(_ store: PostgreSQLEventStore) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do throws(EventStoreError) {
                _ = try await store.records(after: nil, limit: 1)
                return
            } catch {
                try #require(error.isTransient && ContinuousClock.now < deadline, "\(error)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Appends until it is stopped.
    func rage(on stores: [PostgreSQLEventStore]) async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<writers {
                let store = stores[number % stores.count]
                let session = SessionID(
                    at: Instant(microseconds: 7),
                    random: (UInt64(number), UInt64(number))
                )
                group.addTask { try await self.write(session, to: store) }
            }
            try await group.waitForAll()
        }
    }

    private func write(_ session: SessionID, to store: PostgreSQLEventStore) async throws {
        var sequence: SequenceNumber = 1
        while !isOver {
            do {
                try await store.append(SampleAppend.of(session, at: sequence))
                table.withLock { $0.known[session] = sequence }
                sequence += 1
            } catch {
                guard error.isTransient else { throw error }
                try await Task.sleep(for: .milliseconds(20))
                // The log shows whether it was written. What was acknowledged must not be missing.
                guard let head = try? await store.head(of: session) else { continue }
                #expect(head.sequence >= sequence - 1)
                sequence = head.sequence + 1
            }
        }
    }

    /// Reads continuously, and returns what it has seen when nothing follows the end.
    func follow(_ store: PostgreSQLEventStore) async throws -> [String] {
        var seen: [String] = []
        var cursor: LogCursor?
        while true {
            let isLast = table.withLock { $0.isCalm }
            guard let changes = try? await store.records(after: cursor, limit: 256) else {
                try await Task.sleep(for: .milliseconds(20))
                continue
            }
            for record in changes {
                seen.append(Self.words(record))
                cursor = record.cursor
            }
            if isLast, changes.isEmpty { return seen }
            if changes.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    /// Returns all records.
    func all(of store: PostgreSQLEventStore) async throws -> [String] {
        var seen: [String] = []
        var cursor: LogCursor?
        while true {
            let found = try await store.records(after: cursor, limit: 4096)
            guard let last = found.last else { return seen }
            cursor = last.cursor
            seen += found.map(Self.words)
        }
    }

    private static func words(_ record: PositionedRecord) -> String {
        // The same in every reading, whatever was read of other lanes before.
        let position = record.cursor.position(inLane: record.cursor.lane) ?? 0
        return "\(record.cursor.lane) \(position) \(record.record.stream) \(record.record.sequence)"
    }
}
