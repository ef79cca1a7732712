import EventLog
import LogFixtures
import SwedbankPay
import Testing
import WorkflowTesting

@testable import Adapters

extension PostgreSQLTests {
    @Suite(.serialized) struct ContractTests {
        @Test(arguments: EventStoreContract.checks, [1, 8])
        func `the PostgreSQL store fulfills the contract of event stores`(
            check: EventStoreContract.Check,
            lanes: Int
        ) async throws {
            try await OnServer.run { place in
                let store = try await place.store(PostgreSQLOptions(lanes: lanes))
                #expect(store.lanes.count == lanes)
                await store.close()
                try await check.run(place)
            }
        }

        @Test(arguments: EventStoreContract.checks)
        func `a PostgreSQL store that compresses its records fulfills the contract of event stores`(
            check: EventStoreContract.Check
        ) async throws {
            try await OnServer.run { place in
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
            try await OnServer.run { place in
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

        @Test(arguments: DeliveryStoreContract.checks)
        func `the PostgreSQL store fulfills the contract on the progress of consumers`(
            check: DeliveryStoreContract.Check
        ) async throws {
            try await OnServer.run { try await check.run($0) }
        }

        @Test(arguments: IndexStoreContract.checks)
        func `the PostgreSQL store fulfills the contract on facts, sums and search terms`(
            check: IndexStoreContract.Check
        ) async throws {
            try await OnServer.run { try await check.run($0) }
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

extension Place: EventStorePlace {
    func open() async throws -> any EventStore { try await store() }
}
