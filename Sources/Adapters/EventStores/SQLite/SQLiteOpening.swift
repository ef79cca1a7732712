internal import CSQLite
internal import EventLog
internal import Glibc

/// Opens connections with the settings that make them safe.
struct SQLiteOpening: Sendable {
    var path: String
    var options: SQLiteOptions
    /// What lists and sums need of the sessions.
    var readModel = ReadModel()

    /// The maximum size of the write-ahead log between checkpoints, in bytes.
    static let journalSizeLimit = 64 * 1024 * 1024

    /// Opens the first connection: creates the file if requested, checks whose it is and upgrades
    /// it.
    ///
    /// Nothing is written before the file is known to be a store or blank. For a file that can only
    /// be read, the connection is a reading one.
    func openWriter() throws(EventStoreError) -> SQLiteConnection {
        try SQLiteFile.prepare(path, access: options.access)
        let connection = try translated {
            try SQLiteConnection(
                path: path,
                readOnly: !options.access.appends,
                isImmutable: SQLiteFile.isImmutable(path),
                busyTimeout: options.busyTimeout,
                readModel: readModel
            )
        }
        let identity = try identify(connection)
        let isCurrent = identity == .ours(version: SQLiteSchema.currentVersion)
        guard !connection.isReadOnly else {
            guard isCurrent else {
                throw .unavailable(
                    reason: "the store has an older schema; open it once for writing",
                    code: nil
                )
            }
            try translated { try Self.restrict(connection) }
            return connection
        }
        try makeDurable(connection)
        if !isCurrent {
            try translated {
                try SQLiteSchema.migrate(connection, by: SQLiteSchema.migrations(connection.sums))
                if identity == .blank, options.isScratch {
                    let mark = "PRAGMA application_id = \(SQLiteSchema.scratchID)"
                    try connection.execute(mark)
                }
            }
            // The tables are then in the file itself, whatever becomes of the write-ahead log.
            try? connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        }
        try checkReadModel(connection)
        try translated { try SQLiteStructure.check(connection) }
        return connection
    }

    /// Opens a further connection, for reading, to a file that ``openWriter()`` has accepted.
    func openReader() throws(EventStoreError) -> SQLiteConnection {
        try translated {
            let connection = try SQLiteConnection(
                path: path,
                readOnly: true,
                isImmutable: SQLiteFile.isImmutable(path),
                busyTimeout: options.busyTimeout,
                readModel: readModel
            )
            try Self.restrict(connection)
            return connection
        }
    }

    private static func restrict(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        try connection.execute(
            "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; \(temporariesInMemory)"
        )
    }

    /// SQLite's temporary data is never written to files of its own, outside the store's folder.
    static let temporariesInMemory = "PRAGMA temp_store = MEMORY;"

    /// Checks whose file it is, and refuses anything but a store that this build can use.
    private func identify(
        _ connection: SQLiteConnection
    ) throws(EventStoreError) -> SQLiteSchema.Identity {
        let identity: SQLiteSchema.Identity
        do throws(SQLiteFailure) {
            identity = try SQLiteSchema.identity(of: connection)
        } catch  where connection.isReadOnly && Self.lacksSharedMemory(error) {
            throw .unavailable(
                reason: "reading \(path) needs its -wal and -shm files beside it; "
                    + "copy the store to a directory that can be written",
                code: error.code
            )
        } catch {
            throw error.storeError
        }
        switch identity {
        case .foreign:
            throw .foreign(reason: "the file is a SQLite database of another program")
        case .blank where options.access != .createIfMissing:
            throw .foreign(
                reason: "the file is empty, as if creating the store was interrupted; "
                    + "'workflowctl store init' makes it an empty store"
            )
        case .ours(let version) where version > SQLiteSchema.currentVersion:
            throw .newerSchema(found: version, supported: SQLiteSchema.currentVersion)
        case .blank, .ours:
            return identity
        }
    }

    /// Refuses a store whose lists are those of another workflow.
    private func checkReadModel(_ connection: SQLiteConnection) throws(EventStoreError) {
        let mark = try translated { try connection.text("SELECT read_model FROM store_identity") }
        if let mark, mark != connection.sums.mark {
            throw .foreign(reason: SumStatements.otherModel)
        }
    }

    /// Whether reading failed because the index of the write-ahead log could not be created beside
    /// the file.
    private static func lacksSharedMemory(_ failure: SQLiteFailure) -> Bool {
        failure.primaryCode == SQLITE_CANTOPEN || failure.primaryCode == SQLITE_READONLY
    }

    /// Applies the settings that durability depends on, and reads them back: a setting that was not
    /// applied is an error.
    func makeDurable(_ connection: SQLiteConnection) throws(EventStoreError) {
        let mode = try switchToWriteAheadLog(connection)
        guard mode == "wal" else {
            throw .unavailable(
                reason: "the file system of \(path) does not allow a write-ahead log",
                code: nil
            )
        }
        try translated {
            try connection.execute(
                """
                PRAGMA synchronous = FULL;
                PRAGMA foreign_keys = ON;
                PRAGMA trusted_schema = OFF;
                PRAGMA secure_delete = ON;
                PRAGMA journal_size_limit = \(Self.journalSizeLimit);
                \(Self.temporariesInMemory)
                """
            )
        }
        let synchronous = try translated {
            try connection.integer("PRAGMA synchronous")
        }
        let foreignKeys = try translated {
            try connection.integer("PRAGMA foreign_keys")
        }
        // Without it, deleted data remains readable in the file.
        let secureDelete = try translated {
            try connection.integer("PRAGMA secure_delete")
        }
        let temporaries = try translated {
            try connection.integer("PRAGMA temp_store")
        }
        guard synchronous == 2, foreignKeys == 1, secureDelete == 1, temporaries == 2 else {
            throw .unavailable(
                reason:
                    "SQLite refused synchronous=FULL, foreign_keys, secure_delete or temp_store",
                code: nil
            )
        }
    }

    /// Switches the journal mode, which SQLite refuses at once (without the busy timeout) while
    /// another process does the same.
    private func switchToWriteAheadLog(
        _ connection: SQLiteConnection
    ) throws(EventStoreError) -> String? {
        let deadline = ContinuousClock.now + options.busyTimeout
        while true {
            do throws(SQLiteFailure) {
                return try connection.text("PRAGMA journal_mode = WAL")
            } catch  where error.primaryCode == SQLITE_BUSY && ContinuousClock.now < deadline {
                usleep(1000)
            } catch {
                throw error.storeError
            }
        }
    }
}
