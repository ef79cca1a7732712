/// Thirty-two bytes: a SHA-256 hash or an HMAC-SHA-256 value, written as 64 hexadecimal digits.
public struct Digest256: Hashable, Sendable {
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// Thirty-two zero bytes: the previous hash of the first record of a stream.
    public static let zero = Digest256(words: (0, 0, 0, 0))

    package init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// Creates a digest from 32 bytes.
    ///
    /// Returns `nil` when there are more or fewer.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        let known = bytes.withContiguousStorageIfAvailable { buffer in
            Digest256(raw: UnsafeRawBufferPointer(buffer))
        }
        self = known ?? Array(bytes).withUnsafeBytes { Digest256(raw: $0) }
    }

    /// Reads 64 lower-case hexadecimal digits.
    ///
    /// Returns `nil` for any other text.
    public init?(hexadecimal text: some StringProtocol) {
        self.init(hexadecimal: Array(text.utf8))
    }

    package init?(hexadecimal digits: some RandomAccessCollection<UInt8>) {
        guard digits.count == 64 else { return nil }
        var parts: [UInt64] = [0, 0, 0, 0]
        for (offset, digit) in digits.enumerated() {
            guard let nibble = digit.hexadecimalValue, digit < 0x41 || digit > 0x46 else {
                return nil
            }
            parts[offset / 16] = parts[offset / 16] << 4 | UInt64(nibble)
        }
        self.init(words: (parts[0], parts[1], parts[2], parts[3]))
    }

    /// The 32 bytes, most significant first.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(32)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return result
    }

    /// Sixty-four lower-case hexadecimal digits.
    public var hexadecimal: String { String(decoding: hexadecimalUTF8, as: UTF8.self) }

    package var hexadecimalUTF8: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(64)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: 60, through: 0, by: -4) {
                result.append(UInt8(word >> UInt64(shift) & 0xF).hexadecimalDigit)
            }
        }
        return result
    }

    /// Whether all bytes of two digests are equal.
    public static func == (left: Digest256, right: Digest256) -> Bool {
        left.words == right.words
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

extension Digest256: CustomStringConvertible {
    /// The hexadecimal form.
    public var description: String { hexadecimal }
}
