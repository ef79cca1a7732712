import EventLog
import Foundation
import SwedbankPay
internal import TestSupport
import Testing

@testable import Adapters
@testable import EventStores
@testable import Sandbox

extension PostgreSQLTests {
    /// The table that leads from addresses to sessions, and the keys beside them, as `verify` sees
    /// them.
    @Suite(.serialized, .fewAtATime) struct AddressTests {
        @Test(arguments: [
            ("UPDATE addresses SET session = '$2' WHERE session = '$1'", [1], true),
            ("UPDATE addresses SET fp = sha256(fp) WHERE session = '$1'", [1], true),
            ("DELETE FROM addresses WHERE session = '$1'", [1], true),
            ("UPDATE sessions SET address_fp = NULL WHERE id = '$1'", [1], true),
            ("UPDATE sessions SET address_fp = sha256(address_fp) WHERE id = '$1'", [1], true),
            (
                """
                WITH s AS (UPDATE sessions SET address_fp = sha256(address_fp) WHERE id = '$1'),
                    l AS (UPDATE listed_sessions SET address_fp = sha256(address_fp) WHERE id = '$1')
                UPDATE addresses SET fp = sha256(fp) WHERE session = '$1'
                """, [1], false
            ),
            (
                """
                WITH s AS (UPDATE sessions SET address_fp = NULL WHERE id = '$1'),
                    l AS (UPDATE listed_sessions SET address_fp = NULL WHERE id = '$1')
                DELETE FROM addresses WHERE session = '$1'
                """, [1], false
            ),
        ])
        func `verify finds a session URL mapping that does not lead to its session`(
            sql: String,
            damaged: [Int],
            isFoundWithoutKeys: Bool
        ) async throws {
            try await Program.with(lanes: 8) { program in
                let sessions = [try await program.open(), try await program.open()]
                #expect(try await program.run("verify").status == 0)
                try program.place.database.sql(
                    sql.replacing("$1", with: sessions[0]).replacing("$2", with: sessions[1])
                )
                let found = try await program.run("verify", "--all", "--json")
                #expect(found.status == 65, "\(found.output)\(found.diagnostics)")
                #expect(try found.member("damaged") == "\(damaged.count)")
                #expect(try found.member("sessions") == "2")
                #expect(try found.member("faults", 0, "kind") == "projection")
                #expect(try found.member("faults", 0, "session") == sessions[damaged[0] - 1])
                #expect(found.diagnostics.contains("address_fp"), "\(found.diagnostics)")
                let shut = try await program.run("verify", "--no-keys")
                #expect(shut.status == (isFoundWithoutKeys ? 65 : 0), "\(shut.diagnostics)")
            }
        }

        @Test func `verify finds a mapping to no session and a data key that cannot be unwrapped`()
            async throws
        {
            try await Program.with(lanes: 8) { program in
                let session = try await program.open()
                try program.place.database.sql(
                    "INSERT INTO addresses VALUES ('\\x00', '0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f')"
                )
                let nowhere = try await program.run("verify")
                #expect(nowhere.status == 65)
                #expect(nowhere.diagnostics.contains("0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"))
                try program.place.database.sql("DELETE FROM addresses WHERE fp = '\\x00'")
                #expect(try await program.run("verify").status == 0)
                try program.place.database.sql(
                    "UPDATE session_keys SET wrapped = set_byte(wrapped, 40, get_byte(wrapped, 40) # 1)"
                )
                let found = try await program.run("verify", "--all", "--json")
                #expect(found.status == 65)
                #expect(try found.member("faults", 0, "kind") == "wrong-key")
                #expect(try found.member("faults", 0, "session") == session)
            }
        }

        @Test(arguments: [
            "UPDATE listed_sessions SET turn = 'nobody' WHERE id = '$1'",
            "DELETE FROM listed_sessions WHERE id = '$1'",
        ])
        func `verify finds a row of lists that is not its session's`(sql: String) async throws {
            try await Program.with(lanes: 8) { program in
                let sessions = [try await program.open(), try await program.open()]
                #expect(try await program.run("verify", "--no-keys").status == 0)
                try program.place.database.sql(sql.replacing("$1", with: sessions[0]))
                let found = try await program.run("verify", "--all", "--json")
                #expect(found.status == 65, "\(found.output)\(found.diagnostics)")
                #expect(try found.member("faults", 0, "session") == sessions[0])
                #expect(try found.member("sessions") == "2")
                #expect(found.diagnostics.contains("listed"), "\(found.diagnostics)")
                #expect(try await program.run("store", "reproject", "--rebuild").status == 0)
                #expect(try await program.run("verify", "--no-keys").status == 0)
            }
        }

