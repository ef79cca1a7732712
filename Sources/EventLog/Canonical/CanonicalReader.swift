/// Reads canonical JSON without building a tree.
///
/// Callers request members in canonical order. The reader skips the members that were not requested
/// and detects the ones that are missing.
///
/// Every access is bounds-checked, so hostile bytes lead to an error and never to a trap. Bytes
/// that are valid JSON but not canonical are rejected with
/// ``EventDecodingError/notCanonical(offset:)``.
public struct CanonicalReader {
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let end: Int
    @usableFromInline let limits: CanonicalLimits
    @usableFromInline var depth = 0
    /// The offset of the next byte.
    @usableFromInline package var index: Int

    /// Reads bytes with a reader, which must not escape the closure.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to read.
    ///   - start: The offset to begin at.
    ///   - limits: The limits on nesting and string length.
    ///   - body: The closure that reads.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    package static func read<Result>(
        _ bytes: [UInt8],
        from start: Int = 0,
        limits: CanonicalLimits = .standard,
        _ body: (inout CanonicalReader) throws(EventDecodingError) -> Result
    ) throws(EventDecodingError) -> Result {
        try bytes.withUnsafeBufferPointer { buffer throws(EventDecodingError) in
            try read(buffer, from: start, limits: limits, body)
        }
    }

    /// Reads borrowed bytes with a reader, which must not escape the closure.
    package static func read<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int = 0,
        limits: CanonicalLimits = .standard,
        _ body: (inout CanonicalReader) throws(EventDecodingError) -> Result
    ) throws(EventDecodingError) -> Result {
        guard let base = bytes.baseAddress, start >= 0, start <= bytes.count else {
            throw .malformed(offset: 0)
        }
        var reader = CanonicalReader(base: base, end: bytes.count, limits: limits, index: start)
        return try body(&reader)
    }

    private init(base: UnsafePointer<UInt8>, end: Int, limits: CanonicalLimits, index: Int) {
        self.base = base
        self.end = end
        self.limits = limits
        self.index = index
    }

    /// The next byte, or zero at the end; a zero byte never occurs in JSON.
    @usableFromInline package var next: UInt8 {
        @inline(__always) get { index < end ? base[index] : 0 }
    }

    /// The byte at an offset, or zero beyond the end.
    @inlinable @inline(__always)
    package func byte(at offset: Int) -> UInt8 {
        offset >= 0 && offset < end ? base[offset] : 0
    }

    /// Eight bytes starting at an offset, the first one lowest; `nil` when fewer than eight remain.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64? {
        guard offset >= 0, end - offset >= 8 else { return nil }
        let bytes = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return UInt64(littleEndian: bytes)
    }

    /// The bytes of a range, which must lie within the input.
    @inlinable @inline(__always)
    package func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        guard range.lowerBound >= 0, range.upperBound <= end else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// Steps over one byte, which must equal the given one.
    @inlinable @inline(__always)
    package mutating func expect(_ byte: UInt8) throws(EventDecodingError) {
        guard next == byte else { throw .notCanonical(offset: index) }
        index += 1
    }

    /// Steps over bytes that have already been checked.
    @inlinable @inline(__always)
    package mutating func step(to offset: Int) {
        index = min(max(offset, index), end)
    }

    /// Steps over a piece of text, which must equal the given one.
    package mutating func expect(_ text: StaticString) throws(EventDecodingError) {
        guard matches(text, at: index) else { throw .notCanonical(offset: index) }
        index += text.utf8CodeUnitCount
    }

    /// Whether a piece of text is at an offset.
    @inlinable @inline(__always)
    package func matches(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset >= 0, end - offset >= count else { return false }
        let (found, wanted) = (UnsafeRawPointer(base) + offset, UnsafeRawPointer(text.utf8Start))
        var place = 0
        while count - place >= 8 {
            guard
                found.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == wanted.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            else { return false }
            place += 8
        }
        while place < count {
            guard
                found.load(fromByteOffset: place, as: UInt8.self)
                    == wanted.load(fromByteOffset: place, as: UInt8.self)
            else { return false }
            place += 1
        }
        return true
    }

    /// Checks that nothing follows.
    package func finish() throws(EventDecodingError) {
        guard index == end else { throw .notCanonical(offset: index) }
    }

    /// Enters one level of nesting, within the limit.
    @inlinable @inline(__always)
    package mutating func descend() throws(EventDecodingError) {
        depth += 1
        guard depth <= limits.depth else { throw .limit(name: "depth") }
    }

    /// Leaves one level of nesting.
    @inlinable @inline(__always)
    package mutating func ascend() { depth -= 1 }

    /// Rejects a string that is longer than the limit.
    @inlinable @inline(__always)
    package func checkLength(of range: Range<Int>) throws(EventDecodingError) {
        guard range.count <= limits.stringBytes else { throw .limit(name: "stringBytes") }
    }

    /// The offset of the next byte that ends or changes a string: a quotation mark, a backslash or
    /// a control character.
    ///
    /// Starts at the given offset; returns the end of the input when there is no such byte.
    @inlinable @inline(__always)
    package func endOfPlainText(from offset: Int) -> Int {
        PlainText.end(in: base, from: offset, to: end)
    }

    /// The same offset as ``endOfPlainText(from:)``, and whether all bytes before it are ASCII.
    @inlinable @inline(__always)
    package func endOfASCII(from offset: Int) -> (end: Int, isASCII: Bool) {
        PlainText.endOfASCII(in: base, from: offset, to: end)
    }

    /// The offset of the next occurrence of a byte at or after an offset; the end when there is
    /// none.
    package func next(_ wanted: UInt8, from offset: Int) -> Int {
        var place = max(0, offset)
        let raw = UnsafeRawPointer(base)
        let low: UInt64 = 0x0101_0101_0101_0101
        while end - place >= 8 {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let other = word ^ (low &* UInt64(wanted))
            let found = (other &- low) & ~other & (low &* 0x80)
            if found != 0 { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < end, base[place] != wanted { place += 1 }
        return place
    }
}
