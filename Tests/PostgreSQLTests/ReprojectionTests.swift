import Foundation
internal import TestSupport
import Testing

extension PostgreSQLTests {
    /// The index of a store on a server is computed from the logs again, by processes that are
    /// killed and while nodes pay.
    @Suite(.serialized, .fewAtATime) struct ReprojectionTests {
        /// The number of sample sessions: more than two batches of an update, or more than one.
        private static let samples = Tier.isThorough ? 420 : 220
        /// Compares all rows and sums with a fold of every log.
        private static let check = ["doctor", "--check", "projections", "--all", "--strict"]
        private static let records = "SELECT count(*) FROM events"
        private static let rebuild = ["store", "reproject", "--rebuild"]

        /// What is wrong with an index.
        enum Damage: CaseIterable, Sendable {
            /// Rows of an earlier build, which are in no sum.
            case outdated
            /// Somebody wrote to the tables.
            case altered

            var sql: String {
                switch self {
                case .outdated:
                    """
                    DELETE FROM listed_sums;
                    UPDATE sessions SET facts = NULL;
                    UPDATE listed_sessions SET facts_version = NULL, money = NULL, turn = 'x'
                    """
                case .altered:
                    """
                    UPDATE sessions SET facts = jsonb_set(facts, '{5}', '1'), phase = 'ready', outcome = NULL;
                    DELETE FROM listed_sessions WHERE opened_at % 2 = 0;
                    UPDATE listed_sessions SET turn = 'y', phase = 'ready', amount = 1;
                    UPDATE listed_sums SET sessions = sessions + 1
                    """
                }
            }

            /// The command that corrects it.
            var command: [String] {
                self == .outdated ? ["store", "reproject"] : ReprojectionTests.rebuild
            }

            /// The rows before which the command is killed: in each of its transactions, or in one
            /// after its first.
            var places: [WriteGate.Place] {
                guard Tier.isThorough else { return [.init("UPDATE sessions", 201)] }
                return switch self {
                case .outdated:
                    [
                        .init("UPDATE sessions", 200), .init("UPDATE sessions", 201),
                        .init("INSERT listed_sums", 2),
                    ]
                case .altered:
                    [
                        .init("UPDATE sessions", 201), .init("DELETE listed_sums", 1),
                        .init("INSERT listed_sums", 2),
                    ]
                }
            }
        }

        /// Returns the rows and sums of a store, read without any code of the engine.
        private func index(of database: Database) throws -> [String] {
            let sums =
                "name, span, number, imported, key, sessions, known, high, low FROM listed_sums"
            return try [
                "* FROM sessions", "* FROM listed_sessions",
                "\(sums) WHERE sessions <> 0",
            ].map { try database.sql("SELECT \($0) ORDER BY 1, 2, 3, 4, 5, 6, 7") }
        }

        /// Copies sample sessions to a store.
        private func fill(_ program: Program) async throws {
            // Makes the key file that both stores use.
            _ = try await program.open()
            let copy = ["store", "copy", program.place.database.url()]
            for command in [["demo", "--sessions", "\(Self.samples)"], copy] {
                let file = "sqlite:\(program.folder)/samples.db"
                let done = try await program.run(command, store: file)
                try #require(done.status == 0, "\(done.diagnostics)")
            }
        }

        /// Compares the index with the logs, and with one that is computed from the first row on.
        private func expectIndexMatchesLogs(_ program: Program, _ when: String) async throws {
            let found = try await program.run(Self.check)
            #expect(found.status == 0, "\(when): \(found.output)\(found.diagnostics)")
            let kept = try index(of: program.place.database)
            let rebuilt = try await program.run(Self.rebuild)
            #expect(rebuilt.status == 0, "\(when): \(rebuilt.diagnostics)")
            #expect(try index(of: program.place.database) == kept, "\(when)")
        }

        @Test(.tags(.repeatedThoroughly), arguments: zip(Damage.allCases, [8, 1]))
        func `an update of the index killed beside a payment is finished by the same command`(
            damage: Damage,
            lanes: Int
        ) async throws {
            try await Program.with(lanes: lanes) { program in
                let database = program.place.database
                try await fill(program)
                let tables = ["sessions", "listed_sums"]
                let gate = try WriteGate(for: program, on: tables)
                var (written, overlaps): (Set<Int>, Int) = ([], 0)
                for place in damage.places {
                    let session = try await program.open()
                    try database.sql(damage.sql)
                    let before = try database.sql(Self.records)
                    async let paid: Void = program.pay(session)
                    try await gate.run(damage.command, killedBefore: place)
                    let done = try await program.run(["--json"] + damage.command)
                    #expect(done.status == 0, "\(place): \(done.diagnostics)")
                    written.insert(try #require(Int(try done.member("written"))))
                    overlaps += try database.sql(Self.records) == before ? 0 : 1
                    try await paid
                    try await expectIndexMatchesLogs(program, "\(place)")
                }
                // What was written before a kill is not written again, unless everything is.
                let isPartial = written.contains { (1..<Self.samples).contains($0) }
                #expect(isPartial == (damage == .outdated), "\(written)")
                // A kill beside which nothing was recorded proves nothing.
                #expect(overlaps > 0)
            }
        }

        @Test(.tags(.repeatedThoroughly), arguments: OnServer.lanes)
        func `the index matches the logs when it is rebuilt again and again while nodes pay`(
            lanes: Int
        ) async throws {
            try await Nodes.with(payments: Tier.isThorough ? 40 : 12, lanes: lanes) { nodes in
                let (program, database) = (nodes.program, nodes.program.place.database)
                let hosts = try (0..<2).map { try nodes.start($0) }
                try await nodes.waitUntilReady(0)
                let deadline = ContinuousClock.now + .seconds(120)
                var (rebuilds, overlaps) = (0, 0)
                while hosts.contains(where: \.isRunning), ContinuousClock.now < deadline {
                    let before = try database.sql(Self.records)
                    let rebuilt = try await program.run(Self.rebuild)
                    #expect(rebuilt.status == 0, "\(rebuilt.diagnostics)")
                    rebuilds += 1
                    overlaps += try database.sql(Self.records) == before ? 0 : 1
                    let found = try await program.run(Self.check)
                    #expect(found.status == 0, "\(found.output)\(found.diagnostics)")
                }
                // A rebuild beside which nothing was recorded proves nothing.
                #expect(overlaps > 0)
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
                let found = try index(of: database)
                #expect(try await program.run(Self.rebuild).status == 0)
                #expect(try index(of: database) == found)
                print("the index was rebuilt \(rebuilds) times while nodes paid")
            }
        }
    }
}