        @Test
        func `for a read-only role, verify reports that session URL mappings were not checked`()
            async throws
        {
            try await Program.with(lanes: 8) { program in
                _ = try await program.open()
                let role = "reader_\(program.place.database.name)"
                try program.place.database.sql("CREATE ROLE \(role) LOGIN")
                for grant in PostgreSQLGrants.statements(for: role, onlyReading: true) {
                    try program.place.database.sql(grant)
                }
                let reader = program.place.database.url(as: role)
                let told = try await program.run("verify", "--no-keys", store: reader)
                #expect(told.status == 0, "\(told.diagnostics)")
                #expect(told.diagnostics.contains("the mapping of session URLs was not checked"))
                let withKeys = try await program.run("verify", store: reader)
                #expect(withKeys.status == 0, "\(withKeys.diagnostics)")
                #expect(
                    withKeys.diagnostics.contains("no sealed value was decrypted: this role cannot")
                )
            }
        }

        @Test
        func `an append after a session's keys were destroyed does not restore its URL mapping`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                let session = SessionID(at: Instant(microseconds: 8), random: (6, 7))
                func append(at sequence: SequenceNumber) async throws {
                    try await store.append(
                        SampleAppend.of(session, at: sequence) {
                            $0.addressFingerprint = Digest256(words: (1, 2, 3, 4))
                        }
                    )
                }
                try await append(at: 1)
                _ = try await store.destroyKeys(of: [session])
                try await append(at: 2)
                #expect(try place.database.sql("SELECT count(*) FROM addresses") == "0")
                #expect(try await store.addressFaults(limit: 10).isEmpty)
                await store.close()
            }
        }

        @Test func `a key rotation keeps a URL mapping that already has its new fingerprint`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                let session = SessionID(at: Instant(microseconds: 9), random: (8, 9))
                let prints = [Digest256(words: (1, 2, 3, 4)), Digest256(words: (5, 6, 7, 8))]
                for (index, print) in prints.enumerated() {
                    try await store.append(
                        SampleAppend.of(session, at: SequenceNumber(index + 1)) {
                            $0.addressFingerprint = print
                        }
                    )
                }
                let kept = try #require(try await store.keptKeys(following: nil, limit: 2).first)
                try await store.replaceKeys([
                    KeyReplacement(
                        kept: kept,
                        wrapped: kept.wrapped + [1],
                        addressFingerprint: prints[1]
                    )
                ])
                #expect(try await store.wrappedKey(of: session) == kept.wrapped + [1])
                #expect(try place.database.sql("SELECT count(*) FROM addresses") == "1")
                #expect(try await store.row(of: session)?.addressFingerprint == prints[1])
                #expect(try await store.addressFaults(limit: 10).isEmpty)
                await store.close()
            }
        }

        /// Plans are made when the tables are small, and by the settings of the connection that
        /// writes.
        @Test(
            .tags(.repeatedThoroughly),
            arguments: [
                (PostgreSQLEventStore.destroy, "ARRAY['$1', '$2']"),
                (PostgreSQLEventStore.replaceAddress, "'$1', int8send(-1), int8send(17000)"),
            ]
        )
        func `an erasure and a key rotation find addresses by an index, whatever their number`(
            statement: PQStatement,
            values: String
        ) async throws {
            try await OnServer.run(lanes: 1) { place in
                let sessions = [17_000, 19_000].map { AppendTests.row("\($0)") }
                let ids = try sessions.map { try place.database.sql("SELECT \($0)") }
                let values = values.replacing("$1", with: ids[0]).replacing("$2", with: ids[1])
                let plan = try Plan.of(
                    statement,
                    values,
                    beforehand: """
                        \(PostgreSQLPlans.ofWriter.sql);
                        \(AppendTests.filling(sessions: 30, lanes: 1))
                        ANALYZE;
                        EXECUTE found (\(values));
                        \(AppendTests.emptying)
                        \(AppendTests.filling(sessions: AppendTests.large, lanes: 1))
                        """,
                    in: place.database
                )
                plan.expectKeys(blocks: 200)
                let left = """
                    SELECT count(*) FROM addresses WHERE session = '\(ids[0])' AND fp = int8send(17000)
                    """
                #expect(try place.database.sql(left) == "0")
            }
        }
    }
}
