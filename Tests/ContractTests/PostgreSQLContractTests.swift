import Adapters
import Foundation
import Synchronization
import Testing
import Workflow
import WorkflowTesting

/// The PostgreSQL store on a real server.
@Suite(.serialized) struct PostgreSQLContractTests {
    /// One server for all checks, each of which has a database of its own.
    private static let server = Result { try PostgreSQLCluster() }

    /// Stops the server when the process ends.
    private static let stops: Void = {
        atexit { try? PostgreSQLContractTests.server.get().stop() }
    }()

    private func with(
        _ name: String,
        _ body: @escaping @Sendable (PostgreSQLPlace) async throws -> Void
    ) async throws {
        let server = try Self.server.get()
        Self.stops
        let loop = try UVLoop(name: "postgresql")
        let place = PostgreSQLPlace(
            url: try server.database("b\(UUID().uuidString.lowercased().filter { $0 != "-" })"),
            loop: loop
        )
        let outcome = await loop.spawn { await Outcome { try await body(place) } }.value
        loop.shutdown()
        try outcome.result.get()
    }

    private struct Outcome: Sendable {
        let result: Result<Void, any Error>

        init(_ body: () async throws -> Void) async {
            do { result = .success(try await body()) } catch { result = .failure(error) }
        }
    }

    @Test(arguments: EventStoreContract.checks)
    func `the PostgreSQL store keeps the contract`(
        check: EventStoreContract.Check
    ) async throws {
        try await with(check.name) { try await check.run($0) }
    }

    @Test(arguments: DeliveryStoreContract.checks)
    func `the PostgreSQL store keeps the progress of consumers`(
        check: DeliveryStoreContract.Check
    ) async throws {
        try await with(check.name) { try await check.run($0) }
    }
}

/// A database; every opening is another node.
struct PostgreSQLPlace: EventStorePlace {
    var url: String
    var loop: UVLoop

    func open() async throws -> any EventStore {
        try await PostgreSQLEventStore(
            url: url,
            loop: loop,
            holder: Int64.random(in: 1 ... .max)
        )
    }
}
