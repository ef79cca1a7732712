internal import CSQLite
public import EventLog
internal import Glibc
internal import SwedbankPay

/// Data keys that were destroyed, for removing what may be left of them.
public struct DestroyedKeys: Sendable {
    /// The sessions whose key was there and is destroyed.
    public var sessions: [SessionID] = []
    /// The bytes by which their wrapped keys are recognised.
    var pieces: [[UInt8]] = []
    /// Whether others were destroyed before, of which nobody knows the bytes any more.
    var hasUnknown = false

    /// Nothing that is known: for finishing what was begun elsewhere.
    public init() {}

    /// These and others, which were destroyed after them.
    public mutating func merge(_ others: DestroyedKeys) {
        // Later ones find the earlier ones overwritten: nothing that is unknown.
        if sessions.isEmpty { hasUnknown = others.hasUnknown }
        sessions += others.sessions
        pieces += others.pieces
    }

    /// Everything that a former master key wrapped.
    public init(wrappedBy identities: [MasterKeyIdentity]) {
        pieces = identities.map(\.wrappedPrefix)
    }
}

/// What became of the traces of destroyed keys in the files of a store.
public enum TraceRemoval: Hashable, Sendable {
    /// Nothing is left of them in any file of the store.
    case done
    /// The keys are destroyed, but older copies of them may still stand in a file; why, and how to go on.
    case postponed(reason: String)
    /// The keys are destroyed, and the store can't promise that no older copy of them is left; what to do about it.
    case outOfReach(reason: String)
}

extension SQLiteEventStore {
    /// Destroys the data keys of sessions: from now on nobody can open what is sealed in their logs.
    ///
    /// The keys are overwritten where they stand. Older copies may be left in the write-ahead log and elsewhere in the
    /// file: ``removeTraces(of:within:)`` removes those, now or, after a crash, whenever it is called next. With the key
    /// goes the fingerprint of the session's address, and nothing of the session is due any more.
    ///
    /// Hold the sessions' leases meanwhile, so that no engine is at work on them.
    public func destroyKeys(
        of sessions: [SessionID]
    ) async throws(EventStoreError) -> DestroyedKeys {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.work { connection in
            try connection.execute("BEGIN IMMEDIATE")
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
            let clear = try connection.statement(
                "UPDATE sessions SET address_fp = NULL, due_at = NULL WHERE id = ?1"
            )
            let forget = try connection.statement(
                "DELETE FROM search_terms WHERE session = (SELECT key FROM sessions WHERE id = ?1)"
            )
            for session in sessions {
                find.bind(text: session.description, at: 1)
                let wrapped = try find.step() ? find.bytes(0) : nil
                find.reset()
                guard let wrapped else { continue }
                for statement in [overwrite, clear, forget] {
                    statement.bind(text: session.description, at: 1)
                    try statement.run()
                }
                destroyed.sessions.append(session)
                destroyed.pieces += SQLiteTraces.pieces(ofWrapped: wrapped)
            }
            try connection.execute("COMMIT")
            return destroyed
        }
    }

    /// Removes what is left of destroyed keys in the files of the store.
    ///
    /// The write-ahead log is moved into the database and cut off, which waits for everybody who reads. Then the database is
    /// searched, and written anew (`VACUUM`) when a copy is found in what SQLite does not use any more, or when keys were
    /// destroyed by a process that did not get this far.
    ///
    /// - Parameters:
    ///   - destroyed: The keys.
    ///   - patience: How long to wait for others who read or write.
    /// - Returns: Whether that is done; when not, call it again later, from any process, with ``DestroyedKeys/init()``.
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
                    // The copy may be larger than the memory; it holds what the store holds, and no secret in the clear.
                    try connection.execute("PRAGMA temp_store = FILE; VACUUM")
                    try connection.execute(SQLiteOpening.temporariesInMemory)
                } catch {
                    try connection.execute(SQLiteOpening.temporariesInMemory)
                    return .postponed(
                        reason:
                            "writing the store anew failed (\(error.storeError.code)); it needs "
                            + "as much free space as the store has bytes"
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
        .postponed(reason: "another process has been reading the store all the time")
    }

    private static func hasOverwrittenKeys(
        _ connection: SQLiteConnection
    ) throws(SQLiteFailure) -> Bool {
        let found = try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM session_keys WHERE wrapped = zeroblob(length(wrapped)))"
        )
        return found == 1
    }

    /// Moves the write-ahead log into the database and cuts it off.
    ///
    /// - Returns: False when others read or wrote until the deadline.
    private static func cutLog(
        _ connection: SQLiteConnection,
        until deadline: ContinuousClock.Instant
    ) throws(SQLiteFailure) -> Bool {
        while true {
            do throws(SQLiteFailure) {
                if try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 { return true }
            } catch  where error.primaryCode == SQLITE_BUSY || error.primaryCode == SQLITE_LOCKED {
                // Somebody else is doing the same.
            }
            guard ContinuousClock.now < deadline else { return false }
            usleep(10_000)
        }
    }
}
