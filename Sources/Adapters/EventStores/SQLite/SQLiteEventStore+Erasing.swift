internal import CSQLite
public import EventLog
internal import Glibc

/// Destroyed data keys, for removing their remains.
public struct DestroyedKeys: Sendable {
    /// The sessions whose key existed and was destroyed.
    public var sessions: [SessionID] = []
    /// The bytes by which the wrapped keys are recognized.
    var pieces: [[UInt8]] = []
    /// Whether other keys were destroyed before, whose bytes are no longer known.
    var hasUnknown = false

    /// Creates an empty value, for completing a removal that was started elsewhere.
    public init() {}

    /// Adds keys that were destroyed later.
    public mutating func merge(_ others: DestroyedKeys) {
        // Later calls find the earlier keys overwritten, but those are known here.
        if sessions.isEmpty { hasUnknown = others.hasUnknown }
        sessions += others.sessions
        pieces += others.pieces
    }

    /// Creates a value for everything that former master keys wrapped.
    public init(wrappedBy identities: [MasterKeyIdentity]) {
        pieces = identities.map(\.wrappedPrefix)
    }
}

/// The outcome of removing the traces of destroyed keys from the files of a store.
public enum TraceRemoval: Hashable, Sendable {
    /// No file of the store contains them any more.
    case done
    /// The keys are destroyed, but older copies may still be in a file; why, and how to continue.
    case postponed(reason: String)
    /// The keys are destroyed, but the store cannot guarantee that no older copy is left; what to
    /// do about it.
    case outOfReach(reason: String)
}

extension SQLiteEventStore {
    /// Destroys the data keys of sessions, after which the sealed values in their logs can never be
    /// opened again.
    ///
    /// The keys are overwritten in place. Older copies may be left in the write-ahead log and
    /// elsewhere in the file: ``removeTraces(of:within:)`` removes those, now or, after a crash,
    /// whenever it is called next. The fingerprint of the session's address is removed with the
    /// key, and nothing of the session is due any more.
    ///
    /// Hold the sessions' leases meanwhile, so that no engine works on them.
    public func destroyKeys(
        of sessions: [SessionID]
    ) async throws(EventStoreError) -> DestroyedKeys {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.transaction { connection in
            var destroyed = DestroyedKeys()
            destroyed.hasUnknown = try Self.hasOverwrittenKeys(connection)
            let find = try connection.statement(
                SQLiteRows.usableKey + " AND session = (SELECT key FROM sessions WHERE id = ?1)"
            )
            let overwrite = try connection.statement(
                """
                UPDATE session_keys SET wrapped = zeroblob(length(wrapped))
                WHERE session = (SELECT key FROM sessions WHERE id = ?1)
                """
            )
            let clear = try ["sessions", "listed_sessions"].map { table in
                try connection.statement(
                    "UPDATE \(table) SET address_fp = NULL, due_at = NULL WHERE id = ?1"
                )
            }
            let forget = try connection.statement(Self.forgetTerms)
            for session in sessions {
                find.bind(text: session.description, at: 1)
                let wrapped = try find.step() ? find.bytes(0) : nil
                find.reset()
                guard let wrapped else { continue }
                for statement in [overwrite, forget] + clear {
                    statement.bind(text: session.description, at: 1)
                    try statement.run()
                }
                destroyed.sessions.append(session)
                destroyed.pieces += SQLiteTraces.pieces(ofWrapped: wrapped)
            }
            return destroyed
        }
    }

    /// Removes the remains of destroyed keys from the files of the store.
    ///
    /// The write-ahead log is moved into the database and truncated, which waits for all readers.
    /// Then the database is searched, and rewritten (`VACUUM`) when a copy is found in space that
    /// SQLite no longer uses, or when a process destroyed keys without getting this far.
    ///
    /// - Parameters:
    ///   - destroyed: The keys.
    ///   - patience: How long to wait for other readers and writers.
    /// - Returns: Whether this is done; if not, call it again later, from any process, with
    ///   ``DestroyedKeys/init()``.
    /// - Throws: ``EventStoreError``.
    public func removeTraces(
        of destroyed: DestroyedKeys,
        within patience: Duration = .seconds(10)
    ) async throws(EventStoreError) -> TraceRemoval {
        guard !isReadOnly else { throw .readOnly }
        let deadline = ContinuousClock.now + patience
        return try await writer.work { connection in
            let isSearched = destroyed.pieces.count <= SQLiteTraces.mostPieces
            let wasUnfinished =
                try destroyed.hasUnknown || !isSearched
                || destroyed.sessions.isEmpty && Self.hasOverwrittenKeys(connection)
            let traces = SQLiteTraces(of: isSearched ? destroyed.pieces : [])
            guard try Self.cutLog(connection, until: deadline) else { return Self.blocked }
            if try wasUnfinished || traces.areFound(in: connection) {
                do throws(SQLiteFailure) {
                    // The copy may be larger than the memory; it contains what the store contains,
                    // and no secret in the clear.
                    try connection.execute("PRAGMA temp_store = FILE; VACUUM")
                    try connection.execute(SQLiteOpening.temporariesInMemory)
                } catch {
                    try connection.execute(SQLiteOpening.temporariesInMemory)
                    return .postponed(
                        reason:
                            "rewriting the store failed (\(error.storeError.code)); it needs "
                            + "as much free space as the size of the store"
                    )
                }
                guard try Self.cutLog(connection, until: deadline) else { return Self.blocked }
                guard try !traces.areFound(in: connection) else {
                    return .postponed(reason: "another process wrote an older copy of the page")
                }
            }
            try connection.execute("BEGIN IMMEDIATE")
            try connection.execute(
                "DELETE FROM session_keys WHERE wrapped = zeroblob(length(wrapped)); COMMIT"
            )
            _ = try Self.cutLog(connection, until: deadline)
            return .done
        }
    }

    private static var blocked: TraceRemoval {
        .postponed(reason: "another process was reading the store the whole time")
    }

    private static func hasOverwrittenKeys(
        _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Bool {
        let found = try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM session_keys WHERE wrapped = zeroblob(length(wrapped)))"
        )
        return found == 1
    }

    /// Moves the write-ahead log into the database and truncates it.
    ///
    /// - Returns: `false` when others read or wrote until the deadline.
    private static func cutLog(
        _ connection: SQLiteConnection,
        until deadline: ContinuousClock.Instant
    ) throws(SQLiteFailure) -> Bool {
        while true {
            do throws(SQLiteFailure) {
                if try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 { return true }
            } catch  where error.primaryCode == SQLITE_BUSY || error.primaryCode == SQLITE_LOCKED {
                // Another process is doing the same.
            }
            guard ContinuousClock.now < deadline else { return false }
            usleep(10_000)
        }
    }
}
