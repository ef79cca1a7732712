package import EventLog

/// The table of the dictionaries with which records are compressed.
package enum SQLiteDictionaries {
    /// The statement that creates it.
    ///
    /// A dictionary is never changed or deleted.
    package static let table = """
        CREATE TABLE record_dictionaries (
            id INTEGER PRIMARY KEY,
            generation INTEGER NOT NULL,
            content BLOB NOT NULL,
            digest BLOB NOT NULL
        );
        """

    /// Without the content where it is too large, so that it is never read.
    private static let columns = """
        SELECT id, CASE WHEN length(content) <= \(RecordDictionary.maximumBytes) THEN content END,
            digest FROM record_dictionaries
        """
    private static let newestFirst = "ORDER BY generation DESC, id DESC LIMIT 1"

    /// The newest dictionary as it is stored.
    package enum Newest {
        /// There is none.
        case none
        /// New records are compressed with it.
        case usable(RecordDictionary)
        /// Something has changed it.
        case altered(id: Int64)
    }

    /// The dictionary that new records are compressed with.
    package static func newest(on connection: SQLiteConnection) throws(SQLiteFailure) -> Newest {
        let row = try connection.statement("\(columns) \(newestFirst)")
        defer { row.reset() }
        guard try row.step() else { return .none }
        return dictionary(in: row).map { .usable($0) } ?? .altered(id: row.integer(0))
    }

    /// The number and the digest of the newest dictionary, which say whether it is another one.
    package static func newestMark(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> (id: Int64, digest: Digest256?)? {
        let row = try connection.statement(
            "SELECT id, digest FROM record_dictionaries \(newestFirst)"
        )
        defer { row.reset() }
        guard try row.step() else { return nil }
        return (row.integer(0), row.withBytes(1, Digest256.init(stored:)))
    }

    /// The dictionary of a number; `nil` when there is none, or when it was altered.
    package static func find(
        _ id: UInt32,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> RecordDictionary? {
        let row = try connection.statement("\(columns) WHERE id = ?1")
        defer { row.reset() }
        row.bind(Int64(id), at: 1)
        return try row.step() ? dictionary(in: row) : nil
    }

    private static func dictionary(in row: SQLiteStatement) -> RecordDictionary? {
        RecordDictionary(id: row.integer(0), content: row.bytes(1), digest: row.bytes(2))
    }

    /// Descriptions of the dictionaries that were altered, at most `limit`.
    package static func faults(
        on connection: SQLiteConnection,
        limit: Int
    ) throws(SQLiteFailure) -> [String] {
        let rows = try connection.statement(columns)
        defer { rows.reset() }
        var faults: [String] = []
        while faults.count < limit, try rows.step() {
            guard dictionary(in: rows) == nil else { continue }
            faults.append("the compression dictionary \(rows.integer(0)) was altered")
        }
        return faults
    }

    /// Adds a trained dictionary, within a transaction; it is the newest one.
    ///
    /// - Returns: `nil` when the content is not a dictionary.
    package static func add(
        _ content: [UInt8],
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> RecordDictionary? {
        guard let dictionary = RecordDictionary(trained: content) else { return nil }
        let insert = try connection.statement(
            """
            INSERT INTO record_dictionaries (id, generation, content, digest)
            SELECT ?1, coalesce(max(generation), 0) + 1, ?2, ?3 FROM record_dictionaries
            """
        )
        insert.bind(Int64(dictionary.id), at: 1)
        dictionary.content.withUnsafeBytes { insert.bind(copying: $0, at: 2) }
        dictionary.digest.withBytes { insert.bind(copying: $0, at: 3) }
        try insert.writeOne()
        return dictionary
    }
}

extension SQLiteConnection {
    /// Restores the record in a column of a row, reading the dictionary that it needs.
    package func decompressed(
        _ row: SQLiteStatement,
        _ column: Int32
    ) throws(SQLiteFailure) -> RecordDecompressor.Outcome {
        let outcome = row.withBytes(column) { decompressor.decompress($0) }
        guard case .needs(let id) = outcome, !decompressor.lacks(id) else { return outcome }
        guard let dictionary = try SQLiteDictionaries.find(id, on: self),
            let prepared = RecordDecompressor.Prepared(dictionary)
        else {
            decompressor.addMissing(id)
            return outcome
        }
        decompressor.add(prepared)
        return row.withBytes(column) { decompressor.decompress($0) }
    }
}
