public import EventLog

extension SQLiteEventStore {
    /// Compares the store with the lineage file beside it (`-identity`) without changing anything.
    public func lineage() async throws(EventStoreError) -> StoreLineage {
        let (path, file) = (identityPath, fileNumber)
        return try await readers.read { connection in
            try SQLiteLineage(connection).lineage(file: file) { () throws(EventStoreError) in
                try StoreMemory.read(path)
            }
        }
    }

    /// Declares this store the live copy.
    public func adopt() async throws(EventStoreError) -> StoreLineage {
        guard !isReadOnly else { throw .readOnly }
        let (watch, file) = (watch, fileNumber)
        return try await writer.work { connection in
            let lineage = SQLiteLineage(connection)
            let identity = try lineage.beginEpoch()
            try watch.confirm(
                StoreMemory(identity: identity, file: file, mark: try lineage.newest())
            )
            return StoreLineage(identity: identity)
        }
    }

    /// Checks before the first lease whether this store is the live copy, and later whether its
    /// file is still in place.
    ///
    /// - Throws: ``EventStoreError/notAdopted(reason:)``.
    public func confirmLiving() async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        if watch.isConfirmed {
            guard isInPlace else { throw LineageDoubt.copied.error }
            return
        }
        let (watch, file) = (watch, fileNumber)
        try await writer.work { connection in
            try SQLiteLineage(connection).confirm(file: file, by: watch)
        }
    }

    /// Whether the path still refers to the open file; records in a file that was replaced would
    /// not be visible to others.
    var isInPlace: Bool {
        FileFacts(path: path)?.identity.number == fileNumber
    }

    /// Throws when no record of the store is at a position or after it.
    ///
    /// The end is read only when there was nothing to read, so that it is never too early.
    static func refuse(_ position: Int64, ifBeyondEndOn connection: SQLiteConnection) throws {
        guard position > 0 else { return }
        let end = try connection.integer("SELECT max(position) FROM events") ?? 0
        guard position <= end else { throw EventStoreError.cursorRefused(.beyondEnd) }
    }

    private var identityPath: String { path + LineageWatch.suffix }
}

extension LineageWatch {
    /// The suffix of the lineage file's name, after the store's name.
    static let suffix = "-identity"
}

/// Reads and writes the lineage in a SQLite file.
///
/// - Note: Isolation: the thread of the connection.
struct SQLiteLineage {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Returns the lineage that the database and the file beside it show.
    func lineage(
        file: UInt64?,
        remembering read: () throws(EventStoreError) -> StoreMemory.Reading
    ) throws -> StoreLineage {
        let (found, remembered) = try find(file: file, remembering: read)
        return StoreLineage(
            identity: found.identity,
            doubt: found.doubt(against: remembered, isShared: false)
        )
    }

    /// Confirms that the store is the remembered one, or records it for the first time.
    func confirm(file: UInt64?, by watch: LineageWatch) throws {
        // Of several processes, only one is the first; the others wait here, and then find what it
        // recorded.
        try connection.execute("BEGIN IMMEDIATE")
        do {
            let (found, remembered) = try find(file: file) { () throws(EventStoreError) in
                try watch.remembered()
            }
            if let doubt = found.doubt(against: remembered, isShared: false) { throw doubt.error }
            let memory = StoreMemory(identity: found.identity, file: file, mark: try newest())
            try watch.write(memory)
            if !found.isRemembered {
                try connection.execute("UPDATE store_identity SET remembered = 1")
            }
            try connection.execute("COMMIT")
            // Not before: nothing may be sent from a store that is not marked.
            watch.rely(on: memory)
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Starts the next epoch, and records that the store is remembered.
    func beginEpoch() throws(SQLiteFailure) -> StoreIdentity {
        try connection.execute("UPDATE store_identity SET epoch = epoch + 1, remembered = 1")
        return try row().identity
    }

    /// The newest record; `nil` in an empty store.
    func newest() throws(SQLiteFailure) -> LogMark? {
        let rows = try connection.statement(
            """
            SELECT s.id, e.seq, e.hash FROM events e JOIN sessions s ON s.key = e.session
            WHERE e.position = (SELECT max(position) FROM events)
            """
        )
        defer { rows.reset() }
        guard try rows.step(), let stream = rows.text(0).flatMap({ SessionID($0) }),
            let hash = Digest256(bytes: rows.bytes(2))
        else { return nil }
        return LogMark(stream: stream, sequence: rows.sequence(1), hash: hash)
    }

    /// The store's identity.
    func identity() throws(SQLiteFailure) -> StoreIdentity { try row().identity }

    private func row() throws(SQLiteFailure) -> (identity: StoreIdentity, isRemembered: Bool) {
        let rows = try connection.statement("SELECT id, epoch, remembered FROM store_identity")
        defer { rows.reset() }
        guard try rows.step(), let id = rows.text(0),
            let identity = StoreIdentity(id: id, epoch: rows.integer(1))
        else { throw SQLiteFailure(alteration: "the table store_identity has no identity") }
        return (identity, rows.integer(2) == 1)
    }

    /// Reads what the database contains about its lineage, and what was recorded beside it.
    ///
    /// The database comes first: whoever marks it as remembered has written the file before, so a
    /// file that is missing then was lost.
    private func find(
        file: UInt64?,
        remembering read: () throws(EventStoreError) -> StoreMemory.Reading
    ) throws -> (FoundStore, StoreMemory.Reading) {
        let row = try row()
        let remembered = try read()
        let found = FoundStore(
            identity: row.identity,
            isRemembered: row.isRemembered,
            file: file,
            isEmpty: try connection.integer("SELECT EXISTS (SELECT 1 FROM events)") != 1,
            hasMark: try has(remembered.mark)
        )
        return (found, remembered)
    }

    private func has(_ mark: LogMark?) throws(SQLiteFailure) -> Bool {
        guard let mark else { return true }
        let rows = try connection.statement(
            """
            SELECT e.hash FROM events e JOIN sessions s ON s.key = e.session
            WHERE s.id = ?1 AND e.seq = ?2
            """
        )
        defer { rows.reset() }
        rows.bind(text: "\(mark.stream)", at: 1)
        rows.bind(sequence: mark.sequence, at: 2)
        return try rows.step() && Digest256(bytes: rows.bytes(0)) == mark.hash
    }
}
