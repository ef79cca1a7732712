import Foundation
import SwedbankPay
internal import TestSupport
import Testing
import Workflow

@testable import Adapters
@testable import EventStores
@testable import Sandbox

extension PostgreSQLTests {
    /// Nodes that join take over their share of the sessions, each between two effects.
    @Suite(.serialized, .fewAtATime) struct SharingTests {
        private static let payments = 12

        @Test(
            .tags(.repeatedThoroughly),
            arguments: Tier.isThorough ? [(2, 1), (3, 8)] : [(3, 8)]
        )
        func `nodes that join take their share, and no two nodes act on a session at the same time`(
            count: Int,
            lanes: Int
        ) async throws {
            try await Program.with(lanes: lanes, swishTakes: .seconds(5)) { program in
                let database = program.place.database
                var nodes = [try await SharingNode(program, "node-0")]
                for number in 0..<Self.payments {
                    try await nodes[0].open("order-\(number)", at: program.sandbox)
                }
                // All wait for a payer with another device, and one node polls the PSP for all of
                // them.
                try await expect([Self.payments], in: database)
                for number in 1..<count {
                    nodes.append(try await SharingNode(program, "node-\(number)"))
                }
                let share = Self.payments / count
                try await expect(Array(repeating: share, count: count), in: database)
                try await database.wait(until: "\(Self.ended) = \(Self.payments)")
                for node in nodes { await node.stop() }
                try expectOneActor(in: database, moved: Self.payments - share)
                for order in await program.sandbox.ledger.orders {
                    #expect(order.doubles.isEmpty && order.attempts.count == 1)
                    #expect(order.status == "Paid")
                }
                #expect(try await program.run("verify").status == 0)
                #expect(try database.sql("SELECT count(*) FROM leases") == "0")
                #expect(try database.sql("SELECT count(*) FROM nodes") == "0")
            }
        }

        @Test func `a node without the keys gives back the sessions that it is handed`()
            async throws
        {
            try await Program.with(lanes: 8, swishTakes: .seconds(3)) { program in
                let database = program.place.database
                let node = try await SharingNode(program, "node-0")
                for number in 0..<6 {
                    try await node.open("order-\(number)", at: program.sandbox)
                }
                try await expect([6], in: database)
                let blind = try await SharingNode(program, "node-1", keys: "other.key")
                var handed = "0"
                for _ in 0..<400 where handed == "0" {
                    try await program.place.loop.sleep(for: .milliseconds(5))
                    handed = try database.sql(
                        """
                        SELECT count(*) FROM leases l JOIN nodes n ON n.id = l.node
                        WHERE n.name = 'node-1'
                        """
                    )
                }
                #expect(handed != "0")
                try await database.wait(until: "\(Self.ended) = 6")
                await blind.stop()
                await node.stop()
                try expectOneActor(in: database, moved: 0)
            }
        }

