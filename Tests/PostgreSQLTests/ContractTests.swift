import Adapters
import EventLog
import LogFixtures
import SwedbankPay
import Testing
import WorkflowTesting

extension PostgreSQLTests {
    @Suite(.serialized) struct ContractTests {
        @Test(arguments: EventStoreContract.checks)
        func `the PostgreSQL store fulfills the contract of event stores`(
            check: EventStoreContract.Check
        ) async throws {
            try await OnServer.run { try await check.run($0) }
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
    }
}

extension Place: EventStorePlace {
    func open() async throws -> any EventStore { try await store() }
}
