internal import EventLog

/// The table of the dictionaries with which records are packed.
enum SQLiteDictionaries {
    /// The statement that creates it.
    ///
    /// A dictionary is never changed or deleted.
    static let table = """
        CREATE TABLE record_dictionaries (
            id INTEGER PRIMARY KEY,
            content BLOB NOT NULL,
            digest BLOB NOT NULL
        );
        """

    private static let columns = "SELECT id, content, digest FROM record_dictionaries"

    /// The dictionary that new records are packed with; `nil` when there is none, or when it was
    /// altered.
    static func newest(on connection: SQLiteConnection) throws(SQLiteFailure) -> RecordDictionary? {
        try first(of: try connection.statement("\(columns) ORDER BY id DESC LIMIT 1"))
    }

    /// The number of the newest dictionary; 0 when there is none.
    static func newestNumber(on connection: SQLiteConnection) throws(SQLiteFailure) -> Int64 {
        let row = try connection.statement("SELECT max(id) FROM record_dictionaries")
        defer { row.reset() }
        return try row.step() ? row.integer(0) : 0
    }

    /// The dictionary of a number; `nil` when there is none, or when it was altered.
    static func find(
        _ id: UInt32,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> RecordDictionary? {
        let row = try connection.statement("\(columns) WHERE id = ?1")
        row.bind(Int64(id), at: 1)
        return try first(of: row)
    }

    private static func first(of row: SQLiteStatement) throws(SQLiteFailure) -> RecordDictionary? {
        defer { row.reset() }
        guard try row.step() else { return nil }
        let isBounded = row.withBytes(1) { $0.count <= RecordDictionary.maximumBytes }
        guard isBounded else { return nil }
        return RecordDictionary(id: row.integer(0), content: row.bytes(1), digest: row.bytes(2))
    }

    /// Adds a trained dictionary, within a transaction.
    ///
    /// - Returns: `nil` when the content is not a dictionary.
    static func add(
        _ content: [UInt8],
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> RecordDictionary? {
        let number = try newestNumber(on: connection) + 1
        guard let dictionary = RecordDictionary(trained: content, as: number) else { return nil }
        let insert = try connection.statement(
            "INSERT INTO record_dictionaries (id, content, digest) VALUES (?1, ?2, ?3)"
        )
        insert.bind(number, at: 1)
        dictionary.content.withUnsafeBytes { insert.bind(copying: $0, at: 2) }
        dictionary.digest.withBytes { insert.bind(copying: $0, at: 3) }
        try insert.writeOne()
        return dictionary
    }
}

extension SQLiteConnection {
    /// Restores the record in a column of a row, reading the dictionary that it needs.
    func unpacked(
        _ row: SQLiteStatement,
        _ column: Int32
    ) throws(SQLiteFailure) -> RecordUnpacker.Outcome {
        let outcome = row.withBytes(column) { unpacker.unpack($0) }
        guard case .needs(let id) = outcome,
            let dictionary = try SQLiteDictionaries.find(id, on: self),
            let prepared = RecordUnpacker.Prepared(dictionary)
        else { return outcome }
        unpacker.add(prepared)
        return row.withBytes(column) { unpacker.unpack($0) }
    }
}
