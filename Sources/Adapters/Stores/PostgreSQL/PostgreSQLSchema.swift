internal import EventLog
internal import SwedbankPay

/// The tables of a store in PostgreSQL, and how a database comes to have them.
///
/// Keys are UUIDs that begin with the time: `events` can be divided by ranges or hashes of its first column.
enum PostgreSQLSchema {
    /// What each schema version adds to the one before; forward only, never edited after a release.
    static let migrations: [[String]] = [
        [
            """
            CREATE TABLE sessions (
                id UUID PRIMARY KEY,
                phase TEXT NOT NULL,
                outcome TEXT,
                settled BIGINT NOT NULL,
                last_seq BIGINT NOT NULL,
                opened_at BIGINT NOT NULL,
                last_at BIGINT NOT NULL,
                reference TEXT,
                instrument TEXT,
                problem TEXT,
                due_at BIGINT,
                address_fp BYTEA
            )
            """,
            "CREATE INDEX sessions_opened ON sessions (opened_at)",
            "CREATE INDEX sessions_due ON sessions (due_at, id) WHERE due_at IS NOT NULL",
            "CREATE INDEX sessions_reference ON sessions (reference) WHERE reference IS NOT NULL",
            "CREATE INDEX sessions_address ON sessions (address_fp) WHERE address_fp IS NOT NULL",
            // Which session an address belongs to: the key is what makes two sessions of one address impossible.
            "CREATE TABLE addresses (fp BYTEA PRIMARY KEY, session UUID NOT NULL)",
            """
            CREATE TABLE events (
                session UUID NOT NULL,
                seq BIGINT NOT NULL,
                position BIGINT NOT NULL,
                type TEXT NOT NULL,
                at BIGINT NOT NULL,
                record BYTEA NOT NULL,
                prev BYTEA NOT NULL,
                hash BYTEA NOT NULL,
                seals BYTEA,
                PRIMARY KEY (session, seq)
            )
            """,
            "CREATE INDEX events_position ON events (position)",
            // The place of the newest record. Whoever appends holds this row until the commit: places are given in the order
            // of the commits, without gaps, so that nobody who reads on from a place can miss a record.
            "CREATE TABLE log_end (only_row BIGINT PRIMARY KEY CHECK (only_row = 1), position BIGINT NOT NULL)",
            "INSERT INTO log_end VALUES (1, 0)",
            "CREATE TABLE session_keys (session UUID PRIMARY KEY REFERENCES sessions (id), wrapped BYTEA NOT NULL)",
            """
            CREATE TABLE nodes (
                id BIGINT PRIMARY KEY,
                name TEXT NOT NULL,
                started_at BIGINT NOT NULL,
                until BIGINT NOT NULL
            )
            """,
            "CREATE TABLE leases (session UUID PRIMARY KEY, node BIGINT NOT NULL, token BIGINT NOT NULL)",
            "CREATE INDEX leases_node ON leases (node)",
            "CREATE SEQUENCE lease_tokens",
            """
            CREATE TABLE deliveries (
                session UUID NOT NULL REFERENCES sessions (id),
                consumer TEXT NOT NULL,
                position BIGINT NOT NULL,
                dropped BIGINT NOT NULL,
                worker BIGINT,
                claimed_until BIGINT,
                PRIMARY KEY (session, consumer)
            )
            """,
        ],
        // Whether a node takes up sessions that something is due for, so that others may hand it some of theirs.
        ["ALTER TABLE nodes ADD COLUMN takes BIGINT NOT NULL DEFAULT 0"],
        PostgreSQLCheckpoints.tables,
        // Records of earlier builds have no MAC, and their sessions none of where they end. What was there before was opened
        // here, as far as anybody can tell.
        [
            "ALTER TABLE events ADD COLUMN mac BYTEA",
            "ALTER TABLE sessions ADD COLUMN head_mac BYTEA, ADD COLUMN imported BIGINT NOT NULL DEFAULT 0",
        ],
        [
            """
            CREATE TABLE store_identity (
                only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
                id TEXT NOT NULL,
                epoch BIGINT NOT NULL,
                remembered BIGINT NOT NULL,
                server TEXT
            )
            """,
            """
            INSERT INTO store_identity VALUES (1, replace(gen_random_uuid()::text, '-', ''), 1, 0, NULL)
            """,
        ],
        PostgreSQLFacts.tables,
    ]

    /// The version that this build writes.
    static var currentVersion: Int { migrations.count }

