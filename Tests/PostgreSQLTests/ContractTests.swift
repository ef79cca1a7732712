import Adapters
import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

extension PostgreSQLTests {
    @Suite(.serialized) struct ContractTests {
        @Test(arguments: EventStoreContract.checks)
        func `the PostgreSQL store keeps the contract`(
            check: EventStoreContract.Check
        ) async throws {
            try await OnServer.run { try await check.run($0) }
        }

        @Test(arguments: DeliveryStoreContract.checks)
        func `the PostgreSQL store keeps the progress of consumers`(
            check: DeliveryStoreContract.Check
        ) async throws {
            try await OnServer.run { try await check.run($0) }
        }

        @Test(arguments: IndexStoreContract.checks)
        func `the PostgreSQL store keeps facts, sums and search terms`(
            check: IndexStoreContract.Check
        ) async throws {
            try await OnServer.run { try await check.run($0) }
        }
    }
}

extension Place: EventStorePlace {
    func open() async throws -> any EventStore { try await store() }
}
