package import EventLog

/// A store that can keep its records compressed.
///
/// What is compressed is the stored form alone: canonical bytes, hashes and MACs stay what they
/// are, and every reader of the store receives the same records as before.
package protocol PackedStore: PaymentStore {
    /// Returns the number of the dictionary that new records are packed with; `nil` when they are
    /// stored as they are.
    ///
    /// - Throws: ``EventStoreError``.
    func recordDictionary() async throws(EventStoreError) -> UInt32?

    /// Adds a dictionary, with which all engines pack new records from then on: those of this
    /// process with their next append, others at the latest a minute after it.
    ///
    /// A dictionary that another process adds at the same time is kept, too; the last one counts.
    ///
    /// - Parameter content: The content of a trained dictionary.
    /// - Returns: Its number.
    /// - Throws: ``EventStoreError``, also ``EventStoreError/missingRight(reason:)``.
    @discardableResult
    func addRecordDictionary(_ content: [UInt8]) async throws(EventStoreError) -> UInt32

    /// Packs some of the records that were stored before with the newest dictionary.
    ///
    /// Each packed record is restored and compared before it replaces the other form.
    ///
    /// - Parameters:
    ///   - position: The log position behind which to begin.
    ///   - limit: The maximum number of records, which are written in one transaction; large records
    ///     make a piece end earlier.
    /// - Returns: What was done; `nil` when there is no record behind the position.
    /// - Throws: ``EventStoreError``, also ``EventStoreError/missingRight(reason:)`` and
    ///   ``EventStoreError/corrupt(stream:sequence:reason:)``; then no record was changed.
    func packRecords(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> PackedPiece?
}

/// What became of some records that were to be packed.
package struct PackedPiece: Hashable, Sendable {
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

/// Packs stored records with one dictionary.
struct Repacking {
    /// The size of canonical bytes at which a piece ends: others wait to write meanwhile.
    static let maximumBytes: Int64 = 4 << 20

    private let packer: RecordPacker
    /// Restores what the packer has packed.
    private let check: RecordUnpacker

    /// Prepares a dictionary; `nil` when Zstandard refuses it.
    init?(_ dictionary: RecordDictionary) {
        guard let packer = RecordPacker(dictionary),
            let prepared = RecordUnpacker.Prepared(dictionary)
        else { return nil }
        self.packer = packer
        check = RecordUnpacker([dictionary.id: prepared])
    }

    /// Packs a record and counts it.
    ///
    /// - Parameters:
    ///   - stored: The number of bytes stored for it, and the number of the dictionary that it is
    ///     packed with.
    ///   - canonical: Its canonical bytes.
    ///   - piece: Counts it.
    /// - Returns: What to store instead; `nil` when it stays as it is.
    func pack(
        _ stored: (bytes: Int, dictionary: UInt32?),
        _ canonical: [UInt8],
        _ piece: inout PackedPiece
    ) -> [UInt8]? {
        piece.records += 1
        piece.canonicalBytes += Int64(canonical.count)
        if stored.dictionary != packer.dictionary {
            let packed = packer.withPacked(canonical) { Array($0) }
            let outcome = packed.withUnsafeBytes { check.unpack($0) }
            if packed.count < stored.bytes, case .record(canonical) = outcome {
                piece.changed += 1
                piece.storedBytes += Int64(packed.count)
                return packed
            }
        }
        piece.storedBytes += Int64(stored.bytes)
        return nil
    }
}
