internal import EventLog
internal import UVTransport

/// The dictionaries with which records are compressed, as far as this store has read them.
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

    /// Without the content where it is too large, so that it is never sent.
    private static let columns = """
        SELECT id,
            CASE WHEN octet_length(content) <= \(RecordDictionary.maximumBytes) THEN content END,
            digest FROM record_dictionaries
        """
    private static let newestFirst = "ORDER BY generation DESC, id DESC LIMIT 1"

    /// The newest dictionary.
    static let newest = PQStatement("dictionary_newest", "\(columns) \(newestFirst)")
    /// The number and the digest of the newest dictionary, which say whether it is another one.
    static let newestMark = PQStatement(
        "dictionary_newest_mark",
        "SELECT id, digest FROM record_dictionaries \(newestFirst)"
    )
    /// Some dictionaries behind a number.
    static let page = PQStatement(
        "dictionaries_page",
        "\(columns) WHERE id > $1 ORDER BY id LIMIT \(maximumPerRead)",
        .integer
    )
    /// The maximum number of dictionaries that one statement reads, and that the records of one
    /// read may need.
    static let maximumPerRead = 16
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

    private let known = ThreadLock<[UInt32: RecordDecompressor.Prepared]>([:])

    /// The dictionary in a row; `nil` when it was altered.
    static func dictionary(in rows: PQRows, _ row: Int) -> RecordDictionary? {
        guard let id = rows.integer(row, 0) else { return nil }
        return RecordDictionary(id: id, content: rows.bytes(row, 1), digest: rows.bytes(row, 2))
    }

    /// Returns what restores the records in a column, after having read the dictionaries that they
    /// need.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - column: The column of the records.
    ///   - read: Reads dictionaries by their numbers.
    /// - Returns: The decompressor, which lacks the dictionaries that the store does not have.
    /// - Throws: The error of reading, and ``EventStoreError/limit(name:)`` for records that need
    ///   more than ``maximumPerRead`` dictionaries.
    func decompressor(
        for rows: PQRows,
        _ column: Int32,
        _ read: ([Int64]) async throws(EventStoreError) -> PQRows
    ) async throws(EventStoreError) -> RecordDecompressor {
        let needed = Set(
            (0..<rows.count).compactMap { row in
                rows.withBytes(row, column, RecordDecompressor.dictionary(of:))
            }
        )
        guard !needed.isEmpty else { return RecordDecompressor() }
        guard needed.count <= Self.maximumPerRead else { throw .limit(name: "readDictionaries") }
        var dictionaries = known.withLock { known in known.filter { needed.contains($0.key) } }
        let missing = needed.filter { dictionaries[$0] == nil }
        if !missing.isEmpty {
            let found = try await read(missing.map { Int64($0) })
            for row in 0..<found.count {
                guard let dictionary = Self.dictionary(in: found, row) else { continue }
                dictionaries[dictionary.id] = RecordDecompressor.Prepared(dictionary)
            }
            // What this read needs is what the next one needs.
            known.withLock { [dictionaries] in $0 = dictionaries }
        }
        return RecordDecompressor(dictionaries)
    }
}
