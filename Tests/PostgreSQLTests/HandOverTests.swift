import Foundation
import Testing

extension PostgreSQLTests {
    /// Sessions go from one node to another while either of them is killed.
    @Suite(.serialized) struct HandOverTests {
        /// What is waited for in each session, so that there is always something to hand over.
        private static let payerTakes = Duration.seconds(12)
        /// Clients that look in, and nodes that share their sessions anew again and again.
        private static let manner = ["CAMPAIGN_VISITS": "yes", "CAMPAIGN_BALANCING": "100"]

        @Test(arguments: [Side.giver, .receiver])
        func `nodes that die while sessions are handed over pay each order once`(
            whoDies: Side
        ) async throws {
            try await Nodes.with(
                payments: 24,
                kinds: ["swishThere"],
                swishTakes: Self.payerTakes
            ) { nodes in
                let database = nodes.program.place.database
                try Self.slowHandOvers(in: database)
                // The first one has all of them when the second one comes.
                var hosts = [try nodes.start(0, of: 1, more: Self.manner)]
                try await database.wait(
                    until: "(SELECT count(*) FROM leases) = \(nodes.payments)"
                )
                hosts.append(try nodes.start(1, more: Self.manner))
                var deaths = 0
                let end = ContinuousClock.now + Self.payerTakes
                while ContinuousClock.now < end {
                    guard let giver = try Self.giver(in: database) else {
                        try await Task.sleep(for: .milliseconds(5))
                        continue
                    }
                    let place = whoDies == .giver ? giver : 1 - giver
                    guard hosts[place].isRunning else { break }
                    kill(hosts[place].processIdentifier, SIGKILL)
                    hosts[place].waitUntilExit()
                    deaths += 1
                    hosts[place] = try nodes.start(place, more: Self.manner)
                }
                print("died while sessions were handed over: \(deaths) times the \(whoDies)")
                #expect(deaths > 0)
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
                try nodes.expectAcknowledged(by: hosts.count)
                let moved = "SELECT count(*) FROM handed_over"
                #expect(Int(try database.sql(moved)) ?? 0 > 0)
            }
        }

        enum Side: Sendable { case giver, receiver }

        /// Makes the statement that hands sessions over last, so that it can be met; what arrived is counted.
        private static func slowHandOvers(in database: Database) throws {
            try database.sql(
                """
                CREATE TABLE handed_over (session UUID);
                CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF EXISTS (SELECT 1 FROM nodes WHERE id = OLD.node) AND OLD.node <> NEW.node THEN
                        PERFORM pg_sleep(0.02);
                        INSERT INTO handed_over VALUES (NEW.session);
                    END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER slow BEFORE UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION slow();
                """
            )
        }

        /// The node that hands sessions over at this moment.
        private static func giver(in database: Database) throws -> Int? {
            let names = try database.sql(
                """
                SELECT application_name FROM pg_stat_activity
                WHERE datname = '\(database.name)' AND state = 'active' AND query LIKE 'UPDATE leases %'
                """
            )
            return (0..<2).first { names.split(separator: "\n").contains("\(Nodes.name(of: $0))") }
        }
    }
}
