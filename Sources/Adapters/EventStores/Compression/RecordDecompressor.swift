internal import CZstd
package import EventLog

/// Restores records from the form in which a store has them.
///
/// Nothing that a store contains is trusted: a frame that is cut off, has a second one behind it or
/// claims to be larger than a ``RecordCompressor`` would have made it is damaged.
///
/// - Note: Isolation: one thread at a time.
package final class RecordDecompressor {
    /// What became of a stored value.
    package enum Outcome {
        /// The canonical record; whether it is the right one is for its hash to show.
        case record([UInt8])
        /// The dictionary that is needed first.
        case needs(UInt32)
        /// The value is a frame that cannot be decompressed.
        case damaged
    }

    /// A dictionary that is prepared for decompression, which any number of threads may use.
    package final class Prepared: @unchecked Sendable {
        // Unchecked: Zstandard only reads a prepared dictionary.
        let id: UInt32
        fileprivate let handle: OpaquePointer

        /// Prepares a dictionary; `nil` when Zstandard refuses it.
        init?(_ dictionary: RecordDictionary) {
            let content = dictionary.content
            guard let handle = ZSTD_createDDict(content, content.count) else { return nil }
            id = dictionary.id
            self.handle = handle
        }

        deinit { ZSTD_freeDDict(handle) }
    }

    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    /// The maximum size in bytes of the records that one read returns, whatever number was
    /// requested: a small hostile store must not fill the memory.
    package static let maximumReadBytes = 256 << 20
    /// The maximum number of prepared dictionaries; beyond it, all are dropped and read again.
    package static let maximumDictionaries = 16

    private var dictionaries: [UInt32: Prepared] = [:]
    /// The dictionaries that the store does not have, so that they are not looked for with each
    /// record.
    private var missing: Set<UInt32> = []
    private var context: OpaquePointer?

    package init(_ dictionaries: [UInt32: Prepared] = [:]) { self.dictionaries = dictionaries }

    deinit { ZSTD_freeDCtx(context) }

    /// Adds a dictionary.
    package func add(_ dictionary: Prepared) {
        if dictionaries.count >= Self.maximumDictionaries { dictionaries = [:] }
        dictionaries[dictionary.id] = dictionary
        missing.remove(dictionary.id)
    }

    /// Remembers that the store does not have a dictionary.
    package func addMissing(_ id: UInt32) {
        if missing.count >= Self.maximumDictionaries { missing = [] }
        missing.insert(id)
    }

    /// Whether the store is known not to have a dictionary.
    package func lacks(_ id: UInt32) -> Bool { missing.contains(id) }

    /// The dictionary that a stored value needs; `nil` when the value is not compressed.
    package static func dictionary(of stored: UnsafeRawBufferPointer) -> UInt32? {
        guard stored.starts(with: magic) else { return nil }
        return ZSTD_getDictID_fromFrame(stored.baseAddress, stored.count)
    }

    /// Restores a record.
    package func decompress(_ stored: UnsafeRawBufferPointer) -> Outcome {
        guard let id = Self.dictionary(of: stored) else { return .record(Array(stored)) }
        // A compressor never leaves its dictionary out.
        guard id > 0, let size = Self.size(of: stored) else { return .damaged }
        guard let dictionary = dictionaries[id] else { return .needs(id) }
        guard let context = context ?? ZSTD_createDCtx() else { return .damaged }
        self.context = context
        var result = 0
        let canonical = [UInt8](unsafeUninitializedCapacity: size) { output, count in
            result = ZSTD_decompress_usingDDict(
                context,
                output.baseAddress,
                output.count,
                stored.baseAddress,
                stored.count,
                dictionary.handle
            )
            count = ZSTD_isError(result) == 0 ? result : 0
        }
        return canonical.count == size ? .record(canonical) : .damaged
    }

    /// The size of the record in a value that is exactly one frame; `nil` when it is not, or when
    /// no compressor would have made it.
    private static func size(of stored: UnsafeRawBufferPointer) -> Int? {
        guard ZSTD_findFrameCompressedSize(stored.baseAddress, stored.count) == stored.count else {
            return nil
        }
        // Frames of an unknown size and damaged headers give numbers far beyond the limit.
        let size = ZSTD_getFrameContentSize(stored.baseAddress, stored.count)
        let most = min(
            RecordCompressor.maximumRecordBytes,
            stored.count * RecordCompressor.maximumExpansion
        )
        return size > 0 && size <= UInt64(most) ? Int(size) : nil
    }
}

extension RecordDecompressor {
    /// Counts a record of a read.
    ///
    /// - Throws: ``EventStoreError/limit(name:)`` beyond ``maximumReadBytes``.
    package static func count(_ record: StoredRecord, _ bytes: inout Int) throws(EventStoreError) {
        bytes += record.canonical.count
        guard bytes <= maximumReadBytes else { throw .limit(name: "readBytes") }
    }
}

extension RecordDecompressor.Outcome {
    /// Why there is no record, for an error message; `nil` when there is one.
    package var fault: String? {
        switch self {
        case .record: nil
        case .needs(let id): "its compression dictionary \(id) is missing or was altered"
        case .damaged: "it cannot be decompressed"
        }
    }
}
