internal import CSQLite
internal import SwedbankPay

/// The tables of a store, and their migrations.
enum SQLiteSchema {
    /// The application ID of a store in the database header: `PAYW` in ASCII.
    static let applicationID: Int64 = 0x5041_5957

    /// The application ID of a scratch store: `PAYS`; builds that do not know scratch stores refuse
    /// such files.
    static let scratchID: Int64 = 0x5041_5953

    /// The changes of each schema version to the one before; forward only, never edited after a
    /// release.
    static let migrations: [String] = [
        [
            tables, lists, sums.table + ";", SQLiteDictionaries.table,
            "PRAGMA application_id = \(applicationID);",
        ].joined(separator: "\n")
    ]

    /// The statements on the sums over sessions.
    static let sums = SumStatements(model: .payments, dialect: .sqlite)

    /// The columns of a session's row.
    private static let row = """
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
            address_fp BLOB,
            head_mac BLOB,
            imported INTEGER NOT NULL DEFAULT 0,
            facts_version INTEGER,
            turn TEXT,
            money TEXT,
            money_since INTEGER,
            money_seq INTEGER,
            amount INTEGER,
            net INTEGER,
            currency TEXT,
            host TEXT,
            attempts INTEGER,
            counts_with TEXT,
            marks INTEGER,
            order_reference TEXT,
            doubted INTEGER
        """

    /// The log, and what engines find sessions by.
    ///
    /// The integer keys and the ordinary (rowid) tables make appending fast: a record is added at
    /// the end of the table and to one small index, whatever its session's identity looks like. A
    /// session's row is written with its records, and has only the indexes that engines need: those
    /// for lists are in a copy of it.
    ///
    /// Leaves of checkpoints name their session by its identifier, so that they still identify
    /// sessions whose rows are gone.
    private static let tables = """
        CREATE TABLE sessions (\(row));
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
            remembered INTEGER NOT NULL
        );
        INSERT INTO store_identity VALUES (1, lower(hex(randomblob(16))), 1, 0);

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

    /// The rows of sessions once more, for lists and sums, so that these read no logs; there is an
    /// index for each value that few sessions have.
    ///
    /// ``SQLiteLists`` copies them, and notes up to which log position.
    private static let lists = """
        CREATE TABLE listed_sessions (\(row));
        CREATE INDEX listed_opened ON listed_sessions (opened_at);
        CREATE INDEX listed_reference ON listed_sessions (reference) WHERE reference IS NOT NULL;
        CREATE INDEX listed_open ON listed_sessions (phase, id) WHERE phase <> 'ended';
        CREATE INDEX listed_outcome ON listed_sessions (outcome, id) WHERE outcome <> 'completed';
        CREATE INDEX listed_problem ON listed_sessions (problem, id) WHERE problem IS NOT NULL;
        CREATE INDEX listed_money ON listed_sessions (money, id) WHERE \(isMoneyOpen);
        CREATE INDEX listed_turn ON listed_sessions (turn, id) WHERE turn <> 'nobody';
        CREATE INDEX listed_host ON listed_sessions (host, id) WHERE host IS NOT NULL;
        CREATE INDEX listed_instrument ON listed_sessions (instrument, id)
            WHERE instrument IS NOT NULL;
        CREATE INDEX listed_counts_with ON listed_sessions (counts_with)
            WHERE counts_with IS NOT NULL;
        CREATE INDEX listed_marked ON listed_sessions (id) WHERE marks <> 0;
        CREATE INDEX listed_imported ON listed_sessions (id) WHERE imported = 1;
        CREATE INDEX listed_astray ON listed_sessions (id) WHERE \(SQLDialect.sqlite.isAstray);
        CREATE INDEX listed_without_facts ON listed_sessions (id) WHERE facts_version IS NOT 1;
        CREATE INDEX listed_ending ON listed_sessions (\(ending));
        CREATE INDEX listed_order ON listed_sessions (order_reference)
            WHERE order_reference IS NOT NULL;
        CREATE TABLE listed_progress (
            only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
            position INTEGER NOT NULL
        );
        INSERT INTO listed_progress VALUES (1, 0);
        """

    /// The end of a session's identity, as it is indexed.
    static let ending = "substr(id, -\(IdentityEnding.indexed))"

    /// Whether a row is in the index by money: money may still move, or is unknown.
    ///
    /// For a list of three values (`IN`), SQLite would fill a temporary table each time that a
    /// row's money changes.
    static let isMoneyOpen = "(money = 'intended' OR money = 'underWay' OR money = 'unknown')"

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
    static var currentVersion: Int { migrations.count }

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
        by migrations: [String] = migrations
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
