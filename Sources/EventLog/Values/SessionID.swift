/// The identifier of one session, and of its stream in the event store: a UUID of version 7.
public struct SessionID: Hashable, Comparable, Sendable {
    /// The first and the last eight bytes, most significant first.
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The number of cells that identifiers can name.
    public static let cells = 4096

    /// The cell, a database among several, in which a session of the engine was opened: 0, until
    /// there are several.
    ///
    /// Whoever knows an identifier knows where its session is, without a directory.
    public var cell: Int { Int(high & 0x0FFF) }

    /// Creates the identifier of a session that is opened now.
    ///
    /// - Parameters:
    ///   - instant: When the session was opened; its milliseconds are the first 48 bits.
    ///   - cell: The cell, from 0 to ``cells`` - 1.
    ///   - random: The bits that distinguish sessions of the same millisecond; 62 of them are used.
    public init(at instant: Instant, cell: Int, random: UInt64) {
        precondition((0..<Self.cells).contains(cell), "there is no cell \(cell)")
        self.init(at: instant, random: (UInt64(cell), random))
    }

    /// Creates an identifier from the time and random bits, of any cell.
    ///
    /// - Parameters:
    ///   - instant: When the session was opened; its milliseconds are the first 48 bits.
    ///   - random: The bits that distinguish sessions of the same millisecond; 74 of them are used.
    public init(at instant: Instant, random: (UInt64, UInt64)) {
        let milliseconds = UInt64(max(0, instant.microseconds / 1000))
        high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// Reads the text form, `0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f`, in either letter case.
    ///
    /// Returns `nil` when the text is not a UUID of version 7.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: Array(text.utf8))
    }

    package init?(utf8 bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var nibbles = 0
        for (offset, byte) in bytes.enumerated() {
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let nibble = byte.hexadecimalValue else { return nil }
            if nibbles < 16 {
                halves.0 = halves.0 << 4 | UInt64(nibble)
            } else {
                halves.1 = halves.1 << 4 | UInt64(nibble)
            }
            nibbles += 1
        }
        guard halves.0 >> 12 & 0xF == 7, halves.1 >> 62 == 2 else { return nil }
        self.init(high: halves.0, low: halves.1)
    }

    /// Orders by time of creation, then by the random bits.
    public static func < (left: SessionID, right: SessionID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension SessionID: CustomStringConvertible {
    /// The 36 characters of a UUID, in lower case.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    package var utf8: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                bytes.append(UInt8(ascii: "-"))
            }
            let half = index < 16 ? high : low
            bytes.append(UInt8(half >> UInt64((15 - index % 16) * 4) & 0xF).hexadecimalDigit)
        }
        return bytes
    }
}
