public import EventLog

extension PostgreSQLEventStore {
    /// Compares the store with what this process and the file ``PostgreSQLOptions/identityFile``
    /// have recorded, without changing anything.
    public func lineage() async throws(EventStoreError) -> StoreLineage {
        try checkOpen()
        let remembered = try watch.remembered()
        do throws(PQFailure) {
            let connection = try await pool.reader()
            let found = try await PostgreSQLLineage(connection).find(remembered)
            return StoreLineage(
                identity: found.identity,
                doubt: found.doubt(against: remembered, isShared: true)
            )
        } catch {
            throw error.storeError
        }
    }

    /// Declares this database the live copy.
    public func adopt() async throws(EventStoreError) -> StoreLineage {
        try checkOpen()
        guard !isReadOnly else { throw .readOnly }
        let memory: StoreMemory
        do throws(PQFailure) {
            let lineage = PostgreSQLLineage(try await pool.writer())
            let identity = try await lineage.beginEpoch()
            memory = StoreMemory(identity: identity, mark: try await lineage.newest())
        } catch {
            throw error.storeError
        }
        try watch.confirm(memory)
        return StoreLineage(identity: memory.identity)
    }

    /// Reads the identity.
    func identity() async throws(EventStoreError) -> StoreIdentity {
        let rows = try await rows(PQCommand(PostgreSQLLineage.identity))[0]
        do throws(PQFailure) {
            return try PostgreSQLLineage.identity(in: rows)
        } catch {
            throw error.storeError
        }
    }

    /// Checks before the first lease and after each doubt whether this database is the live copy.
    ///
    /// - Throws: ``EventStoreError/notAdopted(reason:)``.
    public func confirmLiving() async throws(EventStoreError) {
        try checkOpen()
        guard !isReadOnly else { throw .readOnly }
        guard !watch.isConfirmed else { return }
        let remembered = try watch.remembered()
        let found: FoundStore
        let memory: StoreMemory
        do throws(PQFailure) {
            let lineage = PostgreSQLLineage(try await pool.writer())
            found = try await lineage.find(remembered)
            memory = StoreMemory(identity: found.identity, mark: try await lineage.newest())
            if found.doubt(against: remembered, isShared: true) == nil {
                try await lineage.keep(found)
            }
        } catch {
            throw error.storeError
        }
        if let doubt = found.doubt(against: remembered, isShared: true) { throw doubt.error }
        try watch.confirm(memory)
    }
}

/// Reads and writes the lineage in a PostgreSQL database.
struct PostgreSQLLineage {
    private let connection: PQConnection

    init(_ connection: PQConnection) { self.connection = connection }

    private static let row = PQStatement(
        "lineage_row",
        """
        SELECT id, epoch, remembered, server, \(PostgreSQLLanes.size) FROM store_identity
        """
    )
    static let identity = PQStatement("lineage_identity", "SELECT id, epoch FROM store_identity")

    /// The identity of the server and of the database on it.
    ///
    /// A database restored from a dump has another one; a standby that becomes the primary keeps
    /// it.
    private static let server = PQStatement(
        "lineage_server",
        """
        SELECT (SELECT system_identifier FROM pg_control_system())::text || ':' || oid::text
        FROM pg_database WHERE datname = current_database()
        """
    )
    private static let keeping = PQStatement(
        "lineage_keep",
        "UPDATE store_identity SET remembered = 1, server = coalesce(server, $1)",
        .text
    )
    private static let beginning = PQStatement(
        "lineage_begin",
        """
        UPDATE store_identity SET epoch = epoch + 1, remembered = 1, server = $1
        RETURNING id, epoch
        """,
        .text
    )
    /// One look-up for each lane: the planner takes a table without statistics for a large one, and
    /// would join it with all events.
    static let newest = PQStatement(
        "lineage_newest",
        """
        SELECT session::text, seq, hash FROM log_end CROSS JOIN LATERAL (
            SELECT session, seq, hash, at FROM events WHERE events.position = log_end.position LIMIT 1
        ) AS last ORDER BY at DESC, session LIMIT 1
        """
    )
    private static let mark = PQStatement(
        "lineage_mark",
        "SELECT hash FROM events WHERE session = $1::text::uuid AND seq = $2",
        .text,
        .integer
    )

    func find(_ remembered: StoreMemory.Reading) async throws(PQFailure) -> FoundStore {
        let rows = try await connection.run([PQCommand(Self.row)])[0]
        return FoundStore(
            identity: try Self.identity(in: rows),
            isRemembered: rows.integer(0, 2) == 1,
            birthServer: rows.text(0, 3),
            server: try await serverName(),
            isEmpty: rows.integer(0, 4) == 0,
            hasMark: try await has(remembered.mark)
        )
    }

    /// Whether the database has a record.
    func has(_ mark: LogMark?) async throws(PQFailure) -> Bool {
        guard let mark else { return true }
        let command = PQCommand(Self.mark, .text("\(mark.stream)"), .sequence(mark.sequence))
        let rows = try await connection.run([command]).first
        return rows.map { $0.count == 1 && Digest256(bytes: $0.bytes(0, 0)) == mark.hash } ?? false
    }

    /// The newest record of all lanes; `nil` in an empty store.
    func newest() async throws(PQFailure) -> LogMark? {
        guard let rows = try await connection.run([PQCommand(Self.newest)]).first, rows.count == 1,
            let stream = rows.text(0, 0).flatMap({ SessionID($0) }),
            let sequence = rows.sequence(0, 1), let hash = Digest256(bytes: rows.bytes(0, 2))
        else { return nil }
        return LogMark(stream: stream, sequence: sequence, hash: hash)
    }

    /// Records that the store is driven, and on which server, unless that is recorded already.
    func keep(_ found: FoundStore) async throws(PQFailure) {
        guard !found.isRemembered || (found.birthServer == nil && found.server != nil) else {
            return
        }
        _ = try await connection.run([PQCommand(Self.keeping, .optional(found.server))])
    }

    /// Starts the next epoch on this server.
    func beginEpoch() async throws(PQFailure) -> StoreIdentity {
        let command = PQCommand(Self.beginning, .optional(try await serverName()))
        return try Self.identity(in: try await connection.run([command])[0])
    }

    /// The identity in the first two columns of the only row.
    static func identity(in rows: PQRows) throws(PQFailure) -> StoreIdentity {
        guard rows.count == 1, let id = rows.text(0, 0), let epoch = rows.integer(0, 1),
            let identity = StoreIdentity(id: id, epoch: epoch)
        else {
            throw PQFailure(.refused(state: "XX001"), "the table store_identity has no identity")
        }
        return identity
    }

    /// The server and the database on it; `nil` when the server does not disclose it.
    private func serverName() async throws(PQFailure) -> String? {
        do throws(PQFailure) {
            return try await connection.run([PQCommand(Self.server)]).first?.text(0, 0)
        } catch  where ["42883", "42501", "0A000"].contains(error.state) {
            return nil
        }
    }
}
