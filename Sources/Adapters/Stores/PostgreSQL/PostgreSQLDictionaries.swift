internal import EventLog

/// The dictionaries with which records are packed, as far as this store has read them.
///
/// - Note: Isolation: any.
final class PostgreSQLDictionaries: Sendable {
    /// The statements that create their table.
    ///
    /// A dictionary is never changed or deleted.
    static let tables = [
        """
        CREATE TABLE record_dictionaries (
            id BIGINT PRIMARY KEY,
            content BYTEA NOT NULL,
            digest BYTEA NOT NULL
        )
        """
    ]

    /// The newest dictionary.
    static let newest = PQStatement(
        "dictionary_newest",
        "SELECT id, content, digest FROM record_dictionaries ORDER BY id DESC LIMIT 1"
    )
    /// The number of the newest dictionary.
    static let newestNumber = PQStatement(
        "dictionary_newest_number",
        "SELECT coalesce(max(id), 0) FROM record_dictionaries"
    )
    /// The dictionaries of some numbers.
    static let some = PQStatement(
        "dictionaries_some",
        "SELECT id, content, digest FROM record_dictionaries WHERE id = ANY($1)",
        .integers
    )
    /// Adds a dictionary; of several processes that use the same number, one succeeds.
    static let add = PQStatement(
        "dictionary_add",
        "INSERT INTO record_dictionaries (id, content, digest) VALUES ($1, $2, $3)",
        .integer,
        .bytes,
        .bytes
    )

    private let known = ThreadLock<[UInt32: RecordUnpacker.Prepared]>([:])

    /// The dictionary in a row; `nil` when it was altered.
    static func dictionary(in rows: PQRows, _ row: Int) -> RecordDictionary? {
        guard let id = rows.integer(row, 0),
            rows.withBytes(row, 1, { $0.count <= RecordDictionary.maximumBytes })
        else { return nil }
        return RecordDictionary(id: id, content: rows.bytes(row, 1), digest: rows.bytes(row, 2))
    }

    /// Returns what restores the records in a column, after having read the dictionaries that they
    /// need.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - column: The column of the records.
    ///   - read: Reads dictionaries by their numbers.
    /// - Returns: The unpacker, which lacks the dictionaries that the store does not have.
    /// - Throws: The error of reading.
    func unpacker(
        for rows: PQRows,
        _ column: Int32,
        _ read: ([Int64]) async throws(EventStoreError) -> PQRows
    ) async throws(EventStoreError) -> RecordUnpacker {
        let needed = Set(
            (0..<rows.count).compactMap { row in
                rows.withBytes(row, column, RecordUnpacker.dictionary(of:))
            }
        )
        guard !needed.isEmpty else { return RecordUnpacker() }
        let missing = known.withLock { known in needed.filter { known[$0] == nil } }
        if !missing.isEmpty {
            let found = try await read(missing.map { Int64($0) })
            for row in 0..<found.count {
                guard let dictionary = Self.dictionary(in: found, row),
                    let prepared = RecordUnpacker.Prepared(dictionary)
                else { continue }
                known.withLock { $0[dictionary.id] = prepared }
            }
        }
        return RecordUnpacker(known.withLock { $0 })
    }
}
