public import EventLog

extension PostgreSQLEventStore {
    private static let kept = PQStatement(
        "keys_kept",
        """
        SELECT k.session::text, k.wrapped, s.address_fp
        FROM session_keys k LEFT JOIN sessions s ON s.id = k.session
        WHERE $1 IS NULL OR k.session > $1::text::uuid ORDER BY k.session LIMIT $2
        """,
        .text,
        .integer
    ).plannedEachTime
    private static let census = PQStatement(
        "keys_census",
        """
        SELECT substr(k.wrapped, 1, \(1 + MasterKeyIdentity.size)), count(*)
        FROM session_keys k LEFT JOIN sessions s ON s.id = k.session
        WHERE $1 IS NULL OR s.imported = $1 GROUP BY 1
        """,
        .integer
    ).ofWholeTables
    private static let replaceKey = PQStatement(
        "key_replace",
        "UPDATE session_keys SET wrapped = $2 WHERE session = $1::text::uuid AND wrapped = $3",
        .text,
        .bytes,
        .bytes
    )
    private static let mayReplace = PQStatement(
        "key_may_replace",
        "UPDATE session_keys SET wrapped = wrapped WHERE false"
    )
    /// The fingerprint derives from the current master key: when another process was first, its
    /// fingerprint stays.
    ///
    /// An engine that has both master keys may already have added the address's new fingerprint
    /// beside the old one.
    static let replaceAddress = PQStatement(
        "key_replace_address",
        """
        WITH moved AS (
            UPDATE sessions SET address_fp = $2
            WHERE id = $1::text::uuid AND address_fp IS NOT NULL AND EXISTS (
                SELECT 1 FROM session_keys k WHERE k.session = id AND k.wrapped = $3)
            RETURNING id
        ), left_behind AS (
            DELETE FROM addresses WHERE session IN (SELECT id FROM moved) AND fp <> $2
        ), listed AS (
            UPDATE listed_sessions SET address_fp = $2
            WHERE id IN (SELECT id FROM moved) AND address_fp IS NOT NULL
        )
        INSERT INTO addresses (fp, session) SELECT $2, id FROM moved ON CONFLICT DO NOTHING
        """,
        .text,
        .bytes,
        .bytes
    )
    /// Finds addresses by their session: the row of a session has the newest of its fingerprints
    /// only.
    static let destroy = PQStatement(
        "keys_destroy",
        """
        WITH gone AS (
            DELETE FROM session_keys WHERE session = ANY ($1::text[]::uuid[]) RETURNING session
        ), freed AS (
            DELETE FROM addresses WHERE session IN (SELECT session FROM gone)
        ), cleared AS (
            UPDATE sessions SET address_fp = NULL, due_at = NULL
            WHERE id IN (SELECT session FROM gone)
        ), listed AS (
            UPDATE listed_sessions SET address_fp = NULL, due_at = NULL
            WHERE id IN (SELECT session FROM gone)
        ), forgotten AS (
            DELETE FROM search_terms WHERE session IN (SELECT session FROM gone)
        )
        SELECT session::text FROM gone
        """,
        .texts
    ).ofWholeTables
    /// Returns the wrapped data keys of the store, in batches.
    public func keptKeys(
        following key: WrappedKey?,
        limit: Int
    ) async throws(EventStoreError) -> [WrappedKey] {
        let found = try await rows(
            PQCommand(
                Self.kept,
                .optional(key?.session.description),
                .integer(Int64(max(0, limit)))
            )
        )[0]
        return (0..<found.count).compactMap { row in
            found.text(row, 0).flatMap { SessionID($0) }.map { session in
                WrappedKey(
                    place: 0,
                    session: session,
                    wrapped: found.bytes(row, 1),
                    addressFingerprint: found.isNull(row, 2)
                        ? nil : found.withBytes(row, 2, Digest256.init(stored:))
                )
            }
        }
    }

    /// Returns how many sessions' data keys each master key wraps; `nil` counts those that another
    /// kind of vault wrapped.
    public func keyCounts(
        of origin: SessionOrigin?
    ) async throws(EventStoreError) -> [MasterKeyIdentity?: Int] {
        let wanted = origin.map { PQValue.integer($0 == .imported ? 1 : 0) } ?? .null
        let found = try await rows(PQCommand(Self.census, wanted))[0]
        var census: [MasterKeyIdentity?: Int] = [:]
        for row in 0..<found.count {
            census[MasterKeyIdentity(ofWrapped: found.bytes(row, 0)), default: 0] +=
                Int(clamping: found.integer(row, 1) ?? 0)
        }
        return census
    }

