internal import CSQLite
internal import SwedbankPay

/// The tables of a store, and how a file comes to have them.
enum SQLiteSchema {
    /// `PAYW` in ASCII, in the database header: the file is one of ours.
    static let applicationID: Int64 = 0x5041_5957

    /// `PAYS`: the same, but for what is tried out; a build that does not know of such files takes none for its own.
    static let scratchID: Int64 = 0x5041_5953

    /// What each schema version adds to the one before; forward only, never edited after a release.
    ///
    /// The integer keys and the ordinary (rowid) tables are what makes appending fast: a record goes to the end of
    /// the table and into one small index, whatever the identity of its session looks like.
    static let migrations: [String] = [
        """
        CREATE TABLE sessions (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            phase TEXT NOT NULL,
            outcome TEXT,
            settled INTEGER NOT NULL,
            last_seq INTEGER NOT NULL,
            opened_at INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            reference TEXT,
            instrument TEXT,
            problem TEXT,
            due_at INTEGER,
            address_fp BLOB
        );
        CREATE INDEX sessions_opened ON sessions (opened_at);
        CREATE INDEX sessions_due ON sessions (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX sessions_reference ON sessions (reference) WHERE reference IS NOT NULL;
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
            UNIQUE (session, seq)
        );

        CREATE TABLE session_keys (
            session INTEGER PRIMARY KEY REFERENCES sessions (key),
            wrapped BLOB NOT NULL
        );

        PRAGMA application_id = \(applicationID);
        """,
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
        """,
        // Leaves name their session by its identity, so that they tell of a session whose rows are gone.
        """
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
        """,
        // Records of earlier builds have no MAC, and their sessions none of where they end. What was there before was opened
        // here, as far as anybody can tell.
        """
        ALTER TABLE events ADD COLUMN mac BLOB;
        ALTER TABLE sessions ADD COLUMN head_mac BLOB;
        ALTER TABLE sessions ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
        """,
        """
        CREATE TABLE store_identity (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            id TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            remembered INTEGER NOT NULL
        );
        INSERT INTO store_identity VALUES (1, lower(hex(randomblob(16))), 1, 0);
        """,
    ]

    /// What SQLite says when somebody writes to a store whose sessions were moved.
    static let movedMark = "moved"

    /// Refuses every further event and session, whoever writes them, also by a connection that is open.
    static let closing = """
        CREATE TABLE IF NOT EXISTS moved (target TEXT NOT NULL);
        CREATE TRIGGER IF NOT EXISTS moved_events BEFORE INSERT ON events
            BEGIN SELECT RAISE(ABORT, '\(movedMark)'); END;
        CREATE TRIGGER IF NOT EXISTS moved_sessions BEFORE INSERT ON sessions
            BEGIN SELECT RAISE(ABORT, '\(movedMark)'); END;
        """

    /// The version that this build writes.
    static var currentVersion: Int { migrations.count }

    /// What a file is, before anything is done to it.
    enum Identity: Equatable {
        /// A database without any table: to be made ours.
        case blank
        /// One of ours, of this schema version.
        case ours(version: Int)
        /// A database of somebody else.
        case foreign
    }

    /// Looks what a file is; writes nothing.
    ///
    /// One transaction, since another process may be making the file a store between any two looks.
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

    /// Brings a file to the current schema, one version a transaction.
    ///
    /// Several processes may do so at once: each looks again under the lock before it applies a version.
    static func migrate(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        for version in 1...currentVersion {
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
