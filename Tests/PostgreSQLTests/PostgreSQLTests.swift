import Adapters
import EventLog
import SwedbankPay
internal import TestSupport
import Testing

/// All tests on the server, each with a database of its own.
///
/// A few suites run at the same time. Tests that stop a server, or that need special settings,
/// have a server of their own.
@Suite enum PostgreSQLTests {}

/// The common parts of the tests of a store.
enum OnServer {
    /// The numbers of lanes in tests that are not about the order of records.
    ///
    /// Where there is time, a store with one lane is tried as well.
    static let lanes = Tier.isThorough ? [1, 8] : [8]

    /// Runs work on a loop, as a service does, with a new database unless one is given.
    ///
    /// `lanes` is the number of lanes of the store, if it matters; without it, the database is
    /// empty.
    static func run<Value: Sendable>(
        on given: Database? = nil,
        lanes: Int? = nil,
        _ body: @escaping @Sendable (Place) async throws -> Value
    ) async throws -> Value {
        let database: Database
        switch (given, lanes) {
        case (let given?, _): database = given
        case (nil, let lanes?): database = try await Templates.shared.copy(lanes: lanes)
        case (nil, nil): database = try Cluster.shared.get().makeDatabase()
        }
        let loop = try UVLoop(name: "postgresql")
        let place = Place(database: database, loop: loop)
        let outcome = await loop.spawn {
            await Result {
                if given != nil, let lanes {
                    await (try place.store(PostgreSQLOptions(lanes: lanes))).close()
                }
                return try await body(place)
            }
        }.value
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
    /// The number of records up to this one, in the order in which they were read.
    var position: Int64? { cursor.distance(from: nil) }
}

extension PostgreSQLOptions {
    /// For a store with one lane.
    static let oneLane = PostgreSQLOptions(lanes: 1)
}

extension Database {
    /// Returns the lanes whose positions are not 1, 2, 3 … up to their end, as text; empty when all
    /// are as they should be.
    func lanesWithGaps() throws -> String {
        try sql(
            """
            SELECT lane, last, count, first, highest, different FROM (
                SELECT position >> 57 AS lane, position & ((1::bigint << 57) - 1) AS last FROM log_end
            ) AS ends FULL JOIN (
                SELECT position >> 57 AS lane, count(*) AS count, count(DISTINCT position) AS different,
                    min(position & ((1::bigint << 57) - 1)) AS first,
                    max(position & ((1::bigint << 57) - 1)) AS highest
                FROM events GROUP BY 1
            ) AS held USING (lane)
            WHERE coalesce(last, -1) <> coalesce(count, 0) OR first <> 1 OR highest <> count
                OR different <> count
            """
        )
    }
}

extension Result where Failure == any Error {
    /// Creates the result of asynchronous work.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
