public import EventLog
internal import SwedbankPay

/// A session's wrapped data key, in the order in which stores keep them.
public struct KeptKey: Hashable, Sendable {
    /// The place in the store's order, for reading on.
    public var place: Int64
    /// The session.
    public var session: SessionID
    /// The wrapped data key.
    public var wrapped: [UInt8]
    /// The fingerprint by which the session's address is found.
    public var addressFingerprint: Digest256?
}

/// A wrapped data key that takes the place of another.
public struct KeyReplacement: Sendable {
    /// What stands there until now.
    public var kept: KeptKey
    /// The key wrapped anew; the same when only the fingerprint changes.
    public var wrapped: [UInt8]
    /// The fingerprint of the session's address under the master key that wraps now.
    public var addressFingerprint: Digest256?
}

extension SQLiteEventStore {
    /// The wrapped data keys of the store, a part at a time.
    ///
    /// - Parameters:
    ///   - place: The last place seen; 0 to begin.
    ///   - limit: How many at the most.
    public func keptKeys(
        after place: Int64,
        limit: Int
    ) async throws(EventStoreError) -> [KeptKey] {
        try await readers.read { connection in
            let rows = try connection.statement(
                """
                SELECT session, id, wrapped, address_fp
                FROM session_keys JOIN sessions ON sessions.key = session_keys.session
                WHERE session > ?1 AND wrapped <> zeroblob(length(wrapped))
                ORDER BY session LIMIT ?2
                """
            )
            defer { rows.reset() }
            rows.bind(place, at: 1)
            rows.bind(Int64(max(0, limit)), at: 2)
            var kept: [KeptKey] = []
            while try rows.step() {
                kept.append(
                    KeptKey(
                        place: rows.integer(0),
                        session: try SQLiteRows.session(in: rows, at: 1),
                        wrapped: rows.bytes(2),
                        addressFingerprint: rows.isNull(3)
                            ? nil : rows.withBytes(3, Digest256.init(stored:))
                    )
                )
            }
            return kept
        }
    }

    /// How many sessions' data keys each master key wraps; under nothing those that another kind of vault wrapped.
    public func keyCensus(
        of origin: SessionOrigin?
    ) async throws(EventStoreError) -> [MasterKeyIdentity?: Int] {
        try await readers.read { connection in
            let rows = try connection.statement(
                """
                SELECT substr(wrapped, 1, \(1 + MasterKey.identityBytes)), count(*)
                FROM session_keys LEFT JOIN sessions ON sessions.key = session_keys.session
                WHERE wrapped <> zeroblob(length(wrapped)) AND (?1 IS NULL OR imported = ?1)
                GROUP BY 1
                """
            )
            defer { rows.reset() }
            rows.bind(origin.map { $0 == .imported ? Int64(1) : 0 }, at: 1)
            var census: [MasterKeyIdentity?: Int] = [:]
            while try rows.step() {
                census[MasterKeyIdentity(ofWrapped: rows.bytes(0)), default: 0] +=
                    Int(rows.integer(1))
            }
            return census
        }
    }

    /// The wrapped data key of the session that was taken in last; nothing when there is none.
    public func newestWrappedKey() async throws(EventStoreError) -> [UInt8]? {
        try await readers.read { connection in
            let row = try connection.statement(
                SQLiteRows.usableKey + " ORDER BY session DESC LIMIT 1"
            )
            defer { row.reset() }
            return try row.step() ? row.bytes(0) : nil
        }
    }

    /// Lets nobody append to the store any more: its sessions are another store's from now on.
    ///
    /// It stays readable. Durable when it returns, and done again for the same store it changes nothing.
    ///
    /// - Parameter target: Which store that is; the file keeps it.
    /// - Throws: ``EventStoreError/moved`` when it was closed for another one before.
    public func closeForGood(for target: String) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try await writer.work { connection in
            try connection.execute("BEGIN IMMEDIATE")
            do {
                try connection.execute(SQLiteSchema.closing)
                if let known = try connection.text("SELECT target FROM moved") {
                    guard known == target else { throw EventStoreError.moved }
                } else {
                    let insert = try connection.statement("INSERT INTO moved (target) VALUES (?1)")
                    insert.bind(text: target, at: 1)
                    try insert.run()
                }
                try connection.execute("COMMIT")
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    /// Which store has the sessions of this one, which was closed for it; nil where nothing was moved.
    public func movedTo() async throws(EventStoreError) -> String? {
        try await readers.read { connection in
            guard try connection.text("SELECT name FROM sqlite_master WHERE name = 'moved'") != nil
            else { return nil }
            return try connection.text("SELECT target FROM moved")
        }
    }

    /// Puts data keys that were wrapped anew in the places of the old ones, all or none.
    ///
    /// A key that was destroyed or replaced meanwhile stays as it is.
    public func replaceKeys(_ replacements: [KeyReplacement]) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try await writer.work { connection in
            try connection.execute("BEGIN IMMEDIATE")
            let key = try connection.statement(
                """
                UPDATE session_keys SET wrapped = ?2 WHERE session = ?1 AND wrapped = ?3
                RETURNING session
                """
            )
            let address = try connection.statement(
                "UPDATE sessions SET address_fp = ?2 WHERE key = ?1 AND address_fp IS NOT NULL"
            )
            for replacement in replacements {
                key.bind(replacement.kept.place, at: 1)
                replacement.wrapped.withUnsafeBytes { key.bind(copying: $0, at: 2) }
                replacement.kept.wrapped.withUnsafeBytes { key.bind(copying: $0, at: 3) }
                let isReplaced = try key.step()
                // One more step ends the statement; the row is written by then.
                if isReplaced { _ = try key.step() }
                key.reset()
                guard isReplaced, let fingerprint = replacement.addressFingerprint else { continue }
                address.bind(replacement.kept.place, at: 1)
                fingerprint.withBytes { address.bind(copying: $0, at: 2) }
                try address.run()
            }
            try connection.execute("COMMIT")
        }
    }
}
