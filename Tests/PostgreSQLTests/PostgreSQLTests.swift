import Adapters
import EventLog
import SwedbankPay
import Testing

/// All tests on the server, run serially since they share it.
@Suite(.serialized) enum PostgreSQLTests {}

/// The common parts of the tests of a store.
enum OnServer {
    /// Runs work on a loop, as a service does, with a new database unless one is given.
    static func run<Value: Sendable>(
        on given: Database? = nil,
        _ body: @escaping @Sendable (Place) async throws -> Value
    ) async throws -> Value {
        let database = try given ?? Cluster.shared.get().makeDatabase()
        let loop = try UVLoop(name: "postgresql")
        let place = Place(database: database, loop: loop)
        let outcome = await loop.spawn { await Result { try await body(place) } }.value
        loop.shutdown()
        return try outcome.get()
    }
}

/// A database and a loop; every opening is another node.
struct Place: Sendable {
    let database: Database
    let loop: UVLoop

    /// Opens the store as another node.
    func store(
        _ options: PostgreSQLOptions = PostgreSQLOptions(),
        as user: String = Cluster.owner,
        _ more: String = ""
    ) async throws(EventStoreError) -> PostgreSQLEventStore {
        try await PostgreSQLEventStore(
            url: database.url(as: user, more),
            loop: loop,
            options: options
        )
    }

    /// Returns the failure to open a store with a connection string.
    func failure(
        _ url: String,
        _ options: PostgreSQLOptions = PostgreSQLOptions()
    ) async -> EventStoreError? {
        do throws(EventStoreError) {
            let store = try await PostgreSQLEventStore(url: url, loop: loop, options: options)
            await store.close()
            return nil
        } catch {
            return error
        }
    }
}

extension PositionedRecord {
    /// The position in the only lane.
    var position: Int64? { cursor.position(inLane: 0) }
}

extension Result where Failure == any Error {
    /// Creates the result of asynchronous work.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
