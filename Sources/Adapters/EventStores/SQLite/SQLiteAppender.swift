internal import CSQLite
internal import EventLog

/// Writes appends of many sessions in one transaction.
///
/// - Note: Isolation: the writer's thread.
final class SQLiteAppender {
    private let connection: SQLiteConnection
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let projection: SQLiteProjection
    private let insertKey: SQLiteStatement
    private let replaceKey: SQLiteStatement
    private let insertEvent: SQLiteStatement
    private let schemaVersion: SQLiteStatement
    /// The schema version of the file whose structure was compared last and is intact; SQLite
    /// increments it with every change.
    private var comparedSchema: Int64?
    /// Compresses new records; `nil` while the store has no dictionary.
    private var compressor: RecordCompressor?
    /// Whether no other work can have added a dictionary since the compressor was prepared.
    private var knowsDictionary = false

    /// Prepares the statements on a writing connection.
    init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        self.connection = connection
        begin = try connection.statement("BEGIN IMMEDIATE")
        commit = try connection.statement("COMMIT")
        projection = try SQLiteProjection(connection)
        insertKey = try connection.statement(
            "INSERT INTO session_keys (session, wrapped) VALUES (?1, ?2)"
        )
        // A destroyed key stays destroyed.
        replaceKey = try connection.statement(
            "UPDATE session_keys SET wrapped = ?2 WHERE session = ?1 AND wrapped <> zeroblob(length(wrapped))"
        )
        schemaVersion = try connection.statement("PRAGMA schema_version")
        insertEvent = try connection.statement(
            """
            INSERT INTO events (session, seq, type, at, record, prev, hash, seals, mac)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """
        )
    }

    /// Writes a batch; on return, every append without an error is durable.
    ///
    /// A conflict in one append does not affect the others. A failure of the whole transaction
    /// (such as a full disk) fails all of them, and no record is written.
    ///
    /// - Returns: The error of each append; `nil` for success.
    func write(_ batch: [StreamAppend]) -> [EventStoreError?] {
        do throws(SQLiteFailure) {
            return try attempt(batch, isolating: false)
        } catch  where error.concernsOneAppend {
            // Rare: the table contradicts the projection. Retry, so that each append can be undone
            // on its own.
            rollBack()
        } catch {
            rollBack()
            return Array(repeating: error.storeError, count: batch.count)
        }
        do throws(SQLiteFailure) {
            return try attempt(batch, isolating: true)
        } catch {
            rollBack()
            return Array(repeating: error.storeError, count: batch.count)
        }
    }

    /// Moves the content of the write-ahead log into the database, as far as no reader prevents it.
    func checkpoint() {
        // Best effort: what is not moved now stays durable in the log and is moved later.
        try? connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// Drops what was read from the file, since the connection was used for other work.
    func forget() {
        projection.forget()
        knowsDictionary = false
    }

    private func rollBack() {
        projection.forget()
        connection.rollBack()
    }

    private func attempt(
        _ batch: [StreamAppend],
        isolating: Bool
    ) throws(SQLiteFailure) -> [EventStoreError?] {
        var outcomes: [EventStoreError?] = []
        outcomes.reserveCapacity(batch.count)
        var hasWritten = false
        try begin.run()
        if try projection.beginTransaction() || comparedSchema == nil {
            try compareStructure()
            knowsDictionary = false
        }
        if !knowsDictionary { try prepareCompressor() }
        for append in batch {
            let outcome = isolating ? try isolated(append) : try write(append)
            outcomes.append(outcome)
            if outcome == nil { hasWritten = true }
        }
        if hasWritten { try commit.run() } else { rollBack() }
        return outcomes
    }

    /// Compares the file's structure if it has changed, under the lock that excludes further
    /// changes.
    ///
    /// A file that was refused is compared again at the next append.
    private func compareStructure() throws(SQLiteFailure) {
        let version = try schemaVersion.step() ? schemaVersion.integer(0) : nil
        schemaVersion.reset()
        guard version == nil || version != comparedSchema else { return }
        comparedSchema = nil
        let upgraded = Int(clamping: try connection.integer("PRAGMA user_version") ?? 0)
        guard upgraded <= SQLiteSchema.currentVersion else {
            throw SQLiteFailure(newerVersion: upgraded)
        }
        try SQLiteStructure.check(connection)
        comparedSchema = version
    }

    /// Prepares the newest dictionary of the store, unless that has been done.
    private func prepareCompressor() throws(SQLiteFailure) {
        let mark = try SQLiteDictionaries.newestMark(on: connection)
        knowsDictionary = true
        guard
            mark?.id != compressor.map({ Int64($0.dictionary) })
                || mark?.digest != compressor?.digest
        else { return }
        compressor = nil
        // With an altered dictionary nothing is compressed: the records stay readable.
        if case .usable(let newest) = try SQLiteDictionaries.newest(on: connection) {
            compressor = RecordCompressor(newest)
        }
    }

    private func isolated(_ append: StreamAppend) throws(SQLiteFailure) -> EventStoreError? {
        try connection.execute("SAVEPOINT append")
        do throws(SQLiteFailure) {
            let outcome = try write(append)
            try connection.execute("RELEASE append")
            return outcome
        } catch  where error.concernsOneAppend {
            projection.forget()
            try connection.execute("ROLLBACK TO append; RELEASE append")
            guard case .corrupt(_, _, let reason) = error.storeError else {
                return error.storeError
            }
            return .corrupt(stream: append.stream, sequence: nil, reason: reason)
        }
    }

    /// Writes one append within the transaction, unless the stream does not have the expected
    /// version.
    private func write(_ append: StreamAppend) throws(SQLiteFailure) -> EventStoreError? {
        let known = try projection.find(append.summary)
        let actual = known?.lastSequence ?? 0
        guard actual == append.expectedVersion else {
            return .conflict(
                stream: append.stream,
                expected: append.expectedVersion,
                actual: actual
            )
        }
        let key: Int64
        if let known {
            key = known.key
            try projection.update(known, to: append.summary)
            if let wrapped = append.wrappedKey { try write(wrapped, key: key, by: replaceKey) }
        } else {
            if let fingerprint = append.summary.addressFingerprint,
                let owner = try projection.session(ofAddress: fingerprint)
            {
                return .addressTaken(by: owner)
            }
            key = try projection.insert(append.summary)
            if let wrapped = append.wrappedKey {
                try write(wrapped, key: key, by: insertKey)
                try insertKey.expectOneChange()
            }
        }
        for record in append.records { try insert(record, key: key) }
        return nil
    }

    private func write(
        _ wrapped: [UInt8],
        key: Int64,
        by statement: SQLiteStatement
    ) throws(SQLiteFailure) {
        statement.bind(key, at: 1)
        try wrapped.withUnsafeBufferPointer { bytes throws(SQLiteFailure) in
            statement.bind(lasting: UnsafeRawBufferPointer(bytes), at: 2)
            try statement.run()
        }
    }

    private func insert(_ record: StoredRecord, key: Int64) throws(SQLiteFailure) {
        insertEvent.bind(key, at: 1)
        insertEvent.bind(sequence: record.sequence, at: 2)
        insertEvent.bind(text: record.type, at: 3)
        insertEvent.bind(record.at.microseconds, at: 4)
        if record.seals.isEmpty {
            insertEvent.bindNull(at: 8)
        } else {
            SQLiteRows.bytes(of: record.seals).withUnsafeBytes {
                insertEvent.bind(copying: $0, at: 8)
            }
        }
        if let mac = record.mac {
            mac.withBytes { insertEvent.bind(copying: $0, at: 9) }
        } else {
            insertEvent.bindNull(at: 9)
        }
        try compressor.withCompressed(record.canonical) { stored throws(SQLiteFailure) in
            insertEvent.bind(lasting: stored, at: 5)
            try record.previous.withBytes { previous throws(SQLiteFailure) in
                insertEvent.bind(lasting: previous, at: 6)
                try record.hash.withBytes { hash throws(SQLiteFailure) in
                    insertEvent.bind(lasting: hash, at: 7)
                    try insertEvent.writeOne()
                }
            }
        }
    }
}
