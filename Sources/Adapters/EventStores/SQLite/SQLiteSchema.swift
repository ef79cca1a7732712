internal import CSQLite
internal import EventLog

/// The tables of a store, and their migrations.
enum SQLiteSchema {
    /// The application ID of a store in the database header: `PAYW` in ASCII.
    static let applicationID: Int64 = 0x5041_5957

    /// The application ID of a scratch store: `PAYS`; builds that do not know scratch stores refuse
    /// such files.
    static let scratchID: Int64 = 0x5041_5953

    /// The changes of each schema version to the one before; forward only, never edited after a
    /// release.
    static func migrations(_ sums: SumStatements) -> [String] {
        [
            [
                log(sums.columns), companions(sums), lists(sums.columns), sums.table + ";",
                SQLiteDictionaries.table, "PRAGMA application_id = \(applicationID);",
            ].joined(separator: "\n")
        ]
    }

    /// The log, and what engines find sessions by.
    ///
    /// The integer keys and the ordinary (rowid) tables make appending fast: a record is added at
    /// the end of the table and to one small index, whatever its session's identity looks like. A
    /// session's row is written with its records, and has only the indexes that engines need: those
    /// for lists are in a copy of it.
    private static func log(_ columns: SessionColumns) -> String {
        """
        \(columns.writtenTable);
        CREATE INDEX sessions_opened ON sessions (opened_at);
        CREATE INDEX sessions_due ON sessions (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX sessions_address ON sessions (address_fp) WHERE address_fp IS NOT NULL;

        CREATE TABLE events (
            position INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES sessions (key),
            seq INTEGER NOT NULL,
            type TEXT NOT NULL,
            at INTEGER NOT NULL,
            record BLOB NOT NULL,
            prev BLOB NOT NULL,
            hash BLOB NOT NULL,
            seals BLOB,
            mac BLOB,
            UNIQUE (session, seq)
        );

        CREATE TABLE session_keys (
            session INTEGER PRIMARY KEY REFERENCES sessions (key),
            wrapped BLOB NOT NULL
        );
        """
    }

    /// What follows from the log or says something of the store: deliveries, checkpoints, search
    /// terms, and the store's identity.
    ///
    /// Leaves of checkpoints name their session by its identifier, so that they still identify
    /// sessions whose rows are gone.
    private static func companions(_ sums: SumStatements) -> String {
        """
        CREATE TABLE deliveries (
            session INTEGER NOT NULL REFERENCES sessions (key),
            consumer TEXT NOT NULL,
            position INTEGER NOT NULL,
            dropped INTEGER NOT NULL,
            worker INTEGER,
            claimed_until INTEGER,
            PRIMARY KEY (session, consumer)
        ) WITHOUT ROWID;

        CREATE TABLE checkpoint_leaves (
            place INTEGER PRIMARY KEY,
            stream TEXT NOT NULL,
            seq INTEGER NOT NULL,
            hash BLOB NOT NULL
        );
        CREATE INDEX checkpoint_leaves_stream ON checkpoint_leaves (stream);

        CREATE TABLE checkpoints (
            size INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            root BLOB NOT NULL,
            public_key BLOB NOT NULL,
            signature BLOB NOT NULL,
            position INTEGER NOT NULL,
            peaks BLOB NOT NULL
        );

        CREATE TABLE store_identity (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            id TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            remembered INTEGER NOT NULL,
            read_model TEXT NOT NULL
        );
        INSERT INTO store_identity
            VALUES (1, lower(hex(randomblob(16))), 1, 0, '\(sums.mark)');

        CREATE TABLE search_terms (
            term TEXT NOT NULL,
            session INTEGER NOT NULL REFERENCES sessions (key),
            PRIMARY KEY (term, session)
        ) WITHOUT ROWID;
        CREATE INDEX search_terms_session ON search_terms (session);
        CREATE TABLE search_progress (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            mark TEXT NOT NULL,
            position INTEGER NOT NULL
        );
        """
    }

    /// The rows of sessions once more, for lists and sums, so that these read no logs; there is an
    /// index for each value that few sessions have.
    ///
    /// ``SQLiteLists`` copies them, and notes up to which log position.
    private static func lists(_ columns: SessionColumns) -> String {
        """
        \(([columns.listedTable] + columns.indexes).joined(separator: ";\n"));
        CREATE TABLE listed_progress (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            position INTEGER NOT NULL
        );
        INSERT INTO listed_progress VALUES (1, 0);
        """
    }

    /// SQLite's message for a write to a store whose sessions were moved.
    static let movedMark = "moved"

    /// Refuses every further event and session from any writer, also on connections that are
    /// already open.
    static let closing = """
        CREATE TABLE IF NOT EXISTS moved (target TEXT NOT NULL);
        CREATE TRIGGER IF NOT EXISTS moved_events BEFORE INSERT ON events
            BEGIN SELECT RAISE(ABORT, '\(movedMark)'); END;
        CREATE TRIGGER IF NOT EXISTS moved_sessions BEFORE INSERT ON sessions
            BEGIN SELECT RAISE(ABORT, '\(movedMark)'); END;
        """

    /// The version that this build writes.
    static let currentVersion = 1

    /// The kind of a file, before it is used.
    enum Identity: Equatable {
        /// A database without any table, which can become a store.
        case blank
        /// A store of this schema version.
        case ours(version: Int)
        /// A database of another application.
        case foreign
    }

    /// Determines the kind of a file, without writing to it.
    ///
    /// It uses one transaction, since another process may be converting the file to a store between
    /// any two reads.
    static func identity(of connection: SQLiteConnection) throws(SQLiteFailure) -> Identity {
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let version = try connection.integer("PRAGMA user_version") ?? 0
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        if application == applicationID || application == scratchID, version > 0 {
            return .ours(version: Int(clamping: version))
        }
        return application == 0 && version == 0 && tables == 0 ? .blank : .foreign
    }

    /// Upgrades a file to the current schema, one version per transaction.
    ///
    /// Several processes may do so at once: each checks again under the lock before it applies a
    /// version.
    static func migrate(
        _ connection: SQLiteConnection,
        by migrations: [String]
    ) throws(SQLiteFailure) {
        for version in 1...migrations.count {
            try connection.execute("BEGIN EXCLUSIVE")
            do throws(SQLiteFailure) {
                if try connection.integer("PRAGMA user_version") ?? 0 < Int64(version) {
                    try connection.execute(migrations[version - 1])
                    try connection.execute("PRAGMA user_version = \(version)")
                }
                try connection.execute("COMMIT")
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }
}
