internal import EventLog

/// The tables of a store in PostgreSQL, and their migrations.
///
/// Keys are UUIDs that begin with the time: `events` can be partitioned by range or hash of its
/// first column.
enum PostgreSQLSchema {
    /// The changes of each schema version to the one before; forward only, never edited after a
    /// release.
    static func migrations(_ lists: PostgreSQLLists) -> [[String]] {
        [
            [lists.columns.writtenTable] + tables + identity(lists) + lists.tables + searchTables
                + PostgreSQLCheckpoints.tables + PostgreSQLDictionaries.tables
        ]
    }

    private static let tables = [
        "CREATE INDEX sessions_opened ON sessions (opened_at)",
        "CREATE INDEX sessions_due ON sessions (due_at, id) WHERE due_at IS NOT NULL",
        "CREATE INDEX sessions_address ON sessions (address_fp) WHERE address_fp IS NOT NULL",
        // The session of an address: the primary key makes two sessions for one address impossible.
        "CREATE TABLE addresses (fp BYTEA PRIMARY KEY, session UUID NOT NULL)",
        // An erasure, or a new master key, finds a session's addresses without reading all of them.
        "CREATE INDEX addresses_session ON addresses (session)",
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
            mac BYTEA,
            PRIMARY KEY (session, seq)
        )
        """,
        "CREATE INDEX events_position ON events (position)",
        // The log position of the newest record in each lane. An append locks the lane's row until
        // the commit: log positions are assigned in commit order, without gaps, so that a reader
        // that continues from a position cannot miss a record.
        """
        CREATE TABLE log_end (
            only_row BIGINT PRIMARY KEY CHECK (only_row BETWEEN 1 AND \(LogCursor.maximumLanes + 1)),
            position BIGINT NOT NULL
        )
        """,
        "INSERT INTO log_end VALUES (1, 0)",
        "CREATE TABLE session_keys (session UUID PRIMARY KEY REFERENCES sessions (id), wrapped BYTEA NOT NULL)",
        // `takes` says whether a node adopts due sessions, so that other nodes may hand some of
        // theirs to it.
        """
        CREATE TABLE nodes (
            id BIGINT PRIMARY KEY,
            name TEXT NOT NULL,
            started_at BIGINT NOT NULL,
            until BIGINT NOT NULL,
            takes BIGINT NOT NULL DEFAULT 0
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
    ]

    /// The store itself, with its number of lanes and the mark of its read model.
    private static func identity(_ lists: PostgreSQLLists) -> [String] {
        [
            """
            CREATE TABLE store_identity (
                only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
                id TEXT NOT NULL,
                epoch BIGINT NOT NULL,
                remembered BIGINT NOT NULL,
                server TEXT,
                lanes BIGINT NOT NULL,
                read_model TEXT NOT NULL
            )
            """,
            """
            INSERT INTO store_identity VALUES
                (1, replace(gen_random_uuid()::text, '-', ''), 1, 0, NULL, 1, '\(lists.sums.mark)')
            """,
        ]
    }

    /// The search terms, and up to where the log is indexed.
    private static let searchTables = [
        // Terms are compared byte by byte, whatever the database's collation is.
        """
        CREATE TABLE search_terms (term TEXT COLLATE "C" NOT NULL, session UUID NOT NULL,
            PRIMARY KEY (term, session))
        """,
        "CREATE INDEX search_terms_session ON search_terms (session)",
        """
        CREATE TABLE search_progress (
            only_row BIGINT PRIMARY KEY CHECK (only_row = 1), mark TEXT NOT NULL, position BIGINT NOT NULL,
            lanes BIGINT[])
        """,
    ]

    /// The version that this build writes.
    static let currentVersion = 1

    /// Creates the table with the schema version: one row, which is locked while a version is
    /// applied.
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
    /// All tables and sequences of a store, of any version.
    private static let names = [
        "addresses", "checkpoint_leaves", "checkpoints", "deliveries", "events",
        "lease_tokens", "leases", "listed_progress", "listed_sessions", "listed_sums", "log_end",
        "nodes", "record_dictionaries", "search_progress", "search_terms", "session_keys",
        "sessions",
        "store_identity",
    ]
    /// A name that is missing, although the version requires it.
    private static let missing = PQStatement(
        "schema_missing",
        "SELECT min(name) FROM unnest($1) AS n (name) WHERE to_regclass(name) IS NULL",
        .texts
    )
    private static let version = PQStatement(
        "schema_version",
        "SELECT version FROM payment_workflow_schema"
    )

