import Adapters
import Foundation
import TestSupport
import Testing
import WorkflowTesting

@Suite(.guarantee(.feedComplete)) struct EventStoreContractTests {
    @Test(arguments: EventStoreContract.checks, [1, 8])
    func `the in-memory store meets the contract`(
        check: EventStoreContract.Check,
        lanes: Int
    ) async throws {
        try await check.run(InMemoryPlace(lanes: lanes))
    }

    @Test(arguments: EventStoreContract.checks)
    func `the SQLite store meets the contract`(check: EventStoreContract.Check) async throws {
        try await TemporaryDirectory.with { directory in
            try await check.run(SQLitePlace(path: directory.path + "/payments.db", loop: nil))
        }
    }

    @Test(arguments: EventStoreContract.checks)
    func `the SQLite store on a loop meets the contract`(
        check: EventStoreContract.Check
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let loop = try UVLoop(name: "contract")
            let place = SQLitePlace(path: directory.path + "/payments.db", loop: loop)
            // On the loop, so that its iterations group the appends.
            let outcome = await loop.spawn { await Result { try await check.run(place) } }.value
            loop.shutdown()
            try outcome.get()
        }
    }

    @Test(arguments: EventStoreContract.checks)
    func `a SQLite store that compresses its records meets the contract`(
        check: EventStoreContract.Check
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path + "/payments.db"
            try await check.run(CompressedSQLitePlace(path: path))
            // Every other record of the samples is worth compressing.
            #expect(try CompressedSQLitePlace.plainRecords(path) == 0)
        }
    }

    @Test(arguments: DeliveryStoreContract.checks)
    func `the in-memory store keeps the progress of consumers`(
        check: DeliveryStoreContract.Check
    ) async throws {
        try await check.run(InMemoryPlace())
    }

    @Test(arguments: DeliveryStoreContract.checks)
    func `the SQLite store keeps the progress of consumers`(
        check: DeliveryStoreContract.Check
    ) async throws {
        try await TemporaryDirectory.with { directory in
            try await check.run(SQLitePlace(path: directory.path + "/payments.db", loop: nil))
        }
    }

    @Test(arguments: IndexStoreContract.checks)
    func `the SQLite store keeps facts, sums and search terms`(
        check: IndexStoreContract.Check
    ) async throws {
        try await TemporaryDirectory.with { directory in
            try await check.run(SQLitePlace(path: directory.path + "/payments.db", loop: nil))
        }
    }
}

extension Result where Failure == any Error {
    /// Creates the result of asynchronous work.
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
