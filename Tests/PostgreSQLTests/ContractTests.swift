import EventLog
import LogFixtures
import SwedbankPay
internal import TestSupport
import Testing
import WorkflowTesting

@testable import Adapters
@testable import EventStores

extension PostgreSQLTests {
    @Suite(.guarantee(.feedComplete), .serialized, .fewAtATime) struct ContractTests {
        @Test(arguments: EventStoreContract.checks, [1, 8])
        func `the PostgreSQL store fulfills the contract of event stores`(
            check: EventStoreContract.Check,
            lanes: Int
        ) async throws {
            try await OnServer.run(lanes: lanes) { place in
                let store = try await place.store()
                #expect(store.lanes.count == lanes)
                await store.close()
                try await check.run(place)
            }
        }

        @Test(arguments: EventStoreContract.checks)
        func `a PostgreSQL store that compresses its records fulfills the contract of event stores`(
            check: EventStoreContract.Check
        ) async throws {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                let content = RecordDictionary.train(with: try GoldenLogs.records())
                try await store.addRecordDictionary(#require(content))
                await store.close()
                try await check.run(place)
            }
        }

        @Test func `dictionaries that two nodes add at once are both kept, and records read alike`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let (first, second) = (try await place.store(), try await place.store())
                let content = try #require(
                    RecordDictionary.train(with: try GoldenLogs.records())
                )
                async let one = first.addRecordDictionary(content)
                async let other = second.addRecordDictionary(content)
                let added = try await [one, other]
                #expect(Set(added).count == 2)
                let newest = try #require(try await first.recordDictionary())
                #expect(added.contains(newest))
                #expect(try await second.recordDictionary() == newest)
                let session = SessionID(at: Instant(microseconds: 8), random: (6, 7))
                let append = try SampleAppend.compressible(session)
                try await first.append(append)
                #expect(try await second.read(session, from: 1, limit: 9) == append.records)
                let stored = "SELECT get_byte(record, 0) = 40, octet_length(record) FROM events"
                let row = try place.database.sql(stored).split(separator: "|")
                #expect(row.first == "t")
                #expect(
                    try #require(row.last.flatMap { Int($0) })
                        < append.records[0].canonical.count
                )
                await first.close()
                await second.close()
            }
        }

        @Test(arguments: DeliveryStoreContract.checks, [1, 8])
        func `the PostgreSQL store fulfills the contract on the progress of consumers`(
            check: DeliveryStoreContract.Check,
            lanes: Int
        ) async throws {
            try await OnServer.run(lanes: lanes) { try await check.run($0) }
        }

        @Test(.tags(.repeatedThoroughly), arguments: IndexStoreContract.checks, OnServer.lanes)
        func `the PostgreSQL store fulfills the contract on facts, sums and search terms`(
            check: IndexStoreContract.Check,
            lanes: Int
        ) async throws {
            try await OnServer.run(lanes: lanes) { try await check.run($0) }
        }

        @Test(arguments: [0, -1, 3, 65, 128])
        func `a store cannot be created with a number of lanes that is no power of two up to 64`(
            lanes: Int
        ) async throws {
            try await OnServer.run { place in
                _ = await #expect(throws: EventStoreError.limit(name: "lanes")) {
                    _ = try await place.store(PostgreSQLOptions(lanes: lanes))
                }
            }
        }

        @Test func `records in the lane of another session, or in no lane, are structural faults`()
            async throws
        {
            try await OnServer.run(lanes: 8) { place in
                let store = try await place.store()
                let session = SessionID(at: Instant(microseconds: 8), random: (6, 1))
                try await store.append(SampleAppend.of(session, at: 1))
                #expect(try await store.structuralFaults() == [])
                // The positions of each lane stay 1, 2, 3 …: only the session's lane is wrong.
                try place.database.sql(
                    """
                    UPDATE events SET position = (2::bigint << 57) | 1;
                    UPDATE log_end SET position = 1::bigint << 57 WHERE only_row = 3;
                    UPDATE log_end SET position = (2::bigint << 57) | 1 WHERE only_row = 4
                    """
                )
                let mislaid = "records of \(session) are in a lane that is not theirs"
                #expect(try await store.structuralFaults() == [mislaid])
                try place.database.sql(
                    """
                    UPDATE events SET position = (8::bigint << 57) | 1;
                    UPDATE log_end SET position = 2::bigint << 57 WHERE only_row = 4
                    """
                )
                #expect(
                    try await store.structuralFaults()
                        == ["1 records have log positions in no lane", mislaid]
                )
                await store.close()
            }
        }

        @Test(arguments: ["only_row = 9", "only_row > 5", "only_row < 9", "true"])
        func `a store whose lanes were restored only in part is not opened`(
            lost: String
        ) async throws {
            try await OnServer.run(lanes: 8) { place in
                try place.database.sql("DELETE FROM log_end WHERE \(lost)")
                let error = await place.failure(place.database.url())
                #expect(
                    error?.code == "store.corrupt",
                    "\(error.map { "\($0)" } ?? "it was opened")"
                )
            }
        }

        @Test func `a store keeps its lanes, whatever number a later node is opened with`()
            async throws
        {
            try await OnServer.run { place in
                for (wanted, kept) in [(4, 4), (1, 4), (64, 4)] {
                    let store = try await place.store(PostgreSQLOptions(lanes: wanted))
                    #expect(store.lanes.count == kept)
                    await store.close()
                }
            }
        }
    }
}

extension Place: EventStoreFactory {
    func open() async throws -> any EventStore { try await store() }
}