    /// Replaces data keys with rewrapped ones, all or none.
    ///
    /// - Throws: ``EventStoreError/missingRight(reason:)`` for an engine's role: this requires a
    ///   role that may also destroy keys.
    public func replaceKeys(_ replacements: [KeyReplacement]) async throws(EventStoreError) {
        guard !replacements.isEmpty else {
            try await change([PQCommand(Self.mayReplace)])
            return
        }
        try await change(
            [PQCommand(PostgreSQLLists.hold)]
                + replacements.flatMap { replacement in
                    let session = PQValue.text("\(replacement.kept.session)")
                    let key = PQCommand(
                        Self.replaceKey,
                        session,
                        .bytes(replacement.wrapped),
                        .bytes(replacement.kept.wrapped)
                    )
                    guard let fingerprint = replacement.addressFingerprint else { return [key] }
                    let address = PQCommand(
                        Self.replaceAddress,
                        session,
                        .bytes(fingerprint.bytes),
                        .bytes(replacement.wrapped)
                    )
                    return [key, address]
                }
        )
    }

    /// Destroys the data keys of sessions, after which the sealed values in their logs can never be
    /// opened again.
    ///
    /// The rows are deleted; see ``removeTraces(of:within:)`` for what a server keeps of them.
    ///
    /// - Throws: ``EventStoreError/missingRight(reason:)`` for an engine's role.
    public func destroyKeys(
        of sessions: [SessionID]
    ) async throws(EventStoreError) -> DestroyedKeys {
        let gone = try await change([
            PQCommand(PostgreSQLLists.hold), PQCommand(Self.holdSearch),
            PQCommand(Self.destroy, .texts(sessions.map { "\($0)" })),
        ]).last
        var destroyed = DestroyedKeys()
        if let gone {
            destroyed.sessions = (0..<gone.count).compactMap { row in
                gone.text(row, 0).flatMap { SessionID($0) }
            }
        }
        return destroyed
    }

    /// Returns what a server keeps of deleted rows, which this store cannot remove.
    public func removeTraces(
        of destroyed: DestroyedKeys,
        within patience: Duration
    ) async throws(EventStoreError) -> TraceRemoval {
        .outOfReach(
            reason:
                "the server keeps older copies of the keys in the table's file, in its log and in backups: run 'VACUUM FULL "
                + "session_keys' as its owner, and let logs and backups from before expire"
        )
    }

    /// Returns the ended sessions that still have their data key, oldest first, in batches.
    public func endedSessions(
        withKeyOpenedBefore instant: Instant,
        following session: EndedSession?,
        limit: Int
    ) async throws(EventStoreError) -> [EndedSession] {
        let found = try await rows(
            PQCommand(
                lists.ended,
                .integer(instant.microseconds),
                .optional(session?.session.description),
                .integer(Int64(max(0, limit)))
            )
        )[0]
        var ended: [EndedSession] = []
        for row in 0..<found.count {
            guard let session = found.text(row, 0).flatMap({ SessionID($0) }),
                let outcome = found.text(row, 1)
            else {
                throw .corrupt(
                    stream: found.text(row, 0).flatMap { SessionID($0) },
                    sequence: nil,
                    reason: "its row of sessions has no outcome"
                )
            }
            ended.append(
                EndedSession(
                    place: 0,
                    session: session,
                    outcome: outcome,
                    endedAt: Instant(microseconds: found.integer(row, 2) ?? 0)
                )
            )
        }
        return ended
    }

    /// Runs statements that change data as one transaction, and retries after a deadlock or
    /// serialization failure.
    @discardableResult
    func change(_ commands: [PQCommand]) async throws(EventStoreError) -> [PQRows] {
        try checkOpen()
        guard !isReadOnly else { throw .readOnly }
        for _ in 0..<5 {
            do throws(PQFailure) {
                return try await pool.writer().run(commands)
            } catch {
                guard error.isBadLuck else { throw error.storeError }
            }
        }
        throw .busy
    }
}
