internal import CSQLite
package import EventLog

/// A small database beside the store, with its owner's tables, and one thread that uses it.
///
/// It is as durable as the store: on return, the work is on disk. Several processes may open the
/// same file.
package final class SQLiteDesk: Sendable {
    /// Identifies the tables of a file.
    package struct Form: Sendable {
        /// The application ID in the file's header, which identifies the owner.
        var applicationID: Int32
        /// The statements that create the tables of a new file.
        var tables: String

        /// Creates a form with these members.
        package init(applicationID: Int32, tables: String) {
            self.applicationID = applicationID
            self.tables = tables
        }
    }

    private struct Tools {
        var connection: SQLiteConnection?
    }

    /// The maximum number of waiting jobs; a further one fails with
    /// ``EventStoreError/overloaded(name:)``.
    package static let maximumWaiting = 4096
    /// The file version of this build.
    private static let version: Int64 = 1

    private let thread: ConfinedThreads<Tools>

    /// Opens a file, creating it if it does not exist.
    ///
    /// - Throws: ``EventStoreError`` when the file cannot be opened, has other tables or was
    ///   written by a newer build.
    package init(
        path: String,
        form: Form,
        busyTimeout: Duration = .seconds(5)
    ) async throws(EventStoreError) {
        thread = ConfinedThreads(count: 1, limit: Self.maximumWaiting) { Tools() }
        let failure: EventStoreError? = await withCheckedContinuation { caller in
            let response = thread.submit { tools in
                do throws(EventStoreError) {
                    tools.connection = try Self.open(path, form, busyTimeout)
                    caller.resume(returning: nil)
                } catch {
                    caller.resume(returning: error)
                }
            }
            guard case .accepted = response else {
                return caller.resume(
                    returning: .unavailable(reason: "no thread could be started", code: nil)
                )
            }
        }
        if let failure {
            thread.finish {}
            throw failure
        }
    }

    deinit { thread.finish {} }

    /// Performs work in one transaction, which takes effect completely or not at all.
    ///
    /// - Parameters:
    ///   - writes: Whether it changes anything.
    ///   - body: The work, on the database's thread.
    /// - Returns: The result of `body`.
    /// - Throws: ``EventStoreError``; then nothing was changed.
    package func work<Value: Sendable>(
        writes: Bool,
        _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) async throws(EventStoreError) -> Value {
        let result: Result<Value, EventStoreError> = await withCheckedContinuation { caller in
            let response = thread.submit { tools in
                guard let connection = tools.connection else {
                    return caller.resume(returning: .failure(.closed))
                }
                do throws(SQLiteFailure) {
                    try connection.execute(writes ? "BEGIN IMMEDIATE" : "BEGIN")
                    let value = try body(connection)
                    try connection.execute("COMMIT")
                    caller.resume(returning: .success(value))
                } catch {
                    connection.rollBack()
                    caller.resume(returning: .failure(error.storeError))
                }
            }
            switch response {
            case .accepted: break
            case .tooMany: caller.resume(returning: .failure(.overloaded(name: "maximumWaiting")))
            case .finished: caller.resume(returning: .failure(.closed))
            }
        }
        return try result.get()
    }

    /// Finishes the waiting work and closes the file.
    package func close() async {
        await withCheckedContinuation { caller in thread.finish { caller.resume() } }
    }

    private static func open(
        _ path: String,
        _ form: Form,
        _ busyTimeout: Duration
    ) throws(EventStoreError) -> SQLiteConnection {
        try SQLiteFile.prepare(path, access: .createIfMissing)
        return try translated {
            let connection = try SQLiteConnection(
                path: path,
                readOnly: false,
                busyTimeout: busyTimeout
            )
            try identify(connection, form)
            let opening = SQLiteOpening(
                path: path,
                options: SQLiteOptions(busyTimeout: busyTimeout)
            )
            try opening.makeDurable(connection)
            try connection.execute("BEGIN IMMEDIATE")
            // Another process may have created the tables since the check above.
            if try identify(connection, form) {
                try connection.execute(
                    form.tables + "; PRAGMA application_id = \(form.applicationID);"
                        + "PRAGMA user_version = \(version)"
                )
            }
            try connection.execute("COMMIT")
            return connection
        }
    }

    /// Checks whose file it is.
    ///
    /// - Returns: Whether the file is blank.
    @discardableResult
    private static func identify(_ connection: SQLiteConnection, _ form: Form) throws -> Bool {
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let found = try connection.integer("PRAGMA user_version") ?? 0
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        if application == 0, found == 0, tables == 0 { return true }
        guard application == Int64(form.applicationID) else {
            throw EventStoreError.unavailable(
                reason: "the file is a database with other tables",
                code: nil
            )
        }
        guard found == version else {
            throw EventStoreError.newerSchema(found: Int(found), supported: Int(version))
        }
        return false
    }
}
