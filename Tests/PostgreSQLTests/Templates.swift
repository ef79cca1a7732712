import Adapters
import Foundation

/// Databases in which there are the tables of a store, and nothing else.
///
/// Copying one is quicker than creating the tables. What is about creating them begins with an
/// empty database.
actor Templates {
    static let shared = Templates()

    /// The names of the templates, by the number of lanes.
    private var making: [Int: Task<String, any Error>] = [:]

    /// Returns a new database with the tables of a store that was never used.
    func copy(lanes: Int) async throws -> Database {
        let template = try await template(lanes: lanes)
        let cluster = try Cluster.shared.get()
        let database = try cluster.makeDatabase(like: template)
        try database.sql("UPDATE store_identity SET id = replace(gen_random_uuid()::text, '-', '')")
        return database
    }

    private func template(lanes: Int) async throws -> String {
        if let task = making[lanes] { return try await task.value }
        let task = Task {
            let database = try Cluster.shared.get().makeDatabase()
            let loop = try UVLoop(name: "template")
            let outcome = await loop.spawn {
                await Result {
                    let place = Place(database: database, loop: loop)
                    await (try place.store(PostgreSQLOptions(lanes: lanes))).close()
                }
            }.value
            loop.shutdown()
            try outcome.get()
            // The store was opened on a server, which its copies were not.
            try database.sql("UPDATE store_identity SET remembered = 0, server = NULL")
            return database.name
        }
        making[lanes] = task
        return try await task.value
    }
}
