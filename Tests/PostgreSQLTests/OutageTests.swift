import Foundation
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// The messages of a command that another node, or an outage, prevents from doing its work.
    @Suite(.serialized, .fewAtATime) struct OutageTests {
        /// Gives the session to a node that seems to be alive for a time.
        private func hold(_ session: String, for seconds: Int, in program: Program) throws {
            try program.place.database.sql(
                """
                INSERT INTO nodes (id, name, started_at, until) SELECT 7, 'killed', now, now + \(seconds) * 1000000
                FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS t;
                INSERT INTO leases (session, node, token)
                    VALUES ('\(session)', 7, nextval('lease_tokens'));
                """
            )
        }

        /// Creates a session whose payer has paid, without the PSP having been read since.
        private func due(_ program: Program) async throws -> String {
            let session = try await program.open()
            let begun = try await program.run(
                ["--wait", "0s", "attempt", session, "swish", "--msisdn", "+46739000001"]
            )
            try #require(begun.status == 0, "\(begun.diagnostics)")
            try await program.place.database.wait(
                until: """
                    (SELECT bool_and(due_at < (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
                    FROM sessions WHERE due_at IS NOT NULL)
                    """
            )
            return session
        }

        @Test func `resume waits for the lease of a killed node, then completes its session`()
            async throws
        {
            try await Program.with(lanes: 8) { program in
                let session = try await due(program)
                try hold(session, for: 3, in: program)
                let resumed = try await program.run("--json", "--wait", "30s", "resume")
                #expect(resumed.status == 0, "\(resumed.diagnostics)")
                #expect(try resumed.member(0, "outcome") == "completed")
            }
        }

        @Test
        func `resume fails with store.busy and names the session while another node holds it`()
            async throws
        {
            try await Program.with(lanes: 8) { program in
                let session = try await due(program)
                try hold(session, for: 600, in: program)
                let resumed = try await program.run("--wait", "1s", "resume")
                #expect(resumed.status == 75)
                #expect(resumed.diagnostics.contains(session))
                #expect(resumed.diagnostics.contains("[store.busy]"))
                try program.place.database.sql("DELETE FROM nodes WHERE id = 7")
                let again = try await program.run("--json", "--wait", "30s", "resume")
                #expect(try again.member(0, "outcome") == "completed")
            }
        }

        @Test
        func `a store lost during the wait is reported as store.unavailable, with the session`()
            async throws
        {
            let cluster = try Cluster()
            try await Program.with(on: try cluster.makeDatabase(), swishTakes: nil) { program in
                let session = try await program.open()
                async let attempt = program.run([
                    "--wait", "6s", "--json", "attempt", session, "swish", "--msisdn",
                    "+46739000001",
                ])
                try await program.place.database.wait(
                    until: "EXISTS (SELECT 1 FROM sessions WHERE phase = 'awaitingPSP')"
                )
                try cluster.kill()
                let done = try await attempt
                #expect(done.status == 69, "\(done.output)\(done.diagnostics)")
                #expect(try done.member("session") == session)
                #expect(done.diagnostics.contains("[store.unavailable]"))
            }
        }
    }
}
