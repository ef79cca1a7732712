import Adapters
import EventLog
import Foundation
import LogFixtures
import SwedbankPay
import Testing

extension PostgreSQLTests {
    /// Roles have only the rights that they need, and the database enforces them.
    @Suite(.serialized, .fewAtATime) struct RightsTests {
        private let session = SessionID(at: Instant(microseconds: 8), random: (6, 7))

        /// Returns a role with the granted rights.
        private func role(
            _ name: String,
            in place: Place,
            onlyReading: Bool = false
        ) async throws -> String {
            await (try place.store()).close()
            let role = "\(name)_\(place.database.name)"
            try place.database.sql("CREATE ROLE \(role) LOGIN")
            for grant in PostgreSQLGrants.statements(for: role, onlyReading: onlyReading) {
                try place.database.sql(grant)
            }
            return role
        }

        @Test func `the engine's role has every right that an engine needs`() async throws {
            try await OnServer.run { place in
                let store = try await place.store(as: try await role("engine", in: place))
                #expect(try await store.acquireLease(on: session))
                try await store.append(SampleAppend.of(session, at: 1, isUnderLease: true))
                try await store.append(SampleAppend.of(session, at: 2, isUnderLease: true))
                let claim = DeliveryClaim(
                    consumer: "c",
                    worker: 1,
                    until: Instant(microseconds: 1_000)
                )
                let progress = try await store.changeDeliveries(
                    [
                        .claim(session),
                        .release(session, DeliveryProgress(position: 2, dropped: 0)),
                    ],
                    by: claim,
                    at: Instant(microseconds: 1)
                )
                #expect(progress.last??.position == 2)
                #expect(try await store.records(after: nil, limit: 10).count == 2)
                #expect(try await store.wrappedKey(of: session) == [1, 2, 3])
                await store.releaseLease(on: session)
                await store.close()
            }
        }

        @Test(arguments: [
            "UPDATE events SET type = 'completed'", "DELETE FROM events", "TRUNCATE events",
            "DELETE FROM sessions", "DELETE FROM session_keys",
            "UPDATE session_keys SET wrapped = ''", "DROP TABLE events",
            "ALTER TABLE events DISABLE TRIGGER ALL", "DELETE FROM addresses",
            "UPDATE payment_workflow_schema SET version = 0",
        ])
        func `an engine's role cannot change or remove what was recorded`(
            statement: String
        ) async throws {
            try await OnServer.run { place in
                let role = try await role("engine", in: place)
                let store = try await place.store(as: role)
                try await store.append(SampleAppend.of(session, at: 1))
                await store.close()
                var complaint = ""
                do { try place.database.sql(statement, as: role) } catch { complaint = "\(error)" }
                #expect(
                    complaint.contains("permission denied") || complaint.contains("must be owner"),
                    "\(complaint)"
                )
                #expect(try place.database.sql("SELECT type FROM events") == "fetched")
            }
        }

        @Test
        func `nothing is compressed that a role could not read, and only the owner compresses`()
            async throws
        {
            try await OnServer.run { place in
                let role = try await role("engine", in: place)
                let owner = try await place.store()
                let content = try #require(
                    RecordDictionary.train(with: try GoldenLogs.records())
                )
                try place.database.sql("REVOKE ALL ON record_dictionaries FROM \(role)")
                do throws(EventStoreError) {
                    try await owner.addRecordDictionary(content)
                    Issue.record("a dictionary was added that the engine cannot read")
                } catch {
                    #expect(error.code == "store.missing-right" && "\(error)".contains(role))
                }
                let store = try await place.store(as: role)
                let compressible = try SampleAppend.compressible(session)
                do throws(EventStoreError) {
                    try await store.append(compressible)
                    Issue.record("an engine appended without knowing the dictionaries")
                } catch {
                    #expect(error.code == "store.missing-right")
                }
                for grant in PostgreSQLGrants.statements(for: role) {
                    try place.database.sql(grant)
                }
                try await store.append(compressible)
                let isCompressed = "SELECT get_byte(record, 0) = 40 FROM events ORDER BY seq"
                #expect(try place.database.sql(isCompressed) == "f")
                let wanted = try await store.read(session, from: 1, limit: 9)
                try await owner.addRecordDictionary(content)
                do throws(EventStoreError) {
                    _ = try await store.compressRecords(after: 0, limit: 9)
                    Issue.record("an engine changed a record")
                } catch {
                    #expect(error.code == "store.missing-right")
                }
                #expect(try place.database.sql(isCompressed) == "f")
                #expect(try await owner.compressRecords(after: 0, limit: 9)?.changed == 1)
                #expect(try place.database.sql(isCompressed) == "t")
                #expect(try await store.read(session, from: 1, limit: 9) == wanted)
                await store.close()
                await owner.close()
            }
        }

        @Test func `a reader reads everything but the keys, and writes nothing`() async throws {
            try await OnServer.run { place in
                let role = try await role("reader", in: place, onlyReading: true)
                let owner = try await place.store()
                try await owner.append(SampleAppend.of(session, at: 1))
                let store = try await place.store(
                    PostgreSQLOptions(access: .readOnly),
                    as: role
                )
                // The copy for lists does not have it yet.
                #expect(await store.catchUp() == 1)
                #expect(try await store.read(session, from: 1, limit: 9).count == 1)
                #expect(try await store.sessions(matching: SessionQuery()).count == 1)
                await #expect(throws: EventStoreError.readOnly) {
                    try await store.append(SampleAppend.of(session, at: 2))
                }
                do throws(EventStoreError) {
                    _ = try await store.wrappedKey(of: session)
                    Issue.record("a reader was given a key")
                } catch {
                    #expect(error.code == "store.missing-right")
                }
                await store.close()
                await owner.close()
            }
        }

        @Test func `role names are quoted in grants`() {
            let grants = PostgreSQLGrants.statements(for: "a\"; DROP TABLE events; --")
            #expect(grants.allSatisfy { $0.hasSuffix("TO \"a\"\"; DROP TABLE events; --\"") })
        }

        @Test(arguments: StoreDuty.allCases)
        func `with grants for a custom schema, each role finds and uses the tables in it`(
            duty: StoreDuty
        ) async throws {
            try await OnServer.run { place in
                let schema = "My \"Payments\""
                let quoted = #""My ""Payments""""#
                let (base, role) = (place.database.name, "r\(duty)_\(place.database.name)")
                try place.database.sql("CREATE SCHEMA \(quoted)")
                try place.database.sql("ALTER DATABASE \(base) SET search_path TO \(quoted)")
                let owner = try await place.store()
                try await owner.append(SampleAppend.of(session, at: 1))
                await owner.close()
                try place.database.sql("ALTER DATABASE \(base) RESET search_path")
                try place.database.sql("CREATE ROLE \(role) LOGIN")
                // Without the schema's name, the statements do not even find the tables.
                let first = PostgreSQLGrants.statements(for: role, duty: duty)[0]
                #expect(throws: Cluster.ClusterError.self) { try place.database.sql(first) }
                for grant in PostgreSQLGrants.statements(for: role, duty: duty, schema: schema) {
                    try place.database.sql(grant)
                }
                let writes = duty == .engine || duty == .erasing
                let access = StoreAccess.self
                let store = try await place.store(
                    PostgreSQLOptions(access: writes ? access.existing : access.readOnly),
                    as: role,
                    "&options=-csearch_path%3D%22My%5C%20%22%22Payments%22%22%22"
                )
                #expect(try await store.read(session, from: 1, limit: 9).count == 1)
                if writes { try await store.append(SampleAppend.of(session, at: 2)) }
                await store.close()
            }
        }
    }
}
