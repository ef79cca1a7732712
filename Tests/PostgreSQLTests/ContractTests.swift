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
        func `a PostgreSQL store that packs its records fulfills the contract of event stores`(
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