        /// Waits until live nodes hold these numbers of sessions, in any order.
        private func expect(_ counts: [Int], in database: Database) async throws {
            let wanted = counts.map { "\($0)" }.joined(separator: "\n")
            var found = ""
            let deadline = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < deadline {
                found = try database.sql("SELECT count(*) FROM leases GROUP BY node ORDER BY 1")
                if found == wanted { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(found == wanted)
        }

        private static let ended = "(SELECT count(*) FROM sessions WHERE outcome = 'completed')"

        /// Expects that in each session one node recorded after the other, and that no request's
        /// outcome had to be reconciled by another node.
        private func expectOneActor(in database: Database, moved: Int) throws {
            let records = """
                SELECT session, seq, meta ->> 'node' AS node, meta ->> 'cause' AS cause
                FROM events, LATERAL (
                    SELECT convert_from(record, 'UTF8')::jsonb -> 'meta' AS meta) AS told
                """
            let recovered = try database.sql(
                "SELECT count(*) FROM (\(records)) AS r WHERE cause LIKE 'recovery.%'"
            )
            #expect(recovered == "0")
            let changes = try database.sql(
                """
                SELECT count(*) FILTER (WHERE changes = 1), count(*) FILTER (WHERE changes > 1)
                FROM (SELECT session, count(*) FILTER (WHERE node <> earlier) AS changes
                    FROM (SELECT session, node, lag(node) OVER (PARTITION BY session ORDER BY seq)
                        AS earlier FROM (\(records)) AS r) AS steps GROUP BY session) AS sessions
                """
            )
            let numbers = changes.split(separator: "|").compactMap { Int($0) }
            // One that was moved twice, since a third node joined later, has at most two changes.
            #expect(numbers.reduce(0, +) >= moved, "\(changes)")
        }

        @Test func `a node slightly above its share hands over nothing`() {
            let even = LeaseShares(held: [(1, 6), (2, 6)])
            #expect(even.surplus(of: 1) == 0)
            let odd = LeaseShares(held: [(1, 7), (2, 6)])
            #expect(odd.surplus(of: 1) == 0)
            let little = LeaseShares(held: [(1, 109), (2, 91)])
            #expect(little.surplus(of: 1) == 0)
            let much = LeaseShares(held: [(1, 112), (2, 88)])
            #expect(much.surplus(of: 1) == 12)
            #expect(much.surplus(of: 2) == 0)
            #expect(LeaseShares(held: [(1, 100)]).surplus(of: 1) == 0)
            #expect(LeaseShares(held: [(2, 1), (3, 0)]).surplus(of: 1) == 0)
        }

        @Test
        func `due sessions without a lease reduce the surplus, since other nodes may take them`() {
            let shares = LeaseShares(held: [(1, 100), (2, 0)], waiting: 100)
            #expect(shares.surplus(of: 1) == 0)
            #expect(LeaseShares(held: [(1, 100), (2, 0)], waiting: 20).surplus(of: 1) == 40)
        }

        @Test func `the nodes with the fewest sessions receive the most, up to an even share`() {
            let shares = LeaseShares(held: [(1, 20), (2, 3), (3, 1)])
            #expect(shares.surplus(of: 1) == 12)
            let recipients = shares.recipients(of: 12, from: 1)
            #expect(recipients.filter { $0 == 2 }.count == 5)
            #expect(recipients.filter { $0 == 3 }.count == 7)
            #expect(shares.recipients(of: 100, from: 1).count == 12)
        }
    }
}

/// An engine with a store of its own, in this process.
private final class SharingNode: Sendable {
    private let engine: PaymentEngine
    private let store: PostgreSQLEventStore
    private let transport: CurlTransport

    init(_ program: Program, _ name: String, keys: String = "master.key") async throws {
        let loop = program.place.loop
        var options = TransportConfiguration()
        options.allowsInsecureLoopback = true
        transport = CurlTransport(on: loop, configuration: options)
        var payOptions = SwedbankPayOptions()
        payOptions.allowsInsecureLoopback = true
        store = try await program.place.store(PostgreSQLOptions(node: name))
        var configuration = PaymentConfiguration()
        configuration.adoptionInterval = .milliseconds(100)
        configuration.balancingInterval = .milliseconds(200)
        configuration.node = name
        engine = PaymentEngine(
            configuration: configuration,
            catalogue: .bundled,
            store: store,
            provider: SwedbankPayProvider(transport: transport, options: payOptions),
            vault: try KeyFileVault(path: program.folder + "/" + keys),
            clock: UVClock(on: loop),
            random: SystemRandom(),
            executor: loop
        )
        Task { [engine] in await engine.run() }
    }

    /// Opens an order whose payer uses another device.
    func open(_ reference: String, at sandbox: SandboxServer) async throws {
        let order = try await sandbox.createOrder(SandboxOrder(payerReference: "payer-1"))
        _ = try await engine.open(
            order.sessionURL,
            reference: reference,
            preferences: [.swish(msisdn: MSISDN("+46739000001"))],
            allowsInsecureLoopback: true
        )
    }

    func stop() async {
        await engine.shutdown()
        await transport.shutdown()
        await store.close()
    }
}
