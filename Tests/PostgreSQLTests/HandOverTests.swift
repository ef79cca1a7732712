import Foundation
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// Sessions move from one node to another while either of them is killed.
    @Suite(.serialized, .fewAtATime) struct HandOverTests {
        /// How often a node is killed: no payer pays before, so there are always sessions to hand
        /// over.
        private static let deaths = Tier.isThorough ? 3 : 1
        /// Clients that connect briefly, and nodes that rebalance their sessions often.
        private static let manner = [
            "CAMPAIGN_VISITS": "yes", "CAMPAIGN_BALANCING": "100", "CAMPAIGN_LEASE": "1500",
        ]

        @Test(
            .tags(.repeatedThoroughly),
            arguments: Tier.isThorough ? [Side.giver, .receiver] : [.giver],
            OnServer.lanes
        )
        func `each order is paid once when nodes die while sessions are handed over`(
            whoDies: Side,
            lanes: Int
        ) async throws {
            try await Nodes.with(
                payments: Tier.isThorough ? 24 : 8,
                kinds: ["swishThere"],
                swishTakes: nil,
                lanes: lanes
            ) { nodes in
                let database = nodes.program.place.database
                try Self.holdHandOvers(in: database)
                var hosts = [try nodes.start(0, of: 1, more: Self.manner)]
                var (comes, deaths) = (1, 0)
                while deaths < Self.deaths {
                    // One node has all of them when the other one starts.
                    try await database.wait(until: Self.holders(1, of: nodes))
                    try database.sql("UPDATE gate SET open = false")
                    let host = try nodes.start(comes, more: Self.manner)
                    if comes < hosts.count { hosts[comes] = host } else { hosts.append(host) }
                    let giver = try await Self.giver(in: database, of: nodes)
                    let dies = giver.map { whoDies == .giver ? $0 : 1 - $0 } ?? comes
                    #expect(hosts[dies].isRunning)
                    await hosts[dies].end()
                    // The statement that was held continues, whether or not its client still
                    // exists.
                    try database.sql("UPDATE gate SET open = true")
                    comes = dies
                    deaths += giver == nil ? 0 : 1
                }
                hosts[comes] = try nodes.start(comes, more: Self.manner)
                for order in await nodes.program.sandbox.ledger.orders {
                    try await nodes.program.sandbox.carryOut(.devicePays(), order: order.order)
                }
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
                try nodes.expectAcknowledged(by: hosts.count)
                let moved = "SELECT count(*) FROM handed_over"
                #expect(Int(try database.sql(moved)) ?? 0 > 0)
            }
        }

        enum Side: Sendable { case giver, receiver }

        /// Makes the statement that hands over sessions wait while the gate is closed, and counts
        /// its arrivals.
        private static func holdHandOvers(in database: Database) throws {
            try database.sql(
                """
                CREATE TABLE gate (open BOOLEAN);
                INSERT INTO gate VALUES (true);
                CREATE TABLE handed_over (session UUID);
                CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF EXISTS (SELECT 1 FROM nodes WHERE id = OLD.node) AND OLD.node <> NEW.node THEN
                        WHILE NOT (SELECT open FROM gate) LOOP
                            PERFORM pg_sleep(0.005);
                        END LOOP;
                        INSERT INTO handed_over VALUES (NEW.session);
                    END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER hold BEFORE UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION hold();
                """
            )
        }

        /// Returns SQL that is true when a number of nodes hold all sessions.
        private static func holders(_ count: Int, of nodes: Nodes) -> String {
            "(SELECT count(*) = \(nodes.payments) AND count(DISTINCT node) = \(count) FROM leases)"
        }

        /// Waits for a node that hands over sessions and is held at the gate.
        ///
        /// Returns `nil` when they were shared without it: a node that stood still for too long
        /// lost its leases.
        private static func giver(in database: Database, of nodes: Nodes) async throws -> Int? {
            let held = """
                SELECT application_name FROM pg_stat_activity WHERE datname = '\(database.name)'
                AND state = 'active' AND wait_event = 'PgSleep' AND query LIKE 'UPDATE leases %'
                """
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                let names = try database.sql(held).split(separator: "\n").map(String.init)
                if let giver = (0..<2).first(where: { names.contains(Nodes.name(of: $0)) }) {
                    return giver
                }
                if try database.sql("SELECT \(holders(2, of: nodes))") == "t" { return nil }
                try await Task.sleep(for: .milliseconds(5))
            }
            throw NoHandOver()
        }

        /// No node hands over sessions, though one holds all of them.
        private struct NoHandOver: Error {}
    }
}
