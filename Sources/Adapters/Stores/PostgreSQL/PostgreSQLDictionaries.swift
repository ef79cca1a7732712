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
            generation BIGINT NOT NULL,
            content BYTEA NOT NULL,
            digest BYTEA NOT NULL
        )
        """
    ]

    private static let columns = "SELECT id, content, digest FROM record_dictionaries"
    private static let newestFirst = "ORDER BY generation DESC, id DESC LIMIT 1"

    /// The newest dictionary.
    static let newest = PQStatement("dictionary_newest", "\(columns) \(newestFirst)")
    /// The number and the digest of the newest dictionary, which say whether it is another one.
    static let newestMark = PQStatement(
        "dictionary_newest_mark",
        "SELECT id, digest FROM record_dictionaries \(newestFirst)"
    )
    /// All dictionaries.
    static let all = PQStatement("dictionaries_all", columns)
    /// The dictionaries of some numbers.
    static let some = PQStatement(
        "dictionaries_some",
        "\(columns) WHERE id = ANY($1)",
        .integers
    )
    /// Adds a dictionary, which is the newest one.
    static let add = PQStatement(
        "dictionary_add",
        """
        INSERT INTO record_dictionaries (id, generation, content, digest)
        SELECT $1, coalesce(max(generation), 0) + 1, $2, $3 FROM record_dictionaries
        """,
        .integer,
        .bytes,
        .bytes
    )
    /// The roles that may read records, but not the dictionaries that some of these need.
    static let rolesWithoutRight = PQStatement(
        "dictionary_roles",
        """
        SELECT rolname::text FROM pg_roles
        WHERE has_table_privilege(oid, 'events', 'SELECT')
            AND NOT has_table_privilege(oid, 'record_dictionaries', 'SELECT')
        ORDER BY rolname LIMIT 10
        """
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
                known.withLock { known in
                    if known.count >= RecordUnpacker.maximumDictionaries { known = [:] }
                    known[dictionary.id] = prepared
                }
            }
        }
        return RecordUnpacker(known.withLock { $0 })
    }
}
