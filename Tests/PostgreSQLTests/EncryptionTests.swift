import Adapters
import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

extension PostgreSQLTests {
    /// The connection to the server is encrypted, and the server is authenticated.
    @Suite(.threat("T-54"), .serialized, .fewAtATime) struct EncryptionTests {
        @Test
        func `verify-full trusts a server only with the right certificate authority and host name`()
            async throws
        {
            let (ours, other) = (try Authority(), try Authority())
            let database = try ours.makeServer(named: "localhost").makeDatabase()
            try await Program.with(on: database) { program in
                let strict = { (host: String, authority: String) in
                    "postgres://payments:hunter2@\(host):\(database.cluster.port)/\(database.name)"
                        + "?sslmode=verify-full&sslrootcert=\(authority)"
                }
                let good = strict("localhost", ours.certificate)
                #expect(try await program.run("store", "init", store: good).status == 0)
                let store = try await PostgreSQLEventStore(url: good, loop: program.place.loop)
                let session = SessionID(at: Instant(microseconds: 1), random: (1, 2))
                try await store.append(SampleAppend.of(session, at: 1))
                _ = try await store.head(of: session)
                #expect(
                    try database.sql(
                        """
                        SELECT count(*) > 1 AND bool_and(ssl) FROM pg_stat_ssl
                        JOIN pg_stat_activity USING (pid) WHERE application_name = 'payment-workflow'
                        """
                    ) == "t"
                )
                await store.close()
                let bad: [(url: String, words: String)] = [
                    (strict("localhost", other.certificate), "certificate verify failed"),
                    (strict("127.0.0.1", ours.certificate), "does not match host name"),
                    (strict("localhost", "/nonexistent/ca.crt"), "does not exist"),
                ]
                for (url, words) in bad { try await expectNoTrust(program, url, words) }
                // Of several hosts, the trustworthy one is used.
                let port = database.cluster.port
                let several =
                    "postgres://payments@127.0.0.1:\(port),localhost:\(port)/\(database.name)"
                    + "?sslmode=verify-full&sslrootcert=\(ours.certificate)"
                let known = try await program.run("store", "status", store: several)
                #expect(known.status == 0, "\(known.diagnostics)")
            }
        }

        @Test func `a server without encryption is refused where sslmode requires encryption`()
            async throws
        {
            try await Program.with { program in
                let (port, name) = (
                    program.place.database.cluster.port, program.place.database.name
                )
                try await expectNoTrust(
                    program,
                    "postgres://payments:hunter2@127.0.0.1:\(port)/\(name)?sslmode=require",
                    "does not support SSL"
                )
            }
        }

        /// Expects one error, with a hint, and without the password.
        private func expectNoTrust(
            _ program: Program,
            _ url: String,
            _ words: String
        ) async throws {
            for command in [["list"], ["resume"], ["store", "status"]] {
                let done = try await program.run(command, store: url)
                #expect(done.status == 69, "\(done.status): \(done.diagnostics)")
                let errors = done.diagnostics.split(separator: "\n")
                    .filter { $0.hasPrefix("error: ") }
                #expect(errors.count == 1, "\(done.diagnostics)")
                #expect(done.diagnostics.contains("[store.untrusted]"), "\(done.diagnostics)")
                #expect(done.diagnostics.contains(words), "\(done.diagnostics)")
                #expect(done.diagnostics.contains("check sslmode and sslrootcert"))
                #expect(!(done.output + done.diagnostics).contains("hunter2"))
                #expect(done.output.isEmpty)
            }
        }
    }
}
