internal import CZstd
internal import EventLog

/// Compresses records, each on its own, with one dictionary.
///
/// A compressed record is one Zstandard frame that names its dictionary and its size, so that a
/// stored value says by itself whether it is compressed: canonical records begin with `{`.
///
/// - Note: Isolation: one thread at a time.
/// - Note: Source: RFC 8878, section 3.1.1.
final class RecordCompressor {
    /// The level of the compression: higher ones take longer and make records hardly smaller.
    private static let level: Int32 = 1
    /// The maximum size in bytes of a record that is compressed; a larger one is stored as it is.
    static let maximumRecordBytes = 8 << 20
    /// How much larger than its compressed form a record may be; otherwise it is stored as it is.
    ///
    /// It bounds the memory that a hostile store can make a reader use.
    static let maximumExpansion = 128

    /// The number of the dictionary.
    let dictionary: UInt32
    /// The digest of the dictionary.
    let digest: Digest256
    private let context: OpaquePointer
    private let prepared: OpaquePointer
    private var buffer: [UInt8] = []

    /// Prepares a dictionary.
    ///
    /// - Returns: `nil` when Zstandard refuses it.
    init?(_ dictionary: RecordDictionary) {
        guard let context = ZSTD_createCCtx() else { return nil }
        let content = dictionary.content
        guard let prepared = ZSTD_createCDict(content, content.count, Self.level) else {
            ZSTD_freeCCtx(context)
            return nil
        }
        self.dictionary = dictionary.id
        digest = dictionary.digest
        self.context = context
        self.prepared = prepared
    }

    deinit {
        ZSTD_freeCDict(prepared)
        ZSTD_freeCCtx(context)
    }

    /// Lends the form of a record that is stored: compressed, or as it is where that is not
    /// smaller.
    func withCompressed<Value, Failure: Error>(
        _ canonical: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let size = compress(canonical)
        guard size > 0 else {
            return try canonical.withUnsafeBufferPointer { bytes throws(Failure) in
                try body(UnsafeRawBufferPointer(bytes))
            }
        }
        return try buffer.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<size])))
        }
    }

    /// Compresses a record into the buffer.
    ///
    /// - Returns: The size of the compressed record; 0 when the record is to be stored as it is.
    private func compress(_ canonical: [UInt8]) -> Int {
        guard canonical.count <= Self.maximumRecordBytes else { return 0 }
        let bound = ZSTD_compressBound(canonical.count)
        if buffer.count < bound { buffer = Array(repeating: 0, count: bound) }
        let size = buffer.withUnsafeMutableBytes { output in
            ZSTD_compress_usingCDict(
                context,
                output.baseAddress,
                output.count,
                canonical,
                canonical.count,
                prepared
            )
        }
        guard ZSTD_isError(size) == 0, size < canonical.count,
            canonical.count <= size * Self.maximumExpansion
        else { return 0 }
        return size
    }
}

extension RecordCompressor? {
    /// Lends the form of a record that is stored: as it is, where there is no compressor.
    func withCompressed<Value, Failure: Error>(
        _ canonical: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let self else {
            return try canonical.withUnsafeBufferPointer { bytes throws(Failure) in
                try body(UnsafeRawBufferPointer(bytes))
            }
        }
        return try self.withCompressed(canonical, body)
    }
}
