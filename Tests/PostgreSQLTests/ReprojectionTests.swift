import Foundation
import Testing

extension PostgreSQLTests {
    /// The index of a store on a server is computed from the logs again while nodes pay.
    @Suite(.serialized) struct ReprojectionTests {
        /// Returns the rows and sums of a store, read without any code of the engine.
        private func index(of database: Database) throws -> [String] {
            let sums = "hour, imported, host, currency, lane, sessions, known, net FROM money_sums"
            return try [
                "* FROM sessions", "* FROM ended_sums WHERE sessions <> 0",
                "\(sums) WHERE sessions <> 0",
            ].map { try database.sql("SELECT \($0) ORDER BY 1, 2, 3, 4, 5, 6, 7, 8") }
        }

        @Test(arguments: [1, 8])
        func `the index matches the logs when it is rebuilt again and again while nodes pay`(
            lanes: Int
        ) async throws {
            try await Nodes.with(payments: 40, lanes: lanes) { nodes in
                let (program, database) = (nodes.program, nodes.program.place.database)
                let rebuild = ["store", "reproject", "--rebuild"]
                let check = ["doctor", "--check", "projections", "--all", "--strict"]
                let records = "SELECT count(*) FROM events"
                let hosts = try (0..<2).map { try nodes.start($0) }
                try await nodes.waitUntilReady(0)
                let deadline = ContinuousClock.now + .seconds(120)
                var (rebuilds, overlaps) = (0, 0)
                while hosts.contains(where: \.isRunning), ContinuousClock.now < deadline {
                    let before = try database.sql(records)
                    let rebuilt = try await program.run(rebuild)
                    #expect(rebuilt.status == 0, "\(rebuilt.diagnostics)")
                    rebuilds += 1
                    overlaps += try database.sql(records) == before ? 0 : 1
                    let found = try await program.run(check)
                    #expect(found.status == 0, "\(found.output)\(found.diagnostics)")
                }
                // A rebuild beside which nothing was recorded proves nothing.
                #expect(overlaps > 0)
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
                let found = try index(of: database)
                #expect(try await program.run(rebuild).status == 0)
                #expect(try index(of: database) == found)
                print("the index was rebuilt \(rebuilds) times while nodes paid")
            }
        }
    }
}
