/// Scans the bytes of strings eight at a time.
@usableFromInline
package enum PlainText {
    @inlinable static var low: UInt64 { 0x0101_0101_0101_0101 }
    @inlinable static var high: UInt64 { 0x8080_8080_8080_8080 }

    /// The offset of the next byte that ends or changes a JSON string: a quotation mark, a
    /// backslash or a control character.
    ///
    /// - Returns: Its offset, or `end` when there is none.
    @inlinable @inline(__always)
    package static func end(in base: UnsafePointer<UInt8>, from offset: Int, to end: Int) -> Int {
        var place = offset
        let raw = UnsafeRawPointer(base)
        while end - place >= 8 {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let quote = word ^ (low &* 0x22)
            let slash = word ^ (low &* 0x5C)
            let found =
                ((quote &- low) & ~quote | (slash &- low) & ~slash
                    | (word &- low &* 0x20) & ~word) & high
            if found != 0 { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < end {
            let byte = base[place]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            place += 1
        }
        return place
    }

    /// The same offset as ``end(in:from:to:)``, and whether all bytes before it are ASCII, in one
    /// pass.
    @inlinable @inline(__always)
    package static func endOfASCII(
        in base: UnsafePointer<UInt8>,
        from offset: Int,
        to end: Int
    ) -> (end: Int, isASCII: Bool) {
        var (place, union) = (offset, UInt64(0))
        let raw = UnsafeRawPointer(base)
        while end - place >= 8 {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            )
            let quote = word ^ (low &* 0x22)
            let slash = word ^ (low &* 0x5C)
            let found =
                ((quote &- low) & ~quote | (slash &- low) & ~slash
                    | (word &- low &* 0x20) & ~word) & high
            guard found == 0 else {
                let bits = found.trailingZeroBitCount & ~7
                union |= word & ((1 << UInt64(bits)) &- 1)
                return (place + bits / 8, union & high == 0)
            }
            union |= word
            place += 8
        }
        while place < end {
            let byte = base[place]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            union |= UInt64(byte)
            place += 1
        }
        return (place, union & high == 0)
    }

    /// Whether a string of these bytes needs no escapes.
    @inlinable @inline(__always)
    package static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        return end(in: base, from: 0, to: bytes.count) == bytes.count
    }

    /// Whether all bytes are ASCII.
    @inlinable @inline(__always)
    package static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let raw = UnsafeRawPointer(base)
        var union: UInt64 = 0
        var place = 0
        while bytes.count - place >= 8 {
            union |= raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < bytes.count {
            union |= UInt64(base[place])
            place += 1
        }
        return union & high == 0
    }
}
