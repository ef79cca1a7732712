public import EventLog

/// A session's wrapped data key, in the order of the store.
public struct WrappedKey: Hashable, Sendable {
    /// The position in the store's order, for reading the next batch.
    public var place: Int64
    /// The session.
    public var session: SessionID
    /// The wrapped data key.
    public var wrapped: [UInt8]
    /// The fingerprint by which the session's address is found.
    public var addressFingerprint: Digest256?
}

/// A wrapped data key that replaces another one.
public struct KeyReplacement: Sendable {
    /// The current key.
    public var kept: WrappedKey
    /// The rewrapped key; equal to the current one when only the fingerprint changes.
    public var wrapped: [UInt8]
    /// The fingerprint of the session's address under the current master key.
    public var addressFingerprint: Digest256?

    /// Creates a replacement with these members.
    public init(kept: WrappedKey, wrapped: [UInt8], addressFingerprint: Digest256? = nil) {
        self.kept = kept
        self.wrapped = wrapped
        self.addressFingerprint = addressFingerprint
    }
}

extension SQLiteEventStore {
    /// Returns the wrapped data keys of the store, in batches.
    public func keptKeys(
        following key: WrappedKey?,
        limit: Int
    ) async throws(EventStoreError) -> [WrappedKey] {
        try await keptKeys(after: key?.place ?? 0, limit: limit)
    }

    /// Returns the wrapped data keys of the store, in batches.
    ///
    /// - Parameters:
    ///   - place: The position of the last key of the previous batch; 0 for the first batch.
    ///   - limit: The maximum number of keys.
    /// - Returns: The keys.
    /// - Throws: ``EventStoreError``.
    public func keptKeys(
        after place: Int64,
        limit: Int
    ) async throws(EventStoreError) -> [WrappedKey] {
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
            var kept: [WrappedKey] = []
            while try rows.step() {
                kept.append(
                    WrappedKey(
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

    /// Returns how many sessions' data keys each master key wraps; `nil` counts those that another
    /// kind of vault wrapped.
    public func keyCounts(
        of origin: SessionOrigin?
    ) async throws(EventStoreError) -> [MasterKeyIdentity?: Int] {
        try await readers.read { connection in
            let rows = try connection.statement(
                """
                SELECT substr(wrapped, 1, \(1 + MasterKeyIdentity.size)), count(*)
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

    /// Returns the wrapped data key of the session opened last; `nil` when there is none.
    public func newestWrappedKey() async throws(EventStoreError) -> [UInt8]? {
        try await readers.read { connection in
            let row = try connection.statement(
                SQLiteRows.usableKey + " ORDER BY session DESC LIMIT 1"
            )
            defer { row.reset() }
            return try row.step() ? row.bytes(0) : nil
        }
    }

    /// Closes the store for all further appends: its sessions belong to another store from now on.
    ///
    /// The store stays readable. The change is durable on return, and repeating it for the same
    /// store has no effect.
    ///
    /// - Parameter target: The other store; the file records it.
    /// - Throws: ``EventStoreError/moved`` when the store was closed for another one before.
    public func closeForGood(for target: String) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try await writer.transaction { connection in
            try connection.execute(SQLiteSchema.closing)
            if let known = try connection.text("SELECT target FROM moved") {
                guard known == target else { throw EventStoreError.moved }
            } else {
                let insert = try connection.statement("INSERT INTO moved (target) VALUES (?1)")
                insert.bind(text: target, at: 1)
                try insert.run()
            }
        }
    }

    /// Returns the store that has this store's sessions now; `nil` when they were not moved.
    public func movedTo() async throws(EventStoreError) -> String? {
        try await readers.read { connection in
            guard try connection.text("SELECT name FROM sqlite_master WHERE name = 'moved'") != nil
            else { return nil }
            return try connection.text("SELECT target FROM moved")
        }
    }

    /// Replaces data keys with rewrapped ones, all or none.
    ///
    /// A key that was destroyed or replaced meanwhile stays as it is.
    public func replaceKeys(_ replacements: [KeyReplacement]) async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try await writer.transaction { connection in
            let key = try connection.statement(
                """
                UPDATE session_keys SET wrapped = ?2 WHERE session = ?1 AND wrapped = ?3
                RETURNING session
                """
            )
            let address = try ["sessions", "listed_sessions"].map { table in
                try connection.statement(
                    "UPDATE \(table) SET address_fp = ?2 WHERE key = ?1 AND address_fp IS NOT NULL"
                )
            }
            for replacement in replacements {
                key.bind(replacement.kept.place, at: 1)
                replacement.wrapped.withUnsafeBytes { key.bind(copying: $0, at: 2) }
                replacement.kept.wrapped.withUnsafeBytes { key.bind(copying: $0, at: 3) }
                let isReplaced = try key.step()
                // A further step ends the statement; the row is written by then.
                if isReplaced { _ = try key.step() }
                key.reset()
                guard isReplaced, let fingerprint = replacement.addressFingerprint else { continue }
                for statement in address {
                    statement.bind(replacement.kept.place, at: 1)
                    fingerprint.withBytes { statement.bind(copying: $0, at: 2) }
                    try statement.run()
                }
            }
        }
    }
}