    /// Makes the table that says which version there is; one row, which is locked while a version is applied.
    private static let beginning = PQStatement(
        "schema_begin",
        "CREATE TABLE IF NOT EXISTS payment_workflow_schema (only_row BIGINT PRIMARY KEY CHECK (only_row = 1), version BIGINT NOT NULL)"
    )
    private static let firstRow = PQStatement(
        "schema_first_row",
        "INSERT INTO payment_workflow_schema VALUES (1, 0) ON CONFLICT DO NOTHING"
    )
    private static let exists = PQStatement(
        "schema_exists",
        """
        SELECT to_regclass('payment_workflow_schema') IS NOT NULL,
            (SELECT min(name) FROM unnest($1) AS n (name) WHERE to_regclass(name) IS NOT NULL)
        """,
        .texts
    )
    /// Everything that a store makes, in any version.
    private static let names = [
        "addresses", "checkpoint_leaves", "checkpoints", "deliveries", "events", "lease_tokens",
        "leases", "log_end", "nodes", "search_progress", "search_terms", "session_keys", "sessions",
        "store_identity",
    ]
    /// What of it is not there, though the version says that it has to be.
    private static let missing = PQStatement(
        "schema_missing",
        "SELECT min(name) FROM unnest($1) AS n (name) WHERE to_regclass(name) IS NULL",
        .texts
    )
    private static let version = PQStatement(
        "schema_version",
        "SELECT version FROM payment_workflow_schema"
    )

    /// Looks what a database is, and brings it to the current schema where that is allowed and needed.
    ///
    /// Where nothing has to be changed, nothing is: whoever only appends needs no right to make tables.
    static func prepare(
        _ connection: PQConnection,
        _ access: StoreAccess
    ) async throws(EventStoreError) {
        let mayChange = access == .createIfMissing
        var known = try await version(on: connection)
        do throws(PQFailure) {
            if known == nil, mayChange { try await make(connection) }
            if known ?? 0 < currentVersion, mayChange { try await migrate(connection) }
        } catch {
            throw error.storeError
        }
        if known ?? 0 < currentVersion, mayChange { known = try await version(on: connection) }
        guard let known else { throw .noTables }
        guard known <= currentVersion else {
            throw .newerSchema(found: known, supported: currentVersion)
        }
        guard known == currentVersion else {
            throw .unavailable(
                reason:
                    "the store has schema version \(known), this build needs \(currentVersion); "
                    + "'workflowctl store migrate' brings it there",
                code: nil
            )
        }
        do throws(PQFailure) {
            let rows = try await connection.run([PQCommand(missing, .texts(names))]).first
            guard let name = rows?.text(0, 0) else { return }
            throw PQFailure(
                .refused(state: "XX001"),
                "the store lacks its table \(name), as after a restore of a part; restore all of it"
            )
        } catch {
            throw error.storeError
        }
    }

    /// The schema version of a database; nothing when there is no store in it.
    ///
    /// - Throws: ``EventStoreError/foreign(reason:)`` when another program has tables of these names.
    static func version(on connection: PQConnection) async throws(EventStoreError) -> Int? {
        do throws(PQFailure) {
            var found = try await connection.run([PQCommand(exists, .texts(names))]).first
            if found?.text(0, 1) != nil, found?.integer(0, 0) != 1 {
                // Both may have been made by another process between the two looks of the statement.
                found = try await connection.run([PQCommand(exists, .texts(names))]).first
            }
            if found?.integer(0, 0) == 1 {
                let rows = try await connection.run([PQCommand(version)]).first
                return Int(clamping: rows?.integer(0, 0) ?? 0)
            }
            if let taken = found?.text(0, 1) {
                throw PQFailure(
                    .refused(state: "42P07"),
                    "the database has something named \(taken) of another program"
                )
            }
            return nil
        } catch {
            throw error.storeError
        }
    }

    /// Two processes that make the table at the same time trip over each other's names: who loses looks again.
    private static func make(_ connection: PQConnection) async throws(PQFailure) {
        var tries = 0
        while true {
            do throws(PQFailure) {
                _ = try await connection.run([PQCommand(beginning), PQCommand(firstRow)])
                return
            } catch
                where tries < 10
                && (["23505", "42P07", "42710"].contains(error.state) || error.isBadLuck)
            {
                tries += 1
            }
        }
    }

    /// One version a transaction: the step succeeds only where its version is still the next one, and the row is locked until
    /// the commit, so that of several processes one applies it.
    private static func migrate(_ connection: PQConnection) async throws(PQFailure) {
        for version in 1...currentVersion {
            let lock = PQStatement(
                "schema_lock",
                "SELECT version FROM payment_workflow_schema FOR UPDATE"
            )
            let known = try await connection.run([PQCommand(lock)]).first?.integer(0, 0) ?? 0
            guard known < version else { continue }
            // Divides by zero, and so undoes everything, when another process has been here meanwhile.
            let step = PQStatement(
                "schema_step_\(version)",
                "UPDATE payment_workflow_schema SET version = \(version) / (CASE WHEN version = \(version - 1) THEN 1 ELSE 0 END)"
            )
            let statements = migrations[version - 1].enumerated().map { index, sql in
                PQCommand(PQStatement("schema_\(version)_\(index)", sql))
            }
            do throws(PQFailure) {
                _ = try await connection.run([PQCommand(step)] + statements)
            } catch  where error.state == "22012" {
                continue
            }
        }
    }
}
