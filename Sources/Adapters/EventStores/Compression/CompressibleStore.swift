package import EventLog

/// A store that can keep its records compressed.
///
/// What is compressed is the stored form alone: canonical bytes, hashes and MACs stay what they
/// are, and every reader of the store receives the same records as before.
package protocol CompressibleStore: PersistentStore {
    /// Returns the number of the dictionary that new records are compressed with; `nil` when they
    /// are stored as they are.
    ///
    /// - Throws: ``EventStoreError``.
    func recordDictionary() async throws(EventStoreError) -> UInt32?

    /// Adds a dictionary, with which all engines compress new records from then on: those of this
    /// process with their next append, others at the latest a minute after it.
    ///
    /// A dictionary that another process adds at the same time is kept, too; the last one counts.
    ///
    /// - Parameter content: The content of a trained dictionary.
    /// - Returns: Its number.
    /// - Throws: ``EventStoreError``, also ``EventStoreError/missingRight(reason:)``.
    @discardableResult
    func addRecordDictionary(_ content: [UInt8]) async throws(EventStoreError) -> UInt32

    /// Compresses some of the records that were stored before with the newest dictionary.
    ///
    /// Each compressed record is restored and compared before it replaces the other form.
    ///
    /// - Parameters:
    ///   - position: The log position behind which to begin.
    ///   - limit: The maximum number of records, which are written in one transaction; large
    ///     records make a piece end earlier.
    /// - Returns: What was done; `nil` when there is no record behind the position.
    /// - Throws: ``EventStoreError``, also ``EventStoreError/missingRight(reason:)`` and
    ///   ``EventStoreError/corrupt(stream:sequence:reason:)``; then no record was changed.
    func compressRecords(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> CompressedPiece?
}

/// What became of some records that were to be compressed.
package struct CompressedPiece: Hashable, Sendable {
    /// The log position of the last record.
    package var position: Int64
    /// The number of records.
    package var records: Int64 = 0
    /// How many of them were changed.
    package var changed: Int64 = 0
    /// The size of their canonical bytes.
    package var canonicalBytes: Int64 = 0
    /// The size of the values that are stored for them now.
    package var storedBytes: Int64 = 0

    /// Creates a piece without records that ends at this position.
    package init(position: Int64) { self.position = position }
}

/// Compresses stored records with one dictionary.
struct Recompression {
    /// The size of canonical bytes at which a piece ends: others wait to write meanwhile.
    static let maximumBytes: Int64 = 4 << 20

    private let compressor: RecordCompressor
    /// Restores what the compressor has compressed.
    private let check: RecordDecompressor

    /// Prepares a dictionary; `nil` when Zstandard refuses it.
    init?(_ dictionary: RecordDictionary) {
        guard let compressor = RecordCompressor(dictionary),
            let prepared = RecordDecompressor.Prepared(dictionary)
        else { return nil }
        self.compressor = compressor
        check = RecordDecompressor([dictionary.id: prepared])
    }

    /// Compresses a record and counts it.
    ///
    /// - Parameters:
    ///   - stored: The number of bytes stored for it, and the number of the dictionary that it is
    ///     compressed with.
    ///   - canonical: Its canonical bytes.
    ///   - piece: Counts it.
    /// - Returns: What to store instead; `nil` when it stays as it is.
    func compress(
        _ stored: (bytes: Int, dictionary: UInt32?),
        _ canonical: [UInt8],
        _ piece: inout CompressedPiece
    ) -> [UInt8]? {
        piece.records += 1
        piece.canonicalBytes += Int64(canonical.count)
        if stored.dictionary != compressor.dictionary {
            let compressed = compressor.withCompressed(canonical) { Array($0) }
            let outcome = compressed.withUnsafeBytes { check.decompress($0) }
            if compressed.count < stored.bytes, case .record(canonical) = outcome {
                piece.changed += 1
                piece.storedBytes += Int64(compressed.count)
                return compressed
            }
        }
        piece.storedBytes += Int64(stored.bytes)
        return nil
    }
}
