internal import CZstd
internal import EventLog

/// What the records of a store have in common, so that each of them compresses well on its own.
///
/// A store keeps its dictionaries for good, since records that were compressed with one need it to
/// be read. They contain pieces of canonical records: what is in the clear there, such as
/// references and metadata, is in the clear here; what is sealed is not in them.
///
/// - Note: Source: Zstandard's dictionary format (RFC 8878, section 5): a magic number, an ID of
///   four bytes, least significant first, and the content.
package struct RecordDictionary: Hashable, Sendable {
    /// The number of the dictionary, drawn at random: a store that was set back to an earlier state
    /// must not use a number again for another dictionary.
    package let id: UInt32
    /// The dictionary in Zstandard's format.
    package let content: [UInt8]

    /// The size of a new dictionary in bytes: a larger one makes records hardly smaller.
    package static let trainedBytes = 64 << 10
    /// The numbers that may be drawn; lower ones are reserved for dictionaries that are published.
    package static let numbers: ClosedRange<UInt32> = 32_768...0x7FFF_FFFF
    /// The maximum size in bytes of a dictionary that is read from a store.
    package static let maximumBytes = 1 << 20
    /// The number of records that training requires at least.
    package static let minimumSamples = 1_000
    /// The maximum size in bytes of all records that are used for training.
    package static let maximumSampleBytes = 16 << 20

    private static let magic: [UInt8] = [0x37, 0xA4, 0x30, 0xEC]
    private static let headerBytes = 8

    /// Creates a dictionary that a store has.
    ///
    /// - Returns: `nil` when the content is not the one that was stored, or not a dictionary.
    init?(id: Int64, content: [UInt8], digest: [UInt8]) {
        guard let id = UInt32(exactly: id), id > 0, content.count <= Self.maximumBytes,
            Self.digest(of: content).bytes == digest,
            content.withUnsafeBytes({ ZSTD_getDictID_fromDict($0.baseAddress, $0.count) }) == id
        else { return nil }
        self.id = id
        self.content = content
    }

    /// Creates a dictionary from trained content, which gets the number as its ID.
    ///
    /// - Returns: `nil` when the content is not a dictionary.
    init?(
        trained content: [UInt8],
        as number: UInt32 = UInt32.random(in: RecordDictionary.numbers)
    ) {
        guard content.count > Self.headerBytes, content.starts(with: Self.magic) else { return nil }
        var content = content
        for index in 0..<4 {
            content[4 + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index)))
        }
        self.init(id: Int64(number), content: content, digest: Self.digest(of: content).bytes)
    }

    /// The SHA-256 digest that the store keeps beside the content.
    var digest: Digest256 { Self.digest(of: content) }

    private static func digest(of content: [UInt8]) -> Digest256 { HashChain.hash(content) }

    /// The error for a dictionary that something has changed.
    static func altered(_ id: Int64) -> EventStoreError {
        .corrupt(
            stream: nil,
            sequence: nil,
            reason: "the compression dictionary \(id) was altered"
        )
    }

    /// Trains a dictionary with records.
    ///
    /// - Parameter samples: The canonical bytes of many records.
    /// - Returns: The content of a dictionary without a number; `nil` when there are fewer than
    ///   ``minimumSamples`` records, or they have too little in common.
    package static func train(with samples: [[UInt8]]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var sizes: [Int] = []
        for sample in samples where bytes.count + sample.count <= maximumSampleBytes {
            bytes += sample
            sizes.append(sample.count)
        }
        guard sizes.count >= minimumSamples else { return nil }
        var result = 0
        let content = [UInt8](unsafeUninitializedCapacity: trainedBytes) { output, count in
            result = ZDICT_trainFromBuffer(
                output.baseAddress,
                output.count,
                bytes,
                sizes,
                UInt32(clamping: sizes.count)
            )
            count = ZDICT_isError(result) == 0 ? result : 0
        }
        return content.isEmpty ? nil : content
    }
}