    /// Checks what a database contains, and upgrades it to the current schema if permitted and
    /// needed.
    ///
    /// A current schema is not changed at all, so that a role that only appends needs no right to
    /// create tables.
    static func prepare(
        _ connection: PQConnection,
        _ lists: PostgreSQLLists,
        _ options: PostgreSQLOptions
    ) async throws(EventStoreError) {
        let mayChange = options.access == .createIfMissing
        guard let lanes = PostgreSQLLanes(options.lanes) else { throw .limit(name: "lanes") }
        var known = try await version(on: connection)
        do throws(PQFailure) {
            if known == nil, mayChange { try await make(connection) }
            if known ?? 0 < currentVersion, mayChange {
                try await migrate(connection, lanes, by: migrations(lists))
            }
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
                    + "'workflowctl store migrate' updates it",
                code: nil
            )
        }
        do throws(PQFailure) {
            let rows = try await connection.run([PQCommand(missing, .texts(names))]).first
            guard let name = rows?.text(0, 0) else { return }
            throw PQFailure(
                .refused(state: "XX001"),
                "the store lacks its table \(name), as after a partial restore; restore all of it"
            )
        } catch {
            throw error.storeError
        }
    }

    /// Returns the schema version of a database; `nil` when it contains no store.
    ///
    /// - Throws: ``EventStoreError/foreign(reason:)`` when another program has tables of these
    ///   names.
    static func version(on connection: PQConnection) async throws(EventStoreError) -> Int? {
        do throws(PQFailure) {
            var found = try await connection.run([PQCommand(exists, .texts(names))]).first
            if found?.text(0, 1) != nil, found?.integer(0, 0) != 1 {
                // Another process may have created both between the two reads of the statement.
                found = try await connection.run([PQCommand(exists, .texts(names))]).first
            }
            if found?.integer(0, 0) == 1 {
                let rows = try await connection.run([PQCommand(version)]).first
                return Int(clamping: rows?.integer(0, 0) ?? 0)
            }
            if let taken = found?.text(0, 1) {
                throw PQFailure(
                    .refused(state: "42P07"),
                    "the database contains \(taken), which belongs to another program"
                )
            }
            return nil
        } catch {
            throw error.storeError
        }
    }

    /// Creates the version table, retrying when another process creates it at the same time.
    static func make(_ connection: PQConnection) async throws(PQFailure) {
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

    /// Applies each missing version in its own transaction: a step succeeds only if its version is
    /// still the next one, and the row is locked until the commit, so that one of several processes
    /// applies it.
    ///
    /// A new store gets the given lanes.
    static func migrate(
        _ connection: PQConnection,
        _ lanes: PostgreSQLLanes,
        by migrations: [[String]]
    ) async throws(PQFailure) {
        for version in 1...migrations.count {
            let lock = PQStatement(
                "schema_lock",
                "SELECT version FROM payment_workflow_schema FOR UPDATE"
            )
            let known = try await connection.run([PQCommand(lock)]).first?.integer(0, 0) ?? 0
            guard known < version else { continue }
            // Divides by zero, and so undoes everything, when another process has applied the
            // version meanwhile.
            let step = PQStatement(
                "schema_step_\(version)",
                "UPDATE payment_workflow_schema SET version = \(version) / (CASE WHEN version = \(version - 1) THEN 1 ELSE 0 END)"
            )
            let creation = version == 1 ? lanes.creation : []
            let statements = (migrations[version - 1] + creation).enumerated().map { index, sql in
                PQCommand(PQStatement("schema_\(version)_\(index)", sql).ofWholeTables)
            }
            try await apply([PQCommand(step)] + statements, on: connection)
        }
    }

    /// The maximum number of tries of a step that deadlocks with readers of the tables.
    private static let tries = 5

    private static func apply(
        _ step: [PQCommand],
        on connection: PQConnection
    ) async throws(PQFailure) {
        for attempt in 1...tries {
            do throws(PQFailure) {
                _ = try await connection.run(step)
                return
            } catch  where error.state == "22012" {
                return
            } catch  where error.isBadLuck && attempt < tries {
                continue
            }
        }
    }

    private static let foundLanes = PQStatement(
        "schema_lanes",
        """
        SELECT \(PostgreSQLLanes.ends),
            (SELECT string_agg(only_row::text, ',' ORDER BY only_row) FROM log_end)
        """
    )

    private static let laneCount = PQStatement(
        "schema_lane_count",
        "SELECT lanes, read_model FROM store_identity"
    )

    private static let countedLanes = PQStatement(
        "schema_counted_lanes",
        "SELECT count(*) FROM log_end"
    )

    /// Returns the number of lanes that a store has; `nil` when there is no store.
    static func laneCount(on connection: PQConnection) async throws(EventStoreError) -> Int? {
        guard let known = try await version(on: connection), (1...currentVersion).contains(known)
        else { return nil }
        do throws(PQFailure) {
            let found = try await connection.run([PQCommand(countedLanes)]).first
            return found?.integer(0, 0).map { Int(clamping: $0) }
        } catch {
            throw error.storeError
        }
    }

    /// Returns the lanes of a store.
    ///
    /// - Throws: ``EventStoreError/corrupt(stream:sequence:reason:)`` when some are missing:
    ///   sessions would continue in other lanes;
    ///   ``EventStoreError/foreign(reason:)`` for a store with another read model.
    static func lanes(
        on connection: PQConnection,
        of lists: PostgreSQLLists
    ) async throws(EventStoreError) -> PostgreSQLLanes {
        do throws(PQFailure) {
            let found = try await connection.run([PQCommand(foundLanes)])[0]
            let lanes = PostgreSQLLanes(ends: found.text(0, 0), rows: found.text(0, 1))
            let identity = try await connection.run([PQCommand(laneCount)])[0]
            if identity.count > 0, identity.text(0, 1) != lists.sums.mark {
                throw PQFailure(.refused(state: "42P07"), SumStatements.otherModel)
            }
            let count = identity.integer(0, 0)
            guard let lanes, count == Int64(lanes.count) else {
                throw PQFailure(
                    .refused(state: "XX001"),
                    "the table log_end does not have the rows of all lanes, as after a partial "
                        + "restore; restore all of it"
                )
            }
            return lanes
        } catch {
            throw error.storeError
        }
    }
}
